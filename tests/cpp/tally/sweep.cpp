// Exact sweeps: against a naive one, for all scores, classes and threads.
#include "sweep.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "confmat/base/error.hpp"

using namespace test;
using confmat::InputError;
using confmat::Labels;
using confmat::sweep;
using confmat::SweepOptions;
using confmat::Swept;

namespace {

Labels label_of(std::int64_t value) {
  Labels labels;
  labels.ints = {value};
  return labels;
}

Labels label_of(const char* text) {
  Labels labels;
  labels.kind = Labels::Kind::kText;
  labels.texts = {text};
  return labels;
}

Swept sweep_one(const Column& truth, const Column& score, const SweepOptions& options = {}) {
  return sweep({&truth, 1}, {&score, 1}, {}, options);
}

}  // namespace

TEST_CASE("sweeps of all distributions and sizes are the naive one, on any threads") {
  std::mt19937_64 random(3);
  for (const std::size_t n : {1U, 2U, 10U, 1000U, 70'000U, 300'000U}) {
    for (int kind = 0; kind < kScoreKinds; ++kind) {
      CAPTURE(n);
      CAPTURE(kind);
      const auto wide = random_scores(n, kind, random);
      const std::vector<float> narrow(wide.begin(), wide.end());
      const auto classes = random_classes(n, random);
      const auto naive = naive_sweep(classes, wide);
      const auto naive_narrow = naive_sweep(classes, narrow);
      for (const int threads : {1, 2, 4}) {
        SweepOptions options;
        options.threads = threads;
        const Swept swept = sweep_one(classes_column(classes), scores_column(wide), options);
        CHECK(agrees(swept.state, naive));
        CHECK(swept.state.scores.index() == 1);
        const Swept half = sweep_one(classes_column(classes), scores_column(narrow), options);
        CHECK(agrees(half.state, naive_narrow));
        CHECK(half.state.scores.index() == 0);
        CHECK(half.state.positives.index() == 0);
      }
    }
  }
}

TEST_CASE("every layout of labels and scores gives the same sweep, however it is cut") {
  std::mt19937_64 random(5);
  const std::size_t n = 30'000;
  const Ints labels = random_ints(n, 0, 1, 4, random);
  const Ints values = random_ints(n, -60, 60, 4, random);
  NaiveSweep naive;
  std::int64_t dropped = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!labels[i] || !values[i]) {
      ++dropped;
      continue;
    }
    auto& [p, q] = naive[static_cast<double>(*values[i])];
    (*labels[i] != 0 ? p : q) += 1;
  }
  Texts names(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (labels[i]) names[i] = *labels[i] != 0 ? "sick" : "healthy enough, so far";
  }
  const std::vector<Shape> shapes{{},
                                  {.stride = 3, .misaligned = 1, .null_offset = 5},
                                  {.reversed = true, .null_offset = 2},
                                  {.stride = 2, .swapped = true, .bit_offset = 3}};
  Memory memory;
  const Labels sick = label_of("sick");
  for (const Shape& shape : shapes) {
    std::vector<Column> truths;
    for (const DType type : {DType::kBool8, DType::kBoolBits, DType::kInt8, DType::kUInt16,
                             DType::kInt32, DType::kUInt64}) {
      truths.push_back(memory.ints(labels, type, shape));
    }
    for (const TextLayout layout :
         {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
      truths.push_back(memory.texts(names, {.null_offset = 1, .layout = layout}));
    }
    truths.push_back(memory.keys(labels, DType::kUInt8,
                                 memory.texts({"healthy enough, so far", "sick"}), shape));
    std::vector<Column> scores;
    for (const DType type : {DType::kFloat32, DType::kFloat64, DType::kInt8, DType::kInt64}) {
      scores.push_back(memory.ints(values, type, shape));
    }
    for (const Column& truth : truths) {
      for (const Column& score : scores) {
        const bool text = truth.type == DType::kText || truth.type == DType::kDictionary;
        SweepOptions options;
        if (text) options.pos_label = &sick;
        const Swept swept = sweep(chunks(truth, 4, random), chunks(score, 5, random), {}, options);
        CHECK(agrees(swept.state, naive));
        CHECK(swept.rows.n_rows == static_cast<std::int64_t>(n));
        CHECK(swept.rows.n_dropped == dropped);
        CHECK(swept.rows.n_nan == 0);
        if (text) CHECK(swept.rows.negative->texts.at(0) == "healthy enough, so far");
      }
    }
  }
}

