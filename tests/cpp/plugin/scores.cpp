// What the expression functions of labels and scores give, for every dtype and layout.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "scores_host.hpp"

namespace confmat::host {
namespace {

const Ints kTruth = {0, 1, 1, 0, std::nullopt, 1, 0};
const Doubles kScores = {0.25, 0.75, 0.5, 0.5, 0.125, std::nullopt, 0.0};
const Groups kAll = {{0, 1, 2, 3, 4, 5, 6}, {}, {1, 2}, {0, 4}};

// kAll of the columns above: rows 0-3 and 6 count; 3.5 of 4 pairs... of 2 positives, 3 negatives.
void check_all(const Outcome& out) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  const auto& n = out.array().children[0];
  const auto& dropped = out.array().children[1];
  CHECK(n.value<std::int64_t>(0) == 5);
  CHECK(dropped.value<std::int64_t>(0) == 2);
  CHECK(value_of(out, 2, 0) == 5.5 / 6);
  CHECK(n.value<std::int64_t>(1) == 0);
  CHECK(std::isnan(value_of(out, 2, 1)));
  CHECK(n.value<std::int64_t>(2) == 2);
  CHECK(std::isnan(value_of(out, 2, 2)));
  CHECK(value_of(out, 3, 2) == 1.0);
  CHECK(n.value<std::int64_t>(3) == 1);
  CHECK(dropped.value<std::int64_t>(3) == 1);
}

}  // namespace

TEST_CASE("score expressions: every dtype of labels and scores, in every layout") {
  const std::vector<Layout> layouts = {
      {}, {.offset = 3, .bitmap = true}, {.chunks = {2, 0, 5}, .unknown_nulls = true}};
  const std::vector<std::string> order = {"a", "no", "yes"};
  Texts words;
  for (const auto& label : kTruth) {
    words.push_back(label ? std::optional<std::string>(*label == 1 ? "yes" : "no") : std::nullopt);
  }
  Ints eighths;
  for (const auto& score : kScores) {
    eighths.push_back(score ? std::optional<std::int64_t>(static_cast<std::int64_t>(*score * 8))
                            : std::nullopt);
  }
  for (const auto& layout : layouts) {
    std::vector<Series> scores;
    for (const char* format : {"f", "g"}) scores.push_back(floats(format, kScores, layout));
    for (const char* format : {"c", "C", "s", "S", "i", "I", "l", "L"}) {
      scores.push_back(integers(format, eighths, layout));
    }
    for (const auto& score : scores) {
      CAPTURE(score.type.format);
      for (const char* format : {"c", "C", "s", "S", "i", "I", "l", "L"}) {
        const Series truth = integers(format, kTruth);
        check_all(
            through(kScoreMetrics, {truth, score}, {}, kAll, {.chunks = {1, 0, 3}, .offset = 2}));
        check_all(through(kScoreMetrics, {truth, score}, with_positive(int_labels({1})), kAll));
      }
      check_all(through(kScoreMetrics, {booleans(kTruth, layout), score}, {}, kAll));
      const auto yes = with_positive(text_labels({"yes"}));
      check_all(through(kScoreMetrics, {texts(words, layout), score}, yes, kAll));
      check_all(through(kScoreMetrics, {categories("I", words, layout), score}, yes, kAll));
      check_all(through(kScoreMetrics, {enumeration(order, words, layout), score}, yes, kAll));
    }
  }
  CHECK(live() == 0);
}

