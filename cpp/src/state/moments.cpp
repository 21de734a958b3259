// Adds moments and takes them away.
#include "confmat/state/moments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "bin_sums.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/grid_columns.hpp"

namespace confmat {
namespace {

void require_alike(const Moments& one, const Moments& other, const char* verb) {
  if (one.has_weights != other.has_weights) {
    throw InputError(std::string("cannot ") + verb + ": one has weights, the other has none");
  }
  if (one.terms != other.terms) {
    throw InputError(std::string("cannot ") + verb +
                     ": they hold the sums of other metrics; name the same ones in `metrics`");
  }
}

[[noreturn]] void refuse_other_rows() {
  throw InputError("cannot subtract: the rows of the second are not all in the first");
}

// Drops the last sum, which is of no rows. Throws InputError: it is not 0.
void drop_none(ExactSumsBuilder& sums) {
  if (sums.last() != 0) refuse_other_rows();
  sums.drop_last();
}

// Whether the last sum is not 0; if it is, it goes. Throws InputError: it is below 0.
bool keeps_last(ExactSumsBuilder& sums) {
  if (sums.last() < 0) refuse_other_rows();
  if (sums.last() != 0) return true;
  sums.drop_last();
  return false;
}

// Adds the sums of the bins that are left, `each` of them, which it returns.
std::vector<std::uint64_t> join_bins(ExactSumsBuilder& sums, const BinSums& one,
                                     const BinSums& other, double sign, std::size_t each) {
  std::vector<std::uint64_t> out;
  const std::vector<std::uint64_t>&a = one.bins, &b = other.bins;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool left = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const bool right = i == a.size() || (j < b.size() && b[j] <= a[i]);
    const std::uint64_t bin = left ? a[i] : b[j];
    const auto add = [&](std::size_t sum) {
      sums.add(one.sums, left ? one.first + each * i + sum : ExactSumsBuilder::kNone, other.sums,
               right ? other.first + each * j + sum : ExactSumsBuilder::kNone, sign);
    };
    add(0);
    const bool is_left = keeps_last(sums);
    if (each == 2) add(1);
    if (is_left) {
      out.push_back(bin);
    } else if (each == 2) {
      drop_none(sums);
    }
    i += left ? 1 : 0;
    j += right ? 1 : 0;
  }
  return out;
}

void join_truths(Moments& out, ExactSumsBuilder& sums, const Moments& one, const Moments& other,
                 double sign) {
  constexpr auto kTerm = MomentTerm::kTruths;
  const int bits = joined_bits(one, other);
  out.truths = join_bins(sums, bin_sums(one, kTerm, bits), bin_sums(other, kTerm, bits), sign,
                         out.sums_of_bin(kTerm));
  out.truth_bits = out.truths.empty() ? kAllBits : bits;
}

void join_cells(Moments& out, ExactSumsBuilder& sums, const Moments& one, const Moments& other,
                double sign) {
  struct Part {
    PairCell cell;
    const Moments* of;
    std::size_t at;  // of its sum
    double sign;
  };
  std::vector<Part> parts;
  std::vector<PairCell> cells;
  const auto take = [&](const Moments& of, double sign_of_it) {
    for (std::size_t i = 0; i < of.cells.size(); ++i) {
      parts.push_back({of.cells[i], &of, of.first_cell() + i, sign_of_it});
      cells.push_back(of.cells[i]);
    }
  };
  take(one, 1.0);
  take(other, sign);
  out.grid_level = fitting_level(cells, std::max(one.grid_level, other.grid_level));
  for (Part& part : parts) part.cell = cell_of(part.cell, out.grid_level);
  std::ranges::stable_sort(parts, {}, &Part::cell);
  for (std::size_t i = 0; i < parts.size();) {
    const PairCell cell = parts[i].cell;
    ExactTotal sum;
    for (; i < parts.size() && parts[i].cell == cell; ++i) {
      sum.add(parts[i].of->sums, parts[i].at, parts[i].sign);
    }
    sums.add(sum);
    if (keeps_last(sums)) out.cells.push_back(cell);
  }
  if (out.cells.empty()) out.grid_level = kEachPair;
}

// Adds what the rows of each cell sum to, to those of columns of a level as coarse or coarser.
void add_columns(std::vector<std::pair<ExactTotal, ExactTotal>>& to,
                 std::span<const double> columns, int level, const Moments& of, double sign) {
  const auto column = [&](double prediction) -> auto& {
    const auto found = std::ranges::lower_bound(columns, corner_of(prediction, level));
    return to[static_cast<std::size_t>(found - columns.begin())];
  };
  for (std::size_t i = 0; i < of.columns.size(); ++i) {
    auto& [truth, prediction] = column(of.columns[i]);
    truth.add(of.sums, of.first_column() + 2 * i, sign);
    prediction.add(of.sums, of.first_column() + 2 * i + 1, sign);
  }
  if (of.grid_level != kEachPair) return;
  for (std::size_t i = 0; i < of.cells.size(); ++i) {
    const auto& [y, p] = of.cells[i];
    const std::size_t at = of.first_cell() + i;
    GridColumn rows;
    rows.add(y, p, sign * of.sums.leads[at]);
    for (const Tail& tail : of.sums.tails_of(at)) rows.add(y, p, sign * tail.part);
    auto& [truth, prediction] = column(p);
    truth.add(rows.truth);
    prediction.add(rows.prediction);
  }
}

// Of all cells that are left. Throws InputError: others have rows.
void join_columns(Moments& out, ExactSumsBuilder& sums, const Moments& one, const Moments& other,
                  double sign) {
  std::vector<PairCell> cells;
  for (const Moments* const of : {&one, &other}) {
    for (const PairCell& cell : of->cells) cells.push_back(cell_of(cell, out.grid_level));
  }
  const std::vector<double> all = columns_of(cells, out.grid_level);
  std::vector<std::pair<ExactTotal, ExactTotal>> totals(all.size());
  if (out.grid_level != kEachPair) {
    add_columns(totals, all, out.grid_level, one, 1.0);
    add_columns(totals, all, out.grid_level, other, sign);
  }
  out.columns = columns_of(out.cells, out.grid_level);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_left = std::ranges::binary_search(out.columns, all[i]);
    for (const ExactTotal* const total : {&totals[i].first, &totals[i].second}) {
      sums.add(*total);
      if (!is_left) drop_none(sums);
    }
  }
}