TEST_CASE("chunks of floats of both widths, and of nulls, make one column") {
  const std::vector<float> narrow{0.5F, 0.1F};
  const std::vector<double> wide{0.1, 0.5};
  const std::vector<std::uint8_t> classes{1, 0, 0, 1, 1, 1};
  Column nulls;
  nulls.type = DType::kNull;
  nulls.length = 2;
  const Column truth = classes_column(classes);
  const std::vector<Column> score{scores_column(narrow), nulls, scores_column(wide)};
  const Swept swept = sweep({&truth, 1}, score, {}, {});
  CHECK(numbers(swept.state.scores) == std::vector<double>{0.5, static_cast<double>(0.1F), 0.1});
  CHECK(numbers(swept.state.positives) == std::vector<double>{2, 0, 1});
  CHECK(swept.rows.n_dropped == 2);
  const Swept none = sweep({}, {}, {}, {});
  CHECK(numbers(none.state.scores).empty());
  CHECK(numbers(sweep_one(nulls, nulls).state.scores).empty());
  CHECK(sweep_one(nulls, nulls).rows.n_dropped == 2);
}

TEST_CASE("nan scores are an error that names the first, or are dropped and counted") {
  std::mt19937_64 random(7);
  const double nan = std::nan("");
  const std::size_t n = 400'000;
  auto wide = random_scores(n, 0, random);
  const auto classes = random_classes(n, random);
  for (const std::size_t at : {123'456U, 123'457U, 399'999U}) wide[at] = -nan;
  const std::vector<float> narrow(wide.begin(), wide.end());
  NaiveSweep naive;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(wide[i])) continue;
    auto& [p, q] = naive[wide[i]];
    (classes[i] != 0 ? p : q) += 1;
  }
  for (const int threads : {1, 2}) {
    SweepOptions options;
    options.threads = threads;
    for (const Column& score : {scores_column(wide), scores_column(narrow)}) {
      CHECK_THROWS_WITH_AS(sweep_one(classes_column(classes), score, options),
                           doctest::Contains("score nan at row 123456 of `y_score`"), InputError);
    }
    options.nan_drop = true;
    const Swept swept = sweep_one(classes_column(classes), scores_column(wide), options);
    CHECK(agrees(swept.state, naive));
    CHECK(swept.rows.n_nan == 3);
    CHECK(swept.rows.n_dropped == 0);
  }
  // A nan in a row that is dropped anyway is no error.
  Memory memory;
  const Column truth = memory.ints({1, std::nullopt, 0}, DType::kInt8);
  const Swept swept = sweep_one(truth, memory.doubles({1, nan, 2}));
  CHECK(swept.rows.n_dropped == 1);
  CHECK(swept.rows.n_nan == 0);
}

TEST_CASE("a positive label makes any two classes a sweep") {
  Memory memory;
  const Column truth = memory.ints({7, -3, 7, std::nullopt, -3}, DType::kInt64);
  const Column score = memory.doubles({4, 3, 2, 1, 0});
  for (const std::int64_t positive : {7, -3}) {
    const Labels label = label_of(positive);
    SweepOptions options;
    options.pos_label = &label;
    const Swept swept = sweep_one(truth, score, options);
    CHECK(swept.rows.positive.ints == std::vector<std::int64_t>{positive});
    CHECK(swept.rows.negative->ints == std::vector<std::int64_t>{4 - positive});
    CHECK(numbers(positive == 7 ? swept.state.positives : swept.state.negatives) ==
          std::vector<double>{1, 0, 1, 0});
  }
  const Labels no = label_of(std::int64_t{0});
  SweepOptions options;
  options.pos_label = &no;
  const Column bools = memory.ints({1, 0, 0, 0, 1}, DType::kBoolBits);
  const Swept swept = sweep_one(bools, score, options);
  CHECK(numbers(swept.state.positives) == std::vector<double>{0, 1, 1, 1, 0});
  CHECK(swept.rows.positive.kind == Labels::Kind::kBool);
  const Labels only = label_of("a");
  options.pos_label = &only;
  const Swept alone = sweep_one(memory.texts({"a", "a"}), memory.doubles({1, 2}), options);
  CHECK(!alone.rows.negative.has_value());
  CHECK(numbers(alone.state.positives) == std::vector<double>{1, 1});
}

