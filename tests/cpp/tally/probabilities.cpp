// Sums over rows of probabilities, and rows that are refused.
#include "confmat/tally/probabilities.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "confmat/base/error.hpp"
#include "confmat/tally/class_codes.hpp"
#include "probability_rows.hpp"
#include "support/columns.hpp"

using confmat::DType;
using confmat::InputError;
using confmat::predict_top_k;
using confmat::ProbabilityOptions;
using confmat::ProbabilitySums;
using confmat::sum_probabilities;
using confmat::Ties;
using test::Layout;
using test::ProbabilityRows;

namespace {

// Places of the true class in the row, by each rule for ties.
std::vector<std::size_t> places(const ProbabilityRows& rows, std::size_t row) {
  std::vector<std::size_t> out(confmat::kTies, 0);
  const std::size_t truth = rows.classes[row];
  for (std::size_t j = 0; j < rows.k; ++j) {
    const double mine = rows.at(row, truth);
    const double other = rows.at(row, j);
    if (other > mine) {
      for (auto& place : out) ++place;
    } else if (other == mine && j != truth) {
      ++out[static_cast<std::size_t>(Ties::kWorst)];
      ++out[static_cast<std::size_t>(j < truth ? Ties::kFirst : Ties::kLast)];
    }
  }
  return out;
}

void check_sums(const ProbabilityRows& rows, bool weighted) {
  const ProbabilitySums sums =
      sum_probabilities(rows.table(weighted), {.clip = 0.125, .soft = true});
  ProbabilitySums naive;
  naive.class_weights.resize(rows.k);
  naive.ranks.resize(confmat::kTies * rows.k);
  naive.soft.resize(rows.k * rows.k);
  for (std::size_t row = 0; row < rows.n; ++row) {
    if (!rows.used(row)) continue;
    const double w = rows.weight(row, weighted);
    const std::size_t truth = rows.classes[row];
    ++naive.n_rows;
    naive.weight += w;
    naive.class_weights[truth] += w;
    const double own = rows.at(row, truth);
    if (own < 0.125) ++naive.n_clipped;
    naive.log_loss -= w * std::log(std::clamp(own, 0.125, 1 - 0.125));
    for (std::size_t j = 0; j < rows.k; ++j) {
      const double error = rows.at(row, j) - (j == truth ? 1 : 0);
      naive.brier += w * error * error;
      naive.soft[truth * rows.k + j] += w * rows.at(row, j);
    }
    const auto by_rule = places(rows, row);
    for (std::size_t ties = 0; ties < confmat::kTies; ++ties) {
      naive.ranks[ties * rows.k + by_rule[ties]] += w;
    }
  }
  // Eighths and quarters: all but the logarithms are exact.
  CHECK(sums.n_rows == naive.n_rows);
  CHECK(sums.n_clipped == naive.n_clipped);
  CHECK(sums.weight == naive.weight);
  CHECK(sums.brier == naive.brier);
  CHECK(sums.log_loss == doctest::Approx(naive.log_loss).epsilon(1e-12));
  CHECK(sums.class_weights == naive.class_weights);
  CHECK(sums.ranks == naive.ranks);
  CHECK(sums.soft == naive.soft);
}

}  // namespace

TEST_CASE("sums of probabilities are those of a naive loop, whatever the layout") {
  for (const std::size_t k : {2U, 3U, 8U, 9U, 21U}) {
    for (const auto layout :
         {Layout::kRows, Layout::kColumns, Layout::kSwapped, Layout::kReversed}) {
      for (const DType type : {DType::kFloat32, DType::kFloat64}) {
        for (const std::size_t n : {1U, 700U}) {
          const ProbabilityRows rows(n, k, 7 * k + n, type, layout);
          for (const bool weighted : {false, true}) check_sums(rows, weighted);
        }
      }
    }
  }
}

