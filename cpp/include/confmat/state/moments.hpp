// The state of a regression: exact sums over rows of a true and a predicted number. They are raw
// ones, not about a mean, so that they merge; being exact, nothing cancels in what follows of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/number_bins.hpp"
#include "confmat/state/pair_grid.hpp"

namespace confmat {

// Of weights w, truths y, predictions p, each weighted but for the first two: their places.
enum MomentSum : std::uint8_t {
  kSumWeight,   // w; rows where there are no weights
  kSumSquared,  // w^2
  kSumTruth,
  kSumPrediction,
  kSumError,  // |y - p|
  kSumTruthSquared,
  kSumPredictionSquared,
  kSumProduct,
};
inline constexpr std::size_t kMomentSums = 8;

// What is summed beside these only where it is asked for: a number of each row; a second one, its
// square unless told otherwise; and the weight of the rows that have none. Terms are rounded, their
// sums exact.
enum class MomentTerm : std::uint8_t {
  kPercentage = 1,  // |y - p| / |y|; none where y is 0, or below 1e-60 in size
  kSymmetric = 2,   // 2 |y - p| / (|y| + |p|)
  kLogarithms = 3,  // (log(1 + y) - log(1 + p))^2; none where one is not above -1
  kPoisson = 4,     // the unit deviance, and y log y; none where y < 0 or p <= 0
  kGamma = 5,       // the unit deviance, and log y; none where y <= 0 or p < 1e-60
  kHuber = 6,       // the loss beyond `param`, quadratic within
  // Nine exact sums, of yyy, yyp, ypp, ppp and yyyy, yyyp, yypp, yppp, pppp, which intervals need;
  // none where a number is beyond kMostPowered.
  kPowers = 7,
  // How often each error occurs, cut to its first `param` bits behind the leading one: 52 are all.
  kErrors = 8,
  kDensity = 9,  // how often pairs of truth and prediction occur, in the cells of a grid
  // How often each truth occurs: all bits are 52; kUsualBits are as many as leave few bins, see
  // fitting_bits, each also with what the sizes of its truths sum to.
  kTruths = 10,
};
inline constexpr std::size_t kPowerSums = 10;

constexpr bool is_in_bins(MomentTerm term) noexcept {
  return term == MomentTerm::kErrors || term == MomentTerm::kTruths;
}

constexpr std::size_t sums_of(MomentTerm term) noexcept {
  if (is_in_bins(term) || term == MomentTerm::kDensity) return 0;
  return term == MomentTerm::kPowers ? kPowerSums : 3;
}

struct TermAsk {
  MomentTerm term;
  double param = 0.0;
  auto operator<=>(const TermAsk&) const = default;
};

// The numbers of a regression are at most this large: then all that follows from sums is a double.
inline constexpr double kMostNumber = 1e60;
inline constexpr double kMostPowered = 1e40;

struct Moments {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  RowTotals rows{.counted = 0};
  bool has_weights = false;
  std::vector<TermAsk> terms;  // ascending
  // Of the rows of weight above 0; infinite where there are none, nan where rows were taken away
  // that may have had them.
  double least_truth = std::numeric_limits<double>::infinity();
  double largest_truth = -std::numeric_limits<double>::infinity();
  double largest_error = -std::numeric_limits<double>::infinity();
  std::vector<std::uint64_t> errors, truths;  // bins, ascending: see number_bins.hpp
  int truth_bits = kAllBits;                  // where rows were taken away, fewer than they need be
  int grid_level = kEachPair;
  std::vector<PairCell> cells;  // ascending; where rows were taken away, larger than they need be
  std::vector<double> columns;  // of the cells: see columns_of
  // kMomentSums, those of the terms one after the other, of each bin of errors, of each cell, two
  // of each column: see GridColumn; and one or two of each bin of truths.
  ExactSums sums;

  // Where the sums of a term begin; `i` may be the number of terms.
  [[nodiscard]] std::size_t place(std::size_t i) const noexcept {
    std::size_t out = kMomentSums;
    for (std::size_t at = 0; at < i; ++at) out += sums_of(terms[at].term);
    return out;
  }
  // Of all sums but those of bins and cells.
  [[nodiscard]] std::size_t size() const noexcept { return place(terms.size()); }
  // How many bits errors or truths were asked to keep, and how many they do; -1: they are not kept.
  [[nodiscard]] int asked_bits(MomentTerm term) const noexcept {
    const auto found = std::ranges::find(terms, term, &TermAsk::term);
    return found == terms.end() ? -1 : static_cast<int>(found->param);
  }
  [[nodiscard]] int bits_of(MomentTerm term) const noexcept {
    return has_few_bins(term) ? truth_bits : asked_bits(term);
  }
  [[nodiscard]] bool has_few_bins(MomentTerm term) const noexcept {
    return term == MomentTerm::kTruths && asked_bits(term) == kUsualBits;
  }
  [[nodiscard]] std::size_t sums_of_bin(MomentTerm term) const noexcept {
    return has_few_bins(term) ? 2 : 1;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& bins_of(MomentTerm term) const noexcept {
    return term == MomentTerm::kErrors ? errors : truths;
  }
  [[nodiscard]] bool has_density() const noexcept {
    return std::ranges::find(terms, MomentTerm::kDensity, &TermAsk::term) != terms.end();
  }
  // Where the sums of cells begin, those of columns, and those of bins of errors or truths.
  [[nodiscard]] std::size_t first_cell() const noexcept { return size() + errors.size(); }
  [[nodiscard]] std::size_t first_column() const noexcept { return first_cell() + cells.size(); }
  [[nodiscard]] std::size_t first_bin(MomentTerm term) const noexcept {
    return term == MomentTerm::kErrors ? size() : first_column() + 2 * columns.size();
  }
};

// Of no rows.
Moments no_moments(std::vector<TermAsk> terms, bool has_weights);

// The state of the rows of both. Throws InputError: other terms, weights in one alone.
Moments added(const Moments& one, const Moments& other);
// The state of the rows of the first that are not in the other. Throws InputError: the same, and
// what the first cannot hold.
Moments taken_away(const Moments& one, const Moments& other);

// Bins of errors or truths, ascending from the largest below 0, what the rows in each weigh, and
// the mean of their numbers: of errors the middle.
struct NumberRanges {
  std::vector<double> low, high, mean, weight;
};
// Needs: they are kept.
NumberRanges number_ranges(const Moments& of, MomentTerm term);
// Whether the mean of the truths of each bin lies within it, but for rounding.
bool sizes_fit_bins(const Moments& of);
// Whether so many rows can give such sums. Needs: these are finite.
bool sums_fit_rows(const Moments& of);

// Whether all is the same.
bool are_same(const Moments& one, const Moments& other);

std::vector<std::uint8_t> encode(const Moments& moments);
// Throws StateError: see open_state; sums that no rows give.
Moments decode_moments(Bytes bytes);

}  // namespace confmat
