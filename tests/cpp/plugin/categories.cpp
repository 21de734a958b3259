// Labels that come as physical values beside a null of their dtype: codes of an Enum and of
// Categoricals, whose texts somebody else knows.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "confmat/arrow/category_owner.hpp"
#include "plugin/category_texts.hpp"
#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

std::vector<std::string> answers;          // the texts of the codes 0, 1, 2, ...; "?": of no code
std::vector<std::size_t> questions;        // how many codes were asked for
std::shared_ptr<const int> categories_of;  // what keeps the answers true

OwnedTexts answer(const CategoriesName& name, std::span<const std::uint32_t> codes) {
  questions.push_back(codes.size());
  OwnedTexts out;
  out.owner = categories_of;
  for (const auto code : codes) {
    const bool known = code < answers.size() && answers[code] != "?" && name.space != "nowhere";
    out.texts.push_back(known ? std::optional(answers[code]) : std::nullopt);
  }
  return out;
}

// Answers as long as it lives.
struct Owner {
  explicit Owner(std::vector<std::string> texts) {
    answers = std::move(texts);
    questions.clear();
    categories_of = std::make_shared<const int>(0);
    ask_for_texts_with(&answer);
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    ask_for_texts_with(nullptr);
    categories_of.reset();
  }
};

void put_text(std::string& out, const std::string& text) {
  const auto length = static_cast<std::int32_t>(text.size());
  out.append(reinterpret_cast<const char*>(&length), sizeof length);
  out += text;
}

// A null of a Categorical of the categories called so.
Series type_named(const std::string& name, const std::string& space = "",
                  std::string_view format = "I") {
  Series out = categories(format, {std::nullopt});
  const std::int32_t pairs = 1;
  out.type.metadata.assign(reinterpret_cast<const char*>(&pairs), sizeof pairs);
  put_text(out.type.metadata, "_PL_CATEGORICAL2");
  put_text(out.type.metadata, std::to_string(name.size()) + ";" + name +
                                  std::to_string(space.size()) + ";" + space + "u32;");
  return out;
}

// The metrics of one group, of columns as encode() takes them.
Outcome metrics_of(const std::vector<Series>& inputs, std::size_t rows, const Request& request) {
  const Outcome codes = run(kEncode, inputs, kwargs(request));
  if (!codes.ok()) return codes;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < rows; ++i) all.push_back(i);
  return run(kLabelMetrics, {lists(codes.value, {all})}, kwargs(request));
}

std::vector<double> values_of(const Outcome& out) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  std::vector<double> values;
  for (std::size_t i = 0; i < 3; ++i) {
    values.push_back(static_cast<double>(out.array().children[i].value<std::int64_t>(0)));
  }
  for (std::size_t i = 3; i < out.array().children.size(); ++i) {
    values.push_back(out.array().children[i].value<double>(0));
  }
  return values;
}

const Texts kTruth = {"b", "a", std::nullopt, "long enough to lie apart", "a", "b"};
const Texts kPred = {"b", "a", "a", "long enough to lie apart", "b", "a"};
Request request() {
  Request out;
  out.metrics = {"accuracy", "mcc", "kappa_quadratic"};
  return out;
}

Ints codes_in(const std::vector<std::string>& entries, const Texts& texts) {
  Ints out;
  for (const auto& text : texts) {
    out.emplace_back();
    if (text) out.back() = std::ranges::find(entries, *text) - entries.begin();
  }
  return out;
}