// Sets the sums, the bins and the cells, those that are not empty. Throws InputError: one is below
// 0.
void join(Moments& out, const Moments& one, const Moments& other, double sign) {
  ExactSumsBuilder sums;
  sums.reserve(one.sums.leads.size());
  for (std::size_t i = 0; i < one.size(); ++i) sums.add(one.sums, i, other.sums, i, sign);
  const int bits = out.bits_of(MomentTerm::kErrors);
  out.errors = join_bins(sums, bin_sums(one, MomentTerm::kErrors, bits),
                         bin_sums(other, MomentTerm::kErrors, bits), sign, 1);
  join_cells(out, sums, one, other, sign);
  join_columns(out, sums, one, other, sign);
  join_truths(out, sums, one, other, sign);
  out.sums = sums.take();
}

// The largest of both; nan where one is.
double larger(double x, double y) {
  return std::isnan(x) || std::isnan(y) ? Moments::kUnknown : std::max(x, y);
}

// The largest of what is left of `whole` without `part`: known where that of the part is smaller.
double largest_left(double whole, double part) {
  if (part > whole)
    throw InputError("cannot subtract: the second has a number that the first lacks");
  return part < whole ? whole : Moments::kUnknown;
}

bool has_rows(const Moments& moments) { return moments.sums.leads[kSumWeight] != 0; }

}  // namespace

Moments no_moments(std::vector<TermAsk> terms, bool has_weights) {
  Moments out;
  out.terms = std::move(terms);
  out.has_weights = has_weights;
  out.sums.leads = std::vector<double>(out.size());
  return out;
}

Moments added(const Moments& one, const Moments& other) {
  require_alike(one, other, "add");
  Moments out;
  out.terms = one.terms;
  out.has_weights = one.has_weights;
  out.rows = added(one.rows, other.rows);
  out.least_truth = -larger(-one.least_truth, -other.least_truth);
  out.largest_truth = larger(one.largest_truth, other.largest_truth);
  out.largest_error = larger(one.largest_error, other.largest_error);
  join(out, one, other, 1.0);
  return out;
}

Moments taken_away(const Moments& one, const Moments& other) {
  require_alike(one, other, "subtract");
  if (other.rows.counted > one.rows.counted) {
    throw InputError("cannot subtract: the second has more rows than the first");
  }
  Moments out;
  out.terms = one.terms;
  out.has_weights = one.has_weights;
  out.rows = taken_away(one.rows, other.rows);
  join(out, one, other, -1.0);
  if (!sizes_fit_bins(out) || !sums_fit_rows(out)) refuse_other_rows();
  for (const MomentSum sum :
       {kSumWeight, kSumSquared, kSumError, kSumTruthSquared, kSumPredictionSquared}) {
    if (out.sums.leads[sum] < 0) {
      throw InputError("cannot subtract: a sum of the second is larger than that of the first");
    }
  }
  if (!has_rows(out)) {
    for (const double sum : out.sums.leads.view()) {
      if (sum != 0) refuse_other_rows();
    }
    return out;  // whose bounds are those of no rows
  }
  if (!has_rows(other)) {
    out.least_truth = one.least_truth;
    out.largest_truth = one.largest_truth;
    out.largest_error = one.largest_error;
    return out;
  }
  out.least_truth = -largest_left(-one.least_truth, -other.least_truth);
  out.largest_truth = largest_left(one.largest_truth, other.largest_truth);
  out.largest_error = largest_left(one.largest_error, other.largest_error);
  return out;
}

bool are_same(const Moments& one, const Moments& other) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(std::isnan(x) ? NAN : x); };
  return one.rows == other.rows && one.has_weights == other.has_weights &&
         one.terms == other.terms && one.errors == other.errors && one.truths == other.truths &&
         one.truth_bits == other.truth_bits && one.grid_level == other.grid_level &&
         one.cells == other.cells && bits(one.least_truth) == bits(other.least_truth) &&
         bits(one.largest_truth) == bits(other.largest_truth) &&
         bits(one.largest_error) == bits(other.largest_error) &&
         std::ranges::equal(one.sums.leads.view(), other.sums.leads.view()) &&
         std::ranges::equal(one.sums.tails.view(), other.sums.tails.view());
}

}  // namespace confmat