TEST_CASE("score expressions: codes of plain rows are those of rows beside a null") {
  const Doubles scores = {0.25, -0.0, 0.0, -1.5, 3e38, -HUGE_VAL, 0.75, 0.5};
  const Ints truth = {0, 1, 1, 0, -1, 1, 0, -1};
  const Ints bits = {0, 1, 1, 0, 0, 1, 0, 1};
  const auto codes_of = [&](const Series& labels, const Doubles& of, const Request& request) {
    const Outcome out = run(kEncodeScore, {labels, floats("f", of)}, kwargs(request));
    REQUIRE_MESSAGE(out.ok(), out.error);
    std::vector<std::uint64_t> codes;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      codes.push_back(out.array().value<std::uint64_t>(i));
    }
    return codes;
  };
  Doubles and_null = scores;
  and_null.emplace_back(std::nullopt);
  const auto with_one = [](Ints labels) {
    labels.emplace_back(1);
    return labels;
  };
  for (const char* format : {"c", "s", "i", "l"}) {
    CAPTURE(format);
    CHECK(codes_of(integers(format, truth), scores, {}) ==
          codes_of(integers(format, with_one(truth)), and_null, {}));
  }
  for (const std::int64_t positive : {-1, 0, 5}) {
    const Request request = with_positive(int_labels({positive}));
    CHECK(codes_of(integers("s", truth), scores, request) ==
          codes_of(integers("s", with_one(truth)), and_null, request));
  }
  CHECK(codes_of(booleans(bits, {.offset = 3}), scores, {}) ==
        codes_of(booleans(with_one(bits)), and_null, {}));
}

TEST_CASE("score expressions: a null over a number is a null") {
  const auto over_number = [](Series series) {
    Array& chunk = series.chunks[0];
    chunk.buffers[0] = Bytes{0b101};  // the second of three
    chunk.null_count = 1;
    return series;
  };
  const Series truth = integers("l", {0, 1, 1});
  const Series score = floats("f", {0.5, 0.25, 0.75});
  for (const auto& inputs : {std::vector<Series>{truth, over_number(score)},
                             std::vector<Series>{over_number(truth), score}}) {
    const Outcome out = through(kScoreMetrics, inputs, {}, one_group(3));
    REQUIRE_MESSAGE(out.ok(), out.error);
    CHECK(out.array().children[0].value<std::int64_t>(0) == 2);
    CHECK(out.array().children[1].value<std::int64_t>(0) == 1);
    CHECK(value_of(out, 2, 0) == 1.0);
  }
}

TEST_CASE("score expressions: weights, with and without named classes") {
  const Doubles weights = {2, 0.5, 1, 0.25, 9, 9, 0};
  for (const char* format : {"f", "g"}) {
    for (const auto& positive : {std::optional<Labels>(), std::optional(int_labels({1}))}) {
      Request request;
      request.weighted = true;
      request.positive = positive;
      const Outcome out = through(
          kScoreMetrics, {integers("l", kTruth), floats(format, kScores), floats("g", weights)},
          request, kAll);
      REQUIRE_MESSAGE(out.ok(), out.error);
      CHECK(out.array().children[0].value<double>(0) == 3.75);
      CHECK(out.array().children[1].value<std::int64_t>(0) == 2);
      CHECK(value_of(out, 2, 0) == doctest::Approx((0.5 * 2.25 + 2 + 0.125) / (1.5 * 2.25)));
      CHECK(std::isnan(value_of(out, 2, 2)));
    }
  }
  Request request;
  request.weighted = true;
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    const auto error =
        error_of({integers("l", {1}), floats("g", {0.5}), floats("g", {bad})}, request, 1);
    CHECK(contains(error, "of `sample_weight` is"));
  }
  // A row that is dropped may weigh anything.
  CHECK(error_of({integers("l", {std::nullopt}), floats("g", {0.5}), floats("g", {-1.0})}, request,
                 1) == "");
}

TEST_CASE("score expressions: one row stands for all") {
  const Outcome out =
      through(kScoreMetrics, {integers("l", {1, 0, 1}), floats("g", {0.5})}, {}, one_group(3));
  CHECK(value_of(out, 2, 0) == 0.5);
  CHECK(run(kEncodeScore, {integers("l", {1, 0, 1}), floats("g", {0.5, 1})}, kwargs(Request{}))
            .error == "`y_score` has 2 rows, wanted 3");
}