TEST_CASE("codes beside a type are the labels that texts are") {
  const std::vector<double> wanted =
      values_of(metrics_of({texts(kTruth), texts(kPred)}, 6, request()));
  const std::vector<std::string> entries = {"long enough to lie apart", "a", "unused", "b"};
  const Owner owner(entries);
  const Layout cut{.chunks = {2, 0, 4}, .offset = 3};
  for (const auto* format : {"C", "S", "I"}) {
    CAPTURE(format);
    const std::string name = std::string("of ") + format;
    const Series y = integers(format, codes_in(entries, kTruth), cut);
    const Series p = integers(format, codes_in(entries, kPred));
    const Series type = type_named(name, "", format);
    const Series other = type_named("b", "", format);
    CHECK(values_of(metrics_of({y, p, type, type}, 6, request())) == wanted);
    // Texts beside codes, and codes of other categories.
    const Series text = texts(kPred);
    CHECK(values_of(metrics_of({y, text, type, text}, 6, request())) == wanted);
    CHECK(values_of(metrics_of({y, p, type, other}, 6, request())) == wanted);
    Request whole = request();
    const Outcome part = run(kPartial, {y, p, type, type}, kwargs(whole));
    CHECK(values_of(run(kMerge, {part.value}, kwargs(whole))) == wanted);
  }
}

TEST_CASE("codes beside an Enum are its categories, whatever comes in the rows") {
  const std::vector<std::string> entries = {"long enough to lie apart", "a", "unused", "b"};
  const Series y = enumeration(entries, kTruth);
  const Series p = enumeration(entries, kPred);
  const auto wanted = values_of(metrics_of({y, p}, 6, request()));
  const Series type = enumeration(entries, {std::nullopt});
  const Series y_codes = integers("C", codes_in(entries, kTruth));
  const Series p_codes = integers("C", codes_in(entries, kPred));
  CHECK(values_of(metrics_of({y_codes, p_codes, type, type}, 6, request())) == wanted);
}

TEST_CASE("texts are asked for once, and as long as they are kept their codes keep their meaning") {
  const Owner owner({"a", "b", "c", "d"});
  const Series type = type_named("asked for once");
  const auto count = [&](const Ints& codes) {
    const Series column = integers("I", codes);
    return values_of(metrics_of({column, column, type, type}, codes.size(), request())).at(0);
  };
  CHECK(count({0, 1}) == 2);
  CHECK(questions == std::vector<std::size_t>{2});  // and kept for y_pred
  CHECK(count({1, 0, 0}) == 3);
  CHECK(questions.size() == 1);
  CHECK(count({2}) == 1);
  CHECK(questions == std::vector<std::size_t>{2, 4});  // twice as many
  CHECK(count({3}) == 1);
  CHECK(questions.size() == 2);
  CHECK(categories_of.use_count() == 2);
  // Those that were not used for the longest time are let go of.
  for (int i = 0; i < 64; ++i) {
    const Series other = type_named(std::to_string(i));
    const Series column = integers("I", {0});
    CHECK(run(kEncode, {column, column, other, other}, kwargs(request())).ok());
  }
  CHECK(categories_of.use_count() == 65);
  questions.clear();
  CHECK(count({0}) == 1);
  CHECK(questions.size() == 1);
}

TEST_CASE("once a query has ended, nothing of its categories is kept") {
  const Owner owner({"a", "b"});
  const Series type = type_named("let go of");
  const Series column = integers("I", {0, 1});
  for (int query = 0; query < 2; ++query) {
    const Outcome codes = run(kEncode, {column, column, type, type}, kwargs(request()));
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    CHECK(categories_of.use_count() == 2);
    CHECK(run(kLabelMetrics, {lists(codes.value, {{0, 1}})}, kwargs(request())).ok());
    CHECK(categories_of.use_count() == 1);
  }
  CHECK(questions.size() == 2);
}

TEST_CASE("long texts are asked for where they occur, and not kept") {
  std::vector<std::string> entries(3000, std::string(2000, 'x'));
  entries.emplace_back("a");
  const Owner owner(entries);
  const Series type = type_named("long texts");
  const Series column = integers("I", {3000, 3000});
  const auto count = [&] {
    return values_of(metrics_of({column, column, type, type}, 2, request())).at(0);
  };
  CHECK(count() == 2);
  CHECK(questions == std::vector<std::size_t>{3001, 1});
  CHECK(categories_of.use_count() == 1);
  CHECK(count() == 2);
  // What was learnt is forgotten where a machine that does other things takes its time.
  const bool is_remembered = questions == std::vector<std::size_t>{3001, 1, 1, 1};
  CHECK((is_remembered || questions == std::vector<std::size_t>{3001, 1, 3001, 1}));
}

