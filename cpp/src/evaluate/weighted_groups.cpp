// Sorts the weights of a group by cell and adds them exactly.
#include "confmat/evaluate/weighted_groups.hpp"

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {

WeightedGroups::WeightedGroups(const Spec& spec)
    : evaluator_(spec, *spec.coded()),
      classes_(static_cast<std::size_t>(spec.coded()->size())),
      has_squares_(spec.wants_squares()) {}

GroupTotals WeightedGroups::evaluate(std::span<const WeightedCode> rows, double* values) {
  const std::size_t k = classes_;
  const std::size_t side = k + 2;
  for (const auto& row : rows) {
    if (row.code >= side * side) throw InputError("a code that no label pair has");
  }
  GroupTotals totals;
  if (few(rows, totals, values)) return totals;
  totals = {};
  // Exact sums, one cell after the other: rows are sorted by code first.
  counts_.assign(side * side, 0);
  for (const auto& row : rows) ++counts_[row.code];
  std::vector<std::size_t> next(counts_.size() + 1);
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    next[c + 1] = next[c] + static_cast<std::size_t>(counts_[c]);
  }
  std::vector<double> sorted(rows.size());
  for (const auto& row : rows) sorted[next[row.code]++] = row.weight;
  std::vector<double> cells(k * k), squares(has_squares_ ? k * k : 0);
  ExactSum n;
  for (std::size_t c = 0, at = 0; c < counts_.size(); ++c) {
    const auto i = c / side;
    const auto j = c % side;
    const auto end = at + static_cast<std::size_t>(counts_[c]);
    if (i > k || j > k) {
      totals.n_dropped += counts_[c];
    } else if (i == k || j == k) {
      totals.n_other += counts_[c];
    } else if (at < end) {
      FloatWeightCell cell;
      for (std::size_t r = at; r < end; ++r) {
        require_weight(sorted[r]);
        cell.add(sorted[r]);
      }
      cells[i * k + j] = cell.weight();
      if (has_squares_) squares[i * k + j] = cell.square();
      n.add(cells[i * k + j]);
    }
    at = end;
  }
  totals.weight = n.value();
  return evaluator_.weighted(cells, squares, totals, values);
}

bool WeightedGroups::few(std::span<const WeightedCode> rows, GroupTotals& totals, double* values) {
  if (!evaluator_.are_few(rows.size())) return false;
  codes_.clear();
  weights_.clear();
  for (const auto& row : rows) {
    codes_.push_back(static_cast<std::uint32_t>(row.code));
    weights_.push_back(row.weight);
  }
  return evaluator_.few(codes_, weights_, totals, values);
}

}  // namespace confmat
