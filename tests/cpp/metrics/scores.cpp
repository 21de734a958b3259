// Score metrics against pairs taken one by one, at sizes of one block and of many.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/score.hpp"
#include "support/fake_host.hpp"

namespace confmat::metrics {
namespace {

using host::Random;

struct Sweep {
  std::vector<double> scores;
  std::vector<std::uint64_t> positives, negatives;

  SweepView view() const {
    SweepView out;
    out.size = scores.size();
    out.scores = scores.data();
    out.amounts = Amounts<std::uint64_t>{positives.data(), negatives.data()};
    return out;
  }
};

Sweep random_sweep(std::size_t n, std::uint64_t most, std::uint64_t seed) {
  Random random(seed);
  Sweep out;
  for (std::size_t i = 0; i < n; ++i) {
    out.scores.push_back(1.0 - static_cast<double>(i) / static_cast<double>(n));
    out.positives.push_back(random.bits() % most);
    out.negatives.push_back(random.bits() % most);
  }
  return out;
}

double value(const std::string& name, const SweepView& sweep, int threads = 1) {
  const ScoreAsk ask = parse_score(name);
  double out = 0;
  score_values({&ask, 1}, sweep, threads, &out);
  return out;
}

std::vector<ScoreAsk> all_asks() {
  std::vector<ScoreAsk> out;
  for (const auto& fact : score_facts()) out.push_back(parse_score(fact.name));
  out.push_back(parse_score("ece(15)"));
  return out;
}

std::string refusal(const std::string& name) {
  try {
    parse_score(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("scores: the AUC fraction is that of all pairs") {
  for (const std::size_t n : {1UL, 2UL, 3UL, 50UL, 3000UL}) {
    const Sweep sweep = random_sweep(n, 7, n);
    std::uint64_t over = 0, positives = 0, negatives = 0;
    for (std::size_t i = 0; i < n; ++i) {
      over += sweep.negatives[i] * (2 * positives + sweep.positives[i]);
      positives += sweep.positives[i];
      negatives += sweep.negatives[i];
    }
    const auto [got, under] = auc_fraction(sweep.view());
    CHECK(static_cast<std::uint64_t>(got) == over);
    CHECK(static_cast<std::uint64_t>(under) == 2 * positives * negatives);
    if (under > 0) {
      CHECK(value("roc_auc", sweep.view()) ==
            static_cast<double>(over) / static_cast<double>(under));
    }
  }
}

TEST_CASE("scores: counts beyond 64-bit products stay exact") {
  const std::uint64_t big = std::uint64_t{1} << 49;
  const Sweep sweep{{0.9, 0.1}, {big + 1, big - 1}, {big, big + 2}};
  const Int128 p = 2 * Int128{big};
  const Int128 n = p + 2;
  const Int128 over = Int128{big} * (big + 1) + Int128{big + 2} * (2 * (big + 1) + big - 1);
  const auto [got, under] = auc_fraction(sweep.view());
  CHECK((got == over));
  CHECK((under == 2 * p * n));
  CHECK(value("ks", sweep.view()) ==
        doctest::Approx(1.0 / static_cast<double>(big)).epsilon(1e-12));
}

TEST_CASE("scores: the variance of the area is that of the placements") {
  for (const std::size_t n : {3UL, 50UL, 2048UL, 2049UL, 5000UL}) {
    // Of few rows a score, and of so many that sums pass 31 bits within a block.
    for (const std::uint64_t most : {std::uint64_t{3}, std::uint64_t{1} << 33U}) {
      Sweep sweep = random_sweep(n, most, n + most);
      sweep.positives[1] += 2;
      sweep.negatives[n - 1] += 2;
      long double p = 0, q = 0, over = 0;
      for (std::size_t i = 0; i < n; ++i) {
        over += sweep.negatives[i] * (p + sweep.positives[i] / 2.0L);
        p += sweep.positives[i];
        q += sweep.negatives[i];
      }
      const long double area = over / p / q;
      long double tp = 0, fp = 0, wanted = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const long double x = 1 - (fp + sweep.negatives[i] / 2.0L) / q - area;
        const long double y = (tp + sweep.positives[i] / 2.0L) / p - area;
        wanted += sweep.positives[i] * x * x / p / (p - 1);
        wanted += sweep.negatives[i] * y * y / q / (q - 1);
        tp += sweep.positives[i];
        fp += sweep.negatives[i];
      }
      CAPTURE(n);
      CAPTURE(most);
      const auto found = area_variance(sweep.view(), 1);
      CHECK(found.area == value("roc_auc", sweep.view()));
      CHECK(found.variance == doctest::Approx(static_cast<double>(wanted)).epsilon(1e-11));
      CHECK(area_variance(sweep.view(), 3).variance == found.variance);
    }
  }
  const auto alone = area_variance(Sweep{{0.9, 0.1}, {1, 0}, {0, 5}}.view());
  CHECK(alone.area == 1);
  CHECK(std::isnan(alone.variance));
  CHECK(std::isnan(area_variance(Sweep{{0.9, 0.1}, {1, 3}, {0, 0}}.view()).area));
}

TEST_CASE("scores: threads and other asks change no bit") {
  const auto asks = all_asks();
  for (const std::size_t n : {1UL, 2047UL, 2048UL, 2049UL, 600000UL}) {
    const Sweep sweep = random_sweep(n, 5, 3 * n);
    std::vector<double> one(asks.size()), four(asks.size());
    score_values(asks, sweep.view(), 1, one.data());
    score_values(asks, sweep.view(), 4, four.data());
    for (std::size_t i = 0; i < asks.size(); ++i) {
      CAPTURE(asks[i].name);
      CHECK(one[i] == four[i]);
      CHECK(value(asks[i].name, sweep.view()) == one[i]);
    }
  }
}

TEST_CASE("scores: bins end, whatever the scores between the ends are") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double odd : {nan, 1e301, -1e301, HUGE_VAL, 0.95}) {
    const Sweep sweep{{0.9, odd, 0.5, odd, 0.3}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}};
    for (const char* name : {"ece", "mce(65536)", "rms_ce(1)"}) value(name, sweep.view());
  }
}

TEST_CASE("scores: whole weights are counts, and floats have the scores of doubles") {
  Sweep sweep = random_sweep(5000, 5, 9);
  std::vector<double> p(sweep.positives.begin(), sweep.positives.end());
  std::vector<double> n(sweep.negatives.begin(), sweep.negatives.end());
  std::vector<float> floats;
  for (double& score : sweep.scores) {
    score = std::round(score * 8192) / 8192;  // exact in both
    floats.push_back(static_cast<float>(score));
  }
  SweepView weights = sweep.view();
  weights.amounts = Amounts<double>{p.data(), n.data()};
  SweepView narrow = sweep.view();
  narrow.scores = floats.data();
  for (const auto& ask : all_asks()) {
    CAPTURE(ask.name);
    CHECK(value(ask.name, weights) == value(ask.name, sweep.view()));
    const bool clips = ask.name == "log_loss" || ask.name == "d2_log_loss";
    if (!clips) CHECK(value(ask.name, narrow) == value(ask.name, sweep.view()));
  }
  for (double& weight : p) weight *= 0.375;
  for (double& weight : n) weight *= 0.375;
  for (const auto& ask : all_asks()) {
    CAPTURE(ask.name);
    CHECK(value(ask.name, weights) ==
          doctest::Approx(value(ask.name, sweep.view())).epsilon(1e-12));
  }
}

TEST_CASE("scores: what is undefined has a reason, and what is not has none") {
  const std::vector<std::uint64_t> some = {1, 2}, none = {0, 0};
  const std::vector<double> scores = {0.7, 0.2};
  const auto sweep = [&](const auto& p, const auto& n) { return Sweep{scores, p, n}; };
  for (const auto& ask : all_asks()) {
    CAPTURE(ask.name);
    const Sweep empty;
    CHECK(std::isnan(value(ask.name, empty.view())));
    CHECK(score_reason(ask, empty.view()) == "there are no rows");
    CHECK(score_reason(ask, sweep(none, none).view()) == "all weights are 0");
    CHECK(score_reason(ask, sweep(some, some).view()) == "");
    CHECK_FALSE(std::isnan(value(ask.name, sweep(some, some).view())));
    for (const bool positives : {false, true}) {
      const Sweep one = positives ? sweep(some, none) : sweep(none, some);
      const std::string reason = score_reason(ask, one.view());
      CHECK(std::isnan(value(ask.name, one.view())) == !reason.empty());
      if (!reason.empty()) {
        CHECK(reason == (positives ? "there are no negatives" : "there are no positives"));
      }
    }
  }
}

TEST_CASE("scores: probabilities are asked for by name, with the offending score") {
  Sweep sweep{{1.5, 0.5, -0.25}, {1, 1, 1}, {1, 1, 1}};
  CHECK(value("roc_auc", sweep.view()) == 0.5);
  CHECK_THROWS_WITH_AS(static_cast<void>(value("ece(5)", sweep.view())),
                       "`y_score` holds 1.5: ece(5) needs probabilities, from 0 to 1", InputError);
  sweep.scores[0] = 1.0;
  CHECK_THROWS_WITH_AS(static_cast<void>(value("brier", sweep.view())),
                       "`y_score` holds -0.25: brier needs probabilities, from 0 to 1", InputError);
}

TEST_CASE("scores: bins are open below and closed above, the first at 0 too") {
  // (b / bins, (b + 1) / bins] as double quotients: each edge lies in the bin that it ends.
  for (const int bins : {1, 3, 10, 15, 25, 49, 100, 4096}) {
    Sweep sweep;
    for (int b = bins; b >= 0; --b) {
      sweep.scores.push_back(static_cast<double>(b) / bins);
      sweep.positives.push_back(static_cast<std::uint64_t>(b % 2));
      sweep.negatives.push_back(static_cast<std::uint64_t>(1 - b % 2));
    }
    double wanted = 0;  // of one row a bin, but two in the first
    for (std::size_t i = 0; i + 2 < sweep.scores.size(); ++i) {
      wanted += std::fabs(static_cast<double>(sweep.positives[i]) - sweep.scores[i]);
    }
    wanted += std::fabs(1.0 - 1.0 / bins);
    const std::string name = "ece(" + std::to_string(bins) + ")";
    CHECK(value(name, sweep.view()) == doctest::Approx(wanted / (bins + 1)).epsilon(1e-12));
  }
}

TEST_CASE("scores: names are distinct from those of predicted classes, and misspellings are met") {
  for (const auto& fact : score_facts()) {
    CHECK(catalogue().find(fact.name) == nullptr);
    CHECK_FALSE(fact.reference.empty());
    for (const auto& alias : fact.aliases) {
      CAPTURE(alias);
      CHECK(catalogue().find(alias) == nullptr);
      CHECK(parse_score(alias).row == parse_score(fact.name).row);
    }
  }
  CHECK(refusal("roc_acu").find("did you mean 'roc_auc'") != std::string::npos);
  CHECK(refusal("mcc").find("of predicted classes") != std::string::npos);
  CHECK(refusal("roc_auc(3)").find("takes no parameter") != std::string::npos);
  for (const std::string text : {"0", "0.5", "65537", "x", "", "bins", "p=3", "nan", "3)"}) {
    CAPTURE(text);
    CHECK_FALSE(refusal("ece(" + text + ")").empty());
  }
  CHECK_FALSE(refusal("ece(3").empty());
  CHECK(parse_score(" ece( bins = 7 ) ").param == 7);
  CHECK(parse_score("bedroc").param == 20);
  CHECK(parse_score("bedroc(alpha=80.5)").param == 80.5);
  CHECK(refusal("bedroc(0)").find("alpha, a number from 0.001 to 1000") != std::string::npos);
}

TEST_CASE("scores: counts that could wrap are refused") {
  const std::uint64_t big = INT64_MAX;
  const Sweep sweep{{0.5}, {big}, {1}};
  CHECK_THROWS_AS(static_cast<void>(value("roc_auc", sweep.view())), InputError);
  const Sweep beyond{{0.5}, {big + 1}, {0}};
  CHECK_THROWS_AS(static_cast<void>(value("roc_auc", beyond.view())), InputError);
  const Sweep alone{{0.5, 0.25}, {big - 1, 1}, {0, 0}};
  CHECK(std::isnan(value("roc_auc", alone.view())));
  CHECK(value("average_precision", alone.view()) == 1);
  const Sweep most{{0.5, 0.25}, {big / 2, 0}, {0, big / 2}};
  for (const char* name : {"roc_auc", "average_precision", "ks"}) {
    CHECK(value(name, most.view()) == 1);
  }
  const Sweep ties{{0.5}, {big / 2}, {big / 2 + 1}};
  CHECK(value("roc_auc", ties.view()) == 0.5);
  std::vector<double> half = {0.5};
  SweepView weights = sweep.view();
  weights.amounts = Amounts<double>{half.data(), half.data()};
  CHECK_THROWS_AS(static_cast<void>(auc_fraction(weights)), InputError);
  CHECK_THROWS_AS(static_cast<void>(area_variance(weights)), InputError);
}

}  // namespace confmat::metrics
