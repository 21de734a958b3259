// Few rows of many classes: a table of the classes at hand gives the same bits as the whole one.
#include <algorithm>
#include <cmath>

#include "confmat/base/exact_sum.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {
namespace {

// Up to here a whole table is computed in doubles, as its part then is, too (metrics/margins.cpp).
constexpr std::uint64_t kFastTotal = std::uint64_t{1} << 25;

}  // namespace

bool GroupEvaluator::are_few(std::size_t rows) const noexcept {
  const auto k = static_cast<std::uint64_t>(labels_.size());
  return (compact_ || !spec_.labels) && rows < k * k / 16 && rows * k <= kFastTotal;
}

bool GroupEvaluator::few(std::span<const std::uint32_t> codes, std::span<const double> weights,
                         GroupTotals& totals, double* values) {
  if (!are_few(codes.size())) return false;
  const auto k = static_cast<std::uint32_t>(labels_.size());
  const std::uint32_t side = k + 2;
  totals = {};
  present_.clear();
  rows_.clear();
  if (spec_.labels && pos_ >= 0) present_.push_back(static_cast<std::uint32_t>(pos_));
  for (std::size_t r = 0; r < codes.size(); ++r) {
    const std::uint32_t i = codes[r] / side;
    const std::uint32_t j = codes[r] % side;
    if (i >= side) return false;
    if (i > k || j > k) {
      ++totals.n_dropped;
    } else if (i == k || j == k) {
      ++totals.n_other;
    } else {
      const double weight = weights.empty() ? 1.0 : weights[r];
      if (!std::isfinite(weight) || weight < 0) return false;
      present_.push_back(i);
      present_.push_back(j);
      rows_.emplace_back(codes[r], weight);
    }
  }
  if (totals.n_other > 0 && !spec_.bucket_other) return false;
  std::ranges::sort(present_);
  present_.erase(std::ranges::unique(present_).begin(), present_.end());
  const auto position = [this](std::uint32_t label) {
    return static_cast<std::size_t>(std::ranges::lower_bound(present_, label) - present_.begin());
  };
  const std::size_t m = present_.size();
  const std::int64_t pos =
      pos_ < 0 ? -1 : static_cast<std::int64_t>(position(static_cast<std::uint32_t>(pos_)));
  GroupTable table;
  if (weights.empty()) {
    table.counts.resize(m * m);
    for (const auto& [code, weight] : rows_) {
      ++table.counts[position(code / side) * m + position(code % side)];
    }
    totals.n = std::ssize(rows_);
  } else {
    table.is_weighted = true;
    table.weights.resize(m * m);
    if (has_squares_) table.squares.resize(m * m);
    std::ranges::sort(rows_);
    ExactSum n;
    for (auto at = rows_.begin(); at != rows_.end();) {
      const std::uint32_t code = at->first;
      const std::size_t cell = position(code / side) * m + position(code % side);
      FloatWeightCell sums;
      for (; at != rows_.end() && at->first == code; ++at) sums.add(at->second);
      table.weights[cell] = sums.weight();
      if (has_squares_) table.squares[cell] = sums.square();
      n.add(table.weights[cell]);
    }
    totals.weight = n.value();
    // Whole weights beyond this are computed in integers in the whole table alone.
    if (!(totals.weight * static_cast<double>(k) <= static_cast<double>(kFastTotal))) return false;
  }
  if (!spec_.labels) {
    for (const auto label : present_) table.labels.add(labels_, label);
    table.labels.kind = labels_.kind;
    table.totals = totals;
    totals = this->table(std::move(table), values);
    return true;
  }
  metrics::Table part{.k = static_cast<std::int64_t>(m), .is_weighted = !weights.empty()};
  if (weights.empty() || as_counts(table.weights, table.counts)) {
    static constexpr std::int64_t kNone = 0;
    part.counts = m == 0 ? &kNone : table.counts.data();
  } else {
    part.weights = table.weights.data();
  }
  if (!table.squares.empty()) part.squares = table.squares.data();
  metrics::Options options = spec_.options;
  options.pos = pos;
  metrics::values(spec_.asks, part, options, values);
  if (spec_.reasons) {
    table.labels.kind = labels_.kind;
    for (const auto label : present_) table.labels.add(labels_, label);
    explain(part, options, table.labels, values);
  }
  return true;
}

}  // namespace confmat