TEST_CASE("score expressions: no rows, no groups, nothing but nulls") {
  CHECK(through(kScoreMetrics, {integers("l", {}), floats("g", {})}, {}, {}).ok());
  const Outcome out =
      through(kScoreMetrics, {nulls(3), floats("f", {0.5, 1, 2})}, {}, one_group(3));
  REQUIRE_MESSAGE(out.ok(), out.error);
  CHECK(out.array().children[1].value<std::int64_t>(0) == 3);
  CHECK(through(kScoreMetrics, {integers("l", {0, 1}), nulls(2)}, {}, one_group(2)).ok());
}

TEST_CASE("score expressions: halves are floats") {
  // 0, the least of all, 0.5, 1, infinity and -2, in 16 bits.
  const Ints bits = {0x0000, 0x0001, 0x3800, 0x3C00, 0x7C00, 0xC000};
  Series halves = integers("S", bits);
  halves.type.format = "e";
  const Outcome out =
      through(kRocCurve, {integers("l", {0, 1, 0, 1, 0, 1}), halves}, {}, one_group(6));
  REQUIRE_MESSAGE(out.ok(), out.error);
  const Array& thresholds = out.array().children[0].children[0];
  const std::vector<double> wanted = {HUGE_VAL, HUGE_VAL, 1, 0.5, std::ldexp(1.0, -24), 0, -2};
  REQUIRE(thresholds.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(thresholds.value<double>(i) == wanted[i]);
}

TEST_CASE("score expressions: curves, and null where a rate is undefined") {
  const std::vector<Series> inputs = {integers("l", kTruth), floats("g", kScores)};
  const Outcome roc = through(kRocCurve, inputs, {}, kAll);
  REQUIRE_MESSAGE(roc.ok(), roc.error);
  CHECK(shown(roc.value.type).find("fpr") != std::string::npos);
  CHECK(roc.array().valid(0));
  for (const std::size_t row : {1UL, 2UL, 3UL}) CHECK_FALSE(roc.array().valid(row));
  const Array& points = roc.array().children[0];
  const std::vector<double> fpr = {0, 0, 1.0 / 3, 2.0 / 3, 1};
  const std::vector<double> tpr = {0, 0.5, 1, 1, 1};
  REQUIRE(points.size() == fpr.size());
  for (std::size_t i = 0; i < fpr.size(); ++i) {
    CHECK(points.children[1].value<double>(i) == fpr[i]);
    CHECK(points.children[2].value<double>(i) == tpr[i]);
  }
  const Outcome pr = through(kPrCurve, inputs, {}, kAll);
  REQUIRE_MESSAGE(pr.ok(), pr.error);
  CHECK(pr.array().valid(2));
  CHECK_FALSE(pr.array().valid(3));
  CHECK(pr.array().children[0].children[1].value<double>(0) == 1.0 / 2);
  CHECK(pr.array().children[0].children[2].value<double>(1) == 2.0 / 3);
}

TEST_CASE("score expressions: probabilities are clipped at the resolution of their dtype") {
  Request request;
  request.score_metrics = {"log_loss"};
  for (const auto& [format, digits] : {std::pair{"f", 23}, std::pair{"g", 52}}) {
    const Outcome out =
        through(kScoreMetrics, {integers("l", {0}), floats(format, {1.0})}, request, one_group(1));
    CHECK(value_of(out, 2, 0) == doctest::Approx(digits * std::log(2.0)).epsilon(1e-12));
  }
}

TEST_CASE("score expressions: undefined= stands in") {
  Request request;
  request.undefined = 0.5;
  const Outcome out =
      through(kScoreMetrics, {integers("l", {1, 1}), floats("g", {0.5, 1})}, request, one_group(2));
  CHECK(value_of(out, 2, 0) == 0.5);
  CHECK(value_of(out, 3, 0) == 1.0);
}

}  // namespace confmat::host