TEST_CASE("sums of probabilities do not depend on the number of threads") {
  const ProbabilityRows rows(90'001, 40, 3);
  const auto classes = rows.table(false).classes;
  const auto with_class = std::ranges::count_if(classes, [](auto code) { return code < 40; });
  for (const bool weighted : {false, true}) {
    const auto one =
        sum_probabilities(rows.table(weighted), {.clip = 1e-9, .soft = true, .threads = 1});
    CHECK(one.n_rows == with_class);
    for (const int threads : {2, 3, 7}) {
      const auto many =
          sum_probabilities(rows.table(weighted), {.clip = 1e-9, .soft = true, .threads = threads});
      CHECK(many.log_loss == one.log_loss);
      CHECK(many.brier == one.brier);
      CHECK(many.soft == one.soft);
      CHECK(many.ranks == one.ranks);
    }
  }
}

TEST_CASE("blocks of plain rows have the sums of rows one by one, to the last bit") {
  std::mt19937_64 random(5);
  const auto draw = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  for (std::size_t k = 2; k < 12; ++k) {
    for (const Layout layout : {Layout::kRows, Layout::kColumns, Layout::kReversed}) {
      ProbabilityRows rows(1500, k, k, DType::kFloat64, layout);
      for (std::size_t row = 0; row < rows.n; ++row) {
        // Some rows are ties, some certain, and one in the last block has no class.
        rows.classes[row] = static_cast<std::uint16_t>(row == 1400 ? k : random() % k);
        if (row % 3 == 0) continue;
        double sum = 0.0;
        const auto p = rows.p.begin() + static_cast<std::ptrdiff_t>(row * k);
        for (std::size_t j = 0; j < k; ++j) sum += p[static_cast<std::ptrdiff_t>(j)] = draw();
        for (std::size_t j = 0; j < k; ++j) p[static_cast<std::ptrdiff_t>(j)] /= sum;
      }
      rows.lay_out(DType::kFloat64, layout);
      for (const double clip : {0.0, 0x1p-52, 0.125}) {
        const ProbabilitySums plain = sum_probabilities(rows.table(false), {.clip = clip});
        std::ranges::fill(rows.weights, 1.0);
        const ProbabilitySums one_by_one = sum_probabilities(rows.table(true), {.clip = clip});
        CHECK(plain.n_rows == one_by_one.n_rows);
        CHECK(plain.n_clipped == one_by_one.n_clipped);
        CHECK(plain.weight == one_by_one.weight);
        CHECK(plain.log_loss == one_by_one.log_loss);
        CHECK(plain.brier == one_by_one.brier);
        CHECK(plain.losses[0] == one_by_one.losses[0]);
        CHECK(plain.losses[1] == one_by_one.losses[1]);
        CHECK(plain.class_weights == one_by_one.class_weights);
        CHECK(plain.ranks == one_by_one.ranks);
      }
    }
  }
}

TEST_CASE("no clip: a probability of zero has an infinite loss, unless its weight is zero") {
  ProbabilityRows rows(2, 2, 1);
  rows.p = {0, 1, 0.5, 0.5};
  rows.classes = {0, 1};
  rows.weights = {0, 2};
  rows.lay_out(DType::kFloat64, Layout::kRows);
  CHECK(sum_probabilities(rows.table(false), {}).log_loss ==
        std::numeric_limits<double>::infinity());
  CHECK(sum_probabilities(rows.table(true), {}).log_loss == doctest::Approx(2 * std::log(2)));
  rows.p = {1, 0, 0, 1};
  rows.lay_out(DType::kFloat64, Layout::kRows);
  const double loss = sum_probabilities(rows.table(false), {}).log_loss;
  CHECK(loss == 0);
  CHECK(!std::signbit(loss));
}

TEST_CASE("the first row without probabilities is named, and those without a class are no rows") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [value, text] :
       std::vector<std::pair<double, std::string>>{{nan, "holds nan at row 5000 of column 2"},
                                                   {-0.125, "holds -0.125 at row 5000"},
                                                   {1.5, "holds 1.5 at row 5000"},
                                                   {1, "has the sum"}}) {
    for (const int threads : {1, 4}) {
      ProbabilityRows rows(300'000, 3, 11);
      for (const std::size_t row : {5'000U, 5'001U, 299'999U}) {
        rows.p[row * 3] = 0.5;
        rows.p[row * 3 + 1] = 0.5;
        rows.p[row * 3 + 2] = value;
        rows.classes[row] = 1;
      }
      rows.classes[4'000] = 4;
      rows.p[12'001] = 77;
      rows.lay_out(DType::kFloat64, Layout::kRows);
      if (std::isnan(value)) {
        CHECK_THROWS_WITH_AS(sum_probabilities(rows.table(false), {.threads = threads}),
                             doctest::Contains(text.c_str()), InputError);
        continue;
      }
      const auto sums = sum_probabilities(rows.table(false), {.threads = threads});
      CHECK(sums.not_probabilities.find(text) != std::string::npos);
      CHECK(sums.not_probabilities.find("at row 5000") != std::string::npos);
      std::int64_t with_class = 0;
      for (std::size_t row = 0; row < rows.n; ++row) with_class += rows.used(row) ? 1 : 0;
      CHECK(sums.n_rows == with_class);
      CHECK(sums.weight == static_cast<double>(with_class));
      double placed = 0;
      for (std::size_t k = 0; k < 3; ++k) placed += sums.ranks[k];
      CHECK(placed == static_cast<double>(with_class));
    }
  }
}

TEST_CASE("the tolerance of sums is kept on both sides, and -0 is a probability") {
  ProbabilityRows rows(1, 2, 1);
  rows.classes = {0};
  for (const double off : {-0.25, 0.25}) {
    rows.p = {0.5, 0.5 + off};
    rows.lay_out(DType::kFloat64, Layout::kRows);
    CHECK(sum_probabilities(rows.table(false), {.tolerance = 0.25}).not_probabilities.empty());
    CHECK(!sum_probabilities(rows.table(false), {.tolerance = 0.2}).not_probabilities.empty());
  }
  rows.p = {-0.0, 1};
  rows.lay_out(DType::kFloat64, Layout::kRows);
  const auto sums = sum_probabilities(rows.table(false), {.clip = 0.25});
  CHECK(sums.brier == 2);
  rows.p = {1.0000001, 0};  // within the tolerance of the sum, and yet no probability
  rows.lay_out(DType::kFloat64, Layout::kRows);
  CHECK(!sum_probabilities(rows.table(false), {.tolerance = 0.25}).not_probabilities.empty());
}

TEST_CASE("predictions with k guesses") {
  for (const auto layout : {Layout::kRows, Layout::kColumns}) {
    const ProbabilityRows rows(3'000, 5, 21, DType::kFloat64, layout);
    for (const Ties ties : {Ties::kFirst, Ties::kLast}) {
      for (const std::int64_t k : {1, 2, 4, 5, 9}) {
        for (const int threads : {1, 3}) {
          const auto named = predict_top_k(rows.table(false), k, ties, threads);
          REQUIRE(named.size() == rows.n);
          for (std::size_t row = 0; row < rows.n; ++row) {
            if (!rows.used(row)) {
              REQUIRE(named[row] == rows.classes[row]);
              continue;
            }
            std::size_t top = 0;
            for (std::size_t j = 0; j < rows.k; ++j) {
              if (rows.at(row, j) > rows.at(row, top) ||
                  (rows.at(row, j) == rows.at(row, top) && ties == Ties::kLast)) {
                top = j;
              }
            }
            const auto place = places(rows, row)[static_cast<std::size_t>(ties)];
            const bool hit = static_cast<std::int64_t>(place) < k;
            REQUIRE(named[row] == (hit ? rows.classes[row] : top));
          }
        }
      }
    }
  }
}

TEST_CASE("classes of labels: chunks, nulls, texts, and the first stranger") {
  std::mt19937_64 random(5);
  const test::Ints values = test::random_ints(20'000, -3, 9, 4, random);
  test::Memory memory;
  const auto column = memory.ints(values, DType::kInt16, {.stride = 3, .reversed = true});
  confmat::Labels labels;
  for (int label = 9; label >= -3; --label) labels.ints.push_back(label);
  const auto codes = confmat::class_codes(test::chunks(column, 5, random), labels, 0);
  REQUIRE(codes.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(codes[i] == (values[i] ? 9 - *values[i] : 14));
  }
  confmat::Labels words;
  words.kind = confmat::Labels::Kind::kText;
  words.texts = {"dog", "cat"};
  const auto texts = memory.texts({"cat", std::nullopt, "dog"});
  const auto of_texts = confmat::class_codes({&texts, 1}, words, 1);
  CHECK(std::ranges::equal(of_texts.span(), std::vector<std::uint16_t>{1, 3, 0}));
  const auto strange = memory.texts({"cat", "cow", "dog", "owl"});
  CHECK_THROWS_WITH_AS(confmat::class_codes({&strange, 1}, words, 1),
                       "label 'cow' at row 1 of `y_true` is not in labels ['dog', 'cat']",
                       InputError);
  CHECK_THROWS_AS(confmat::class_codes({&strange, 1}, labels, 1), InputError);
  const confmat::Column parts[] = {texts, memory.texts({"dog", std::string(65'537, 'x')})};
  CHECK_THROWS_WITH_AS(confmat::class_codes(parts, words, 1), doctest::Contains("at row 4 of"),
                       InputError);
  test::Texts many(300'000, "dog");
  many.back() = std::string(65'537, 'x');
  const auto long_column = memory.texts(many);
  CHECK_THROWS_WITH_AS(confmat::class_codes({&long_column, 1}, words, 2),
                       doctest::Contains("at row 299999 of"), InputError);
}