TEST_CASE("memory of another dtype than that of the plan is not read") {
  const Series narrow = integers("c", {0, 1, 2});
  const Series wide = integers("l", {0, 1, 2});
  const Series planned = integers("l", {std::nullopt});
  const std::string error = "`y_true` has dtype Int8, where the plan has Int64";
  for (const auto* function : {&kEncode, &kPartial}) {
    CHECK(run(*function, {narrow, wide, planned, planned}, kwargs(request())).error == error);
    CHECK(run(*function, {wide, wide, planned, planned}, kwargs(request())).ok());
    CHECK(run(*function, {narrow, wide, type_named("q"), planned}, kwargs(request())).error ==
          "`y_true` has dtype Int8, where the plan has Categorical");
    const Series dates{{"tdD", "y"}, integers("i", {std::nullopt}).chunks};
    CHECK(run(*function, {integers("i", {1}), wide, dates, planned}, kwargs(request()))
              .error.find("has dtype Date: wanted") != std::string::npos);
  }
}

TEST_CASE("codes that stand for nothing are nulls no row can have") {
  const Owner owner({"a", "?", "c"});
  const Series type = type_named("with a gap");
  const Series good = integers("I", {2, 0, 2, std::nullopt});
  CHECK(values_of(metrics_of({good, good, type, type}, 4, request())).at(0) == 3);
  const Series bad = integers("I", {2, 1});
  const auto error = metrics_of({bad, bad, type, type}, 2, request()).error;
  CHECK(error == "`y_true` has a category without a text");
  const Series nowhere = type_named("q", "nowhere");
  CHECK(metrics_of({good, good, nowhere, nowhere}, 4, request()).error == error);
}

TEST_CASE("codes far from 0 are numbered anew") {
  std::vector<std::string> entries(plugin::kMostKeptCodes + 3, "x");
  entries[0] = "long enough to lie apart";
  entries.rbegin()[0] = "a";
  entries.rbegin()[2] = "b";
  const Owner owner(entries);
  const Series type = type_named("many");
  const Series y = integers("I", codes_in(entries, kTruth), {.chunks = {1, 5}});
  const Series p = integers("I", codes_in(entries, kPred));
  const auto wanted = values_of(metrics_of({texts(kTruth), texts(kPred)}, 6, request()));
  CHECK(values_of(metrics_of({y, p, type, type}, 6, request())) == wanted);
  CHECK(questions == std::vector<std::size_t>{3, 3});
}

TEST_CASE("nobody who knows, codes that are none, and too many of them") {
  const Series type = type_named("refused");
  const Series codes = integers("I", {0, 1});
  CHECK(metrics_of({codes, codes, type, type}, 2, request()).error ==
        "nobody knows the texts of Categoricals here");
  CHECK(metrics_of({integers("I", {std::nullopt}), integers("I", {std::nullopt}), type, type}, 1,
                   request())
            .ok());
  const Series floats_of = floats("g", {1.0, 2.0});
  Series of_floats = type;
  of_floats.type.format = "g";
  CHECK(metrics_of({floats_of, codes, of_floats, type}, 2, request()).error ==
        "`y_true` has categories, and codes that are none");
  const Owner owner({"a"});
  Ints many;
  for (std::int64_t i = 0; i <= std::int64_t{1} << 19; ++i) many.emplace_back(i);
  const Series flood = integers("I", many);
  CHECK(run(kEncode, {flood, flood, type, type}, kwargs(request())).error.find("identifiers") !=
        std::string::npos);
  // Labels that are named bound what is kept of them.
  Request named = request();
  named.labels = text_labels({"a", "b"});
  named.bucket = true;
  answers.resize(many.size(), "c");
  CHECK(run(kEncode, {flood, flood, type, type}, kwargs(named)).ok());
}

}  // namespace
}  // namespace confmat::host
