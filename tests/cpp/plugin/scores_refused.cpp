// What the expression functions of labels and scores refuse, and that inputs are released then.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "confmat/evaluate/score_code.hpp"
#include "scores_host.hpp"

namespace confmat::host {

TEST_CASE("score expressions: classes that are not two are refused, where they meet") {
  const auto scores = [](std::size_t n) { return floats("f", Doubles(n, 0.5)); };
  CHECK(
      error_of({integers("l", {0, 1, -7}), scores(3)}, {}, 3) ==
      "`y_true` holds -7: wanted the labels 0 and 1, -1 and 1, or False and True, or a pos_label");
  for (const char* format : {"c", "s", "i", "l"}) {
    const Series mixed = integers(format, {1, 0, -1, 1});
    const char* message = "`y_true` holds 0 and -1 beside 1: wanted the labels";
    CHECK(contains(error_of({mixed, scores(4)}, {}, 4), message));
    CHECK(through(kScoreMetrics, {mixed, scores(4)}, {}, {{0, 1}, {2, 3}}).ok());
    Request with_weights;
    with_weights.weighted = true;
    CHECK(contains(error_of({mixed, scores(4), floats("g", {1, 1, 1, 1})}, with_weights, 4),
                   message));
    const auto request = with_positive(int_labels({3}));
    const Series truth = integers(format, {3, -4, 3, 100});
    CHECK(error_of({truth, scores(4)}, request, 4) ==
          "`y_true` has more than one class beside pos_label 3: -4 and 100; scores sweep two: "
          "compare `y_true` == "
          "label");
    CHECK(through(kScoreMetrics, {truth, scores(4)}, request, {{0, 1}, {2, 3}}).ok());
  }
  const std::int64_t huge = std::int64_t{1} << 62;
  CHECK(contains(
      error_of({integers("l", {3, huge, huge + 1}), scores(3)}, with_positive(int_labels({3})), 3),
      "more than one class"));
  const auto a = with_positive(text_labels({"a"}));
  CHECK(contains(error_of({texts({"a", "b", "c"}), scores(3)}, a, 3), "more than one class"));
  CHECK(contains(error_of({texts({"x", ""}), scores(2)}, a, 2), "more than one class"));
  Request weighted = a;
  weighted.weighted = true;
  CHECK(contains(error_of({texts({"a", "b", "c"}), scores(3), floats("g", {1, 1, 1})}, weighted, 3),
                 "more than one class"));
}

TEST_CASE("score expressions: a row unlike all others is seen, wherever it is") {
  constexpr std::int64_t kRows = 5000;
  for (const char* format : {"f", "g"}) {
    for (const std::int64_t at : {0L, 1023L, 1024L, 3000L, kRows - 1}) {
      Ints labels(kRows, 0);
      labels[2] = 1;
      Doubles scores(kRows, 0.5);
      scores[2] = 0.75;
      const auto changed = static_cast<std::size_t>(at);
      labels[changed] = 5;
      CHECK(contains(error_of({integers("l", labels), floats(format, scores)}, {}, kRows),
                     "`y_true` holds 5"));
      CHECK(contains(error_of({integers("l", labels), floats(format, scores)},
                              with_positive(int_labels({1})), kRows),
                     "more than one class"));
      labels[changed] = 0;
      scores[changed] = std::nan("");
      Request request;
      request.nan_drop = true;
      const Outcome out = through(kScoreMetrics, {integers("l", labels), floats(format, scores)},
                                  request, one_group(kRows));
      REQUIRE_MESSAGE(out.ok(), out.error);
      CHECK(out.array().children[0].value<std::int64_t>(0) == kRows - 1);
      CHECK(out.array().children[2].value<double>(0) == 1.0);
    }
  }
}

TEST_CASE("score expressions: a row unlike all others of very many, which several threads read") {
  constexpr std::int64_t kRows = (std::int64_t{1} << 20) + 5000;
  Ints labels(kRows, 0);
  labels[2] = 1;
  Doubles scores(kRows, 0.5);
  scores[2] = 0.75;
  const auto finish = [&] {
    return through(kScoreMetrics, {integers("l", labels), floats("f", scores)}, {},
                   one_group(kRows));
  };
  const auto check = [](const Outcome& out, std::int64_t dropped) {
    REQUIRE_MESSAGE(out.ok(), out.error);
    CHECK(out.array().children[0].value<std::int64_t>(0) == kRows - dropped);
    CHECK(out.array().children[1].value<std::int64_t>(0) == dropped);
    CHECK(out.array().children[2].value<double>(0) == 1.0);
  };
  check(finish(), 0);
  scores[900000] = std::nullopt;
  check(finish(), 1);
  labels[900001] = 5;
  CHECK(contains(finish().error, "`y_true` holds 5"));
}

TEST_CASE("score expressions: dtypes are refused when the query is planned") {
  const auto scores = floats("f", {0.5});
  const auto planned = [](const std::vector<Series>& inputs, const Request& request) {
    return run(kEncodeScore, inputs, kwargs(request)).error;
  };
  CHECK(planned({floats("g", {1.0}), scores}, {}).empty());
  CHECK(contains(planned({texts({"a"}), scores}, {}), "wanted a pos_label, or labels"));
  CHECK(contains(planned({texts({"a"}), scores}, with_positive(int_labels({1}))), "of its kind"));
  CHECK(contains(planned({integers("l", {1}), scores}, with_positive(text_labels({"1"}))),
                 "of its kind"));
  CHECK(contains(planned({integers("l", {1}), texts({"a"})}, {}), "`y_score` has dtype String"));
  CHECK(contains(planned({integers("l", {1})}, {}), "wrong number of columns"));
}

TEST_CASE("score expressions: a nan is named by its row, or dropped and counted") {
  for (const char* format : {"f", "g"}) {
    Doubles scores(5000, 0.5);
    scores[4321] = std::nan("");
    const Series truth = integers("l", Ints(5000, 1));
    CHECK(contains(error_of({truth, floats(format, scores)}, {}, 5000),
                   "score nan at row 4321 (of the rows read together) of `y_score`"));
    Request request;
    request.nan_drop = true;
    const Outcome out =
        through(kScoreMetrics, {truth, floats(format, scores)}, request, one_group(5000));
    REQUIRE_MESSAGE(out.ok(), out.error);
    CHECK(out.array().children[0].value<std::int64_t>(0) == 4999);
    CHECK(out.array().children[1].value<std::int64_t>(0) == 1);
  }
}

TEST_CASE("score expressions: scores that are no doubles, no probabilities, infinite or -0") {
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK(contains(error_of({integers("l", {1}), integers("l", {odd})}, {}, 1),
                 "has no exact float64"));
  CHECK(error_of({integers("l", {1}), integers("l", {odd - 1})}, {}, 1) == "");
  // The score of a row that is dropped is not looked at.
  CHECK(error_of({integers("l", {std::nullopt}), integers("l", {odd})}, {}, 1) == "");
  Request weighted;
  weighted.weighted = true;
  for (const Series& score : {integers("l", {odd}), floats("f", {std::nan("")})}) {
    CHECK(error_of({integers("l", {1}), score, floats("g", {std::nullopt})}, weighted, 1) == "");
  }
  Request brier;
  brier.score_metrics = {"brier"};
  CHECK(contains(error_of({integers("l", {1}), floats("f", {2.0})}, brier, 1),
                 "`y_score` holds 2: brier needs probabilities"));
  for (const char* format : {"f", "g"}) {
    const Outcome out =
        through(kScoreMetrics,
                {integers("l", {0, 1, 0, 1}), floats(format, {-HUGE_VAL, HUGE_VAL, -0.0, 0.0})}, {},
                one_group(4));
    CHECK(value_of(out, 2, 0) == 3.5 / 4);
  }
}

TEST_CASE("score expressions: foreign lists and hostile bytes are refused, and inputs released") {
  const Series foreign = lists(integers("l", {1, 2, 3}), {{0, 1}});
  CHECK(contains(run(kScoreMetrics, {foreign}, kwargs(Request{})).error, "do not hold codes"));
  CHECK_FALSE(
      run(kScoreMetrics, {lists(integers("L", {7, 6, 5}), {{0, 1}})}, kwargs(Request{})).ok());
  Request weighted;
  weighted.weighted = true;
  Series binary = texts({"abc", "a text that is not 24 bytes"});
  binary.type.format = "vz";
  const Series short_codes = lists(binary, {{0, 1}});
  CHECK_FALSE(run(kScoreMetrics, {short_codes}, kwargs(weighted)).ok());
  // Long lists are counted first: what lies under a null is not looked at then either.
  const LongScore::Bits bits = LongScore::pack({ScoredKind::kPositive, score_key(0.5), 0, 2.0});
  const std::string code(reinterpret_cast<const char*>(&bits), sizeof(bits));
  const std::size_t many = (std::size_t{1} << 17U) + 1;
  Texts codes(many, code);
  codes[7] = std::nullopt;
  binary = texts(codes);
  binary.type.format = "vz";
  const std::uint32_t nowhere[] = {sizeof(bits), 0, 0, 0x7FFFFFFF};
  std::memcpy(binary.chunks[0].buffers[1]->data() + 7 * sizeof(nowhere), nowhere, sizeof(nowhere));
  const Outcome long_list = run(kScoreMetrics, {lists(binary, one_group(many))}, kwargs(weighted));
  REQUIRE_MESSAGE(long_list.ok(), long_list.error);
  CHECK(long_list.array().children[0].value<double>(0) == 2.0 * static_cast<double>(many - 1));
  CHECK(long_list.array().children[1].value<std::int64_t>(0) == 1);
  const Bytes good = packed(with_positive(text_labels({"yes"})));
  const std::vector<Series> inputs = {texts({"yes", "no"}), floats("g", {0.5, 1})};
  for (std::size_t n = 0; n < good.size(); ++n) {
    const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK_FALSE(run(kEncodeScore, inputs, pickled(cut)).ok());
  }
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = good;
    bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
    static_cast<void>(run(kEncodeScore, inputs, pickled(bytes)));
  }
  Bytes longer = good;
  longer.push_back(0);
  CHECK(contains(run(kEncodeScore, inputs, pickled(longer)).error, "longer than it claims"));
  CHECK(live() == 0);
}

}  // namespace confmat::host
