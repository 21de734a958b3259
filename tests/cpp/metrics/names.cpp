// Names, facts and refusals of the registry.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/catalogue.hpp"

namespace confmat::metrics {
namespace {

std::string refusal_of(const std::string& name) {
  try {
    parse(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("metrics: facts are complete and consistent") {
  std::set<std::string> names, all;
  for (const Fact& fact : facts()) names.insert(fact.name);
  CHECK(names.size() == facts().size());
  for (const Fact& fact : facts()) {
    INFO(fact.name);
    CHECK(all.insert(fact.name).second);
    for (const std::string& alias : fact.aliases) {
      CHECK(all.insert(alias).second);
      CHECK(parse(alias).row == parse(fact.name).row);
      CHECK(parse(alias).average == parse(fact.name).average);
    }
    CHECK(parse(fact.name).needs_positive == (fact.level == "class"));
    CHECK_FALSE(fact.symbol.empty());
    CHECK_FALSE(fact.formula.empty());
    CHECK_FALSE(fact.undefined.empty());
    CHECK_FALSE(fact.reference.empty());
    CHECK(fact.summary.back() == '.');
    CHECK(fact.lo < fact.hi);
    CHECK((fact.transpose_partner.empty() || names.contains(fact.transpose_partner)));
    CHECK((fact.swap_partner.empty() || names.contains(fact.swap_partner)));
    CHECK((fact.level == "average") == !fact.average.empty());
    CHECK(parse(fact.name).params.size() == fact.params.size());
  }
}

// "kappa_quadratic" may end so, because kappa has no averages; "recall_macro" as a row may not.
TEST_CASE("metrics: no row takes the name of an average") {
  for (const Row& row : catalogue().rows()) {
    for (const Suffix& suffix : suffixes()) {
      if (!row.facts.name.ends_with("_" + std::string(suffix.text))) continue;
      std::string_view stem = row.facts.name;
      stem.remove_suffix(suffix.text.size() + 1);
      const Entry* entry = catalogue().find(stem);
      const bool averages =
          entry != nullptr && catalogue().row(entry->row).facts.averages != kNoAverage;
      CHECK_MESSAGE(!averages, row.facts.name);
    }
  }
}

TEST_CASE("metrics: parameters and aliases") {
  CHECK(parse("fbeta(2)").params == std::vector<double>{2.0});
  CHECK(parse("fbeta_macro(beta=0.5)").params == std::vector<double>{0.5});
  CHECK(parse("f2").params == std::vector<double>{2.0});
  CHECK(parse("f0.5_weighted").params == std::vector<double>{0.5});
  CHECK(parse("f2_macro").average == parse("recall_macro").average);
  CHECK(parse("fbeta").params == std::vector<double>{1.0});
  CHECK(parse("recall_power").params == std::vector<double>{1.0});
  CHECK(parse("sensitivity_power(min)").params == parse("recall_power(-inf)").params);
  CHECK(parse("fbeta_power(2,0.5)").params == std::vector<double>{2.0, 0.5});
  CHECK(parse("f2_power(p=3)").params == std::vector<double>{2.0, 3.0});
  CHECK(parse("phi_power(0,mean_p=3)").params == std::vector<double>{0.0, 3.0});
  CHECK(parse("tversky_power(p=3)").params == std::vector<double>{0.5, 0.5, 3.0});
  CHECK(params_of_name("recall").empty());
  CHECK(parse("generalized_f1(arithmetic)").params == std::vector<double>{1.0});
  CHECK(parse("generalized_f1(-inf)").params == parse("generalized_f1(min)").params);
  CHECK(parse("tversky").params == std::vector<double>{0.5, 0.5});
  CHECK(parse("tversky(0.25)").params == std::vector<double>{0.25, 0.75});
  CHECK(parse("tversky_macro(2, 0.25)").params == std::vector<double>{2.0, 0.25});
  CHECK(parse("tversky(beta = 3, alpha=1)").params == std::vector<double>{1.0, 3.0});
  CHECK(parse("tversky(beta=3)").params == std::vector<double>{0.5, 3.0});
  CHECK(parse(" mcc ").name == "mcc");
  CHECK(parse("mcc_binary_macro").row == parse("mcc_macro").row);
  CHECK(parse("sensitivity_macro").row == parse("recall").row);
  CHECK(parse("youden_j").row == parse("j_index").row);
}

TEST_CASE("metrics: refusals say what to do") {
  CHECK(has(refusal_of("mcc_micro"), "there is no mcc_micro"));
  CHECK(has(refusal_of("presicion"), "'precision'"));
  CHECK(has(refusal_of("mcc_harmonic"), "there is no mcc_harmonic"));
  CHECK(has(refusal_of("informedness_geometric"), "can be negative"));
  CHECK(has(refusal_of("markedness_power(3)"), "can be negative"));
  CHECK(has(refusal_of("recall_power(a)"), "number"));
  CHECK(has(refusal_of("recall_power(1,2)"), "p, a number"));
  CHECK(has(refusal_of("f2_min(3)"), "no parameter"));
  CHECK(has(refusal_of("tp_macro"), "not averaged"));
  CHECK(has(refusal_of("kappa_macro"), "one number of the whole table"));
  CHECK(has(refusal_of("lr_positive_micro"), "pooled"));
  CHECK(has(refusal_of("fbeta(-1)"), "from 0"));
  CHECK(has(refusal_of("fbeta(nan)"), "number"));
  CHECK(has(refusal_of("fbeta(two)"), "number"));
  CHECK(has(refusal_of("fbeta(2"), "')'"));
  CHECK(has(refusal_of("gmcc_mean(2)"), "to 1"));
  CHECK(has(refusal_of("mcc(2)"), "no parameter"));
  CHECK(has(refusal_of("f2(3)"), "no parameter"));
  for (const char* text :
       {"", "(", ")", "()", "_macro", "mcc(", "fbeta()", "a(b(c", "f1_macro_macro"}) {
    CHECK_FALSE(refusal_of(text).empty());
  }
  CHECK_FALSE(refusal_of(std::string(100000, 'x')).empty());
}

TEST_CASE("metrics: a class metric needs its class") {
  const std::vector<std::string> three{"cat", "dog", "fox"};
  const auto message = [](const char* name, std::int64_t k, Options options,
                          const std::vector<std::string>& labels) -> std::string {
    try {
      check(parse(name), k, options, labels);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(has(message("recall", 3, {}, three), "'recall_macro'"));
  CHECK(has(message("recall", 3, {}, three), "cat, dog, fox"));
  CHECK(has(message("mcc_binary", 3, {}, three), "'mcc_macro'"));
  CHECK(has(message("tp", 2, {}, {"no", "yes"}), "no, yes; give pos_label"));
  Options second;
  second.pos = 1;
  CHECK(message("recall", 2, second, {"no", "yes"}).empty());
  CHECK(message("recall_macro", 3, {}, three).empty());
  CHECK(message("mcc", 3, {}, three).empty());
  CHECK(message("recall", 1, {}, {"no"}).empty());
  second.pos = 7;
  CHECK_FALSE(message("recall", 3, second, three).empty());
  Options negative;
  negative.smoothing = -1.0;
  CHECK(has(message("mcc", 3, negative, three), "smoothing"));
}

}  // namespace confmat::metrics