TEST_CASE("what is no pair of classes is refused with the classes found") {
  Memory memory;
  const Column score = memory.doubles({1, 2, 3});
  const Column three = memory.ints({1, 0, 5}, DType::kInt32);
  const Column texts = memory.texts({"b", "c", "a"});
  CHECK_THROWS_WITH_AS(sweep_one(three, score),
                       "label 5 at row 2 of `y_true` is neither 0 nor 1 (classes found: 0, 1, 5); "
                       "pos_label says which one is positive of two; of more, compare "
                       "`y_true == label`, or use cm.multiclass_sweep",
                       InputError);
  CHECK_THROWS_WITH_AS(sweep_one(texts, score),
                       "`y_true` holds strings (classes found: a, b, c); pos_label says which one "
                       "is positive of two; of more, compare `y_true == label`, or use "
                       "cm.multiclass_sweep",
                       InputError);
  const Labels b = label_of("b");
  const Labels five = label_of(std::int64_t{5});
  const Labels six = label_of(std::int64_t{6});
  SweepOptions options;
  options.pos_label = &b;
  CHECK_THROWS_WITH_AS(sweep_one(texts, score, options),
                       "label a at row 2 of `y_true` is a third class beside pos_label b (classes "
                       "found: a, b, c); a sweep takes two: compare `y_true == label`, or use "
                       "cm.multiclass_sweep",
                       InputError);
  CHECK_THROWS_WITH_AS(sweep_one(three, score, options),
                       doctest::Contains("pos_label is b, but `y_true` holds no strings"),
                       InputError);
  options.pos_label = &five;
  CHECK_THROWS_WITH_AS(sweep_one(three, score, options), doctest::Contains("0, 1, 5"), InputError);
  options.pos_label = &six;
  const Column pair = memory.ints({1, 0, 1}, DType::kInt32);
  const Column bools = memory.ints({1, 0, 1}, DType::kBool8);
  const Column fives = memory.ints({5, 5, 5}, DType::kInt32);
  CHECK_THROWS_WITH_AS(sweep_one(fives, score, options),
                       "pos_label 6 does not occur in `y_true` (classes found: 5)", InputError);
  CHECK_THROWS_WITH_AS(sweep_one(pair, score, options),
                       "pos_label 6 does not occur in `y_true` (classes found: 0, 1)", InputError);
  CHECK_THROWS_WITH_AS(sweep_one(bools, score, options),
                       "pos_label 6 does not occur in `y_true` (classes found: False, True)",
                       InputError);
  Ints many(300'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i % 100'000);
  const std::vector<double> zeros(many.size());
  CHECK_THROWS_WITH_AS(sweep_one(memory.ints(many, DType::kInt64), scores_column(zeros)),
                       doctest::Contains("row 2 of `y_true` is neither 0 nor 1 (classes found: 0, "
                                         "1, 2, 3, 4, 5, 6, 7, ...)"),
                       InputError);
}

TEST_CASE("columns of wrong types, lengths and values are refused by name") {
  Memory memory;
  const Column truth = memory.ints({1, 0, 1}, DType::kInt8);
  const Column score = memory.doubles({1, 2, 3});
  const Column two = memory.doubles({1, 2});
  CHECK_THROWS_WITH_AS(sweep_one(truth, two), "`y_true` has 3 rows, `y_score` has 2", InputError);
  CHECK_THROWS_WITH_AS(sweep({&truth, 1}, {&score, 1}, {&two, 1}, {}),
                       "`y_true` has 3 rows, `sample_weight` has 2", InputError);
  CHECK_THROWS_WITH_AS(sweep_one(score, score), doctest::Contains("row 1 of `y_true` is neither"),
                       InputError);
  CHECK_THROWS_WITH_AS(sweep_one(memory.doubles({1, 0, 0.5}), score),
                       doctest::Contains("label 0.5 at row 2 of `y_true` is not a whole number"),
                       InputError);
  const Swept minus = sweep_one(memory.doubles({1, -1, std::nan("")}), score);
  CHECK(minus.rows.negative->ints == std::vector<std::int64_t>{-1});
  CHECK(minus.rows.n_dropped == 1);
  CHECK_THROWS_WITH_AS(sweep_one(memory.ints({1, -1, 0}, DType::kInt8), score),
                       doctest::Contains("label 0 at row 2 of `y_true` is neither -1 nor 1"),
                       InputError);
  CHECK_THROWS_WITH_AS(sweep_one(truth, memory.texts({"a", "b", "c"})),
                       "`y_score` has dtype String: wanted numbers", InputError);
  CHECK_NOTHROW(sweep_one(truth, memory.ints({1, 0, 1}, DType::kBoolBits)));
  const std::int64_t exact = std::int64_t{1} << 53;
  CHECK_NOTHROW(sweep_one(truth, memory.ints({exact, -exact, exact * 4 + 8}, DType::kInt64)));
  CHECK_THROWS_WITH_AS(sweep_one(truth, memory.ints({1, -exact - 1, 0}, DType::kInt64)),
                       "score -9007199254740993 at row 1 of `y_score` has no exact float64",
                       InputError);
  CHECK_THROWS_WITH_AS(sweep_one(truth, memory.ints({1, 1, -1}, DType::kUInt64)),
                       "score 18446744073709551615 at row 2 of `y_score` has no exact float64",
                       InputError);
  CHECK_NOTHROW(sweep_one(truth, memory.ints({INT64_MIN, 1, 1}, DType::kUInt64)));
}
