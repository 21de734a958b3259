// Few rows of many classes: a table of the classes at hand gives the same bits as the whole one,
// and a list of the cells that hold something the same as a table.
#include <algorithm>
#include <cmath>
#include <utility>

#include "confmat/base/exact_sum.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/tally/weight_cells.hpp"

namespace confmat {
namespace {

// Up to here a whole table is computed in doubles, as its part then is, too (metrics/margins.cpp).
constexpr std::uint64_t kFastTotal = std::uint64_t{1} << 25;

}  // namespace

bool GroupEvaluator::are_few(std::size_t rows) const noexcept {
  const auto k = static_cast<std::uint64_t>(labels_.size());
  if ((compact_ || !spec_.labels) && rows < k * k / 16 && rows * k <= kFastTotal) return true;
  return lists_ && are_worth_a_list(k, rows);
}

// The numbers of the classes at hand, in order: position_[label] is that of a label.
void GroupEvaluator::number_present() {
  std::ranges::sort(present_);
  for (std::size_t at = 0; at < present_.size(); ++at) {
    position_[present_[at]] = static_cast<std::uint32_t>(at);
  }
}

bool GroupEvaluator::few(std::span<const std::uint32_t> codes, std::span<const double> weights,
                         GroupTotals& totals, double* values) {
  if (!are_few(codes.size())) return false;
  const auto k = static_cast<std::uint32_t>(labels_.size());
  const std::uint32_t side = k + 2;
  totals = {};
  for (const auto label : present_) position_[label] = kAbsent;
  position_.resize(k, kAbsent);
  present_.clear();
  rows_.clear();
  const auto meet = [this](std::uint32_t label) {
    if (std::exchange(position_[label], 0) == kAbsent) present_.push_back(label);
  };
  if (spec_.labels && pos_ >= 0) meet(static_cast<std::uint32_t>(pos_));
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
      meet(i);
      meet(j);
      rows_.emplace_back(codes[r], weight);
    }
  }
  if (totals.n_other > 0 && !spec_.bucket_other) return false;
  number_present();
  // All classes stay where a part of them would be computed in another way.
  const bool whole = spec_.labels && (!compact_ || codes.size() * std::uint64_t{k} > kFastTotal);
  const std::size_t m = whole ? k : present_.size();
  for (auto& [place, weight] : rows_) {
    const std::uint32_t i = place / side;
    const std::uint32_t j = place % side;
    place = whole ? i * k + j : position_[i] * static_cast<std::uint32_t>(m) + position_[j];
  }
  GroupTable table;
  table.is_weighted = !weights.empty();
  table.is_sparse = lists_ && are_worth_a_list(m, rows_.size());
  if (table.is_weighted) {
    totals.weight = fill_weights(table, m);
    // Whole weights beyond this are computed in integers in the whole table alone.
    if (!whole && !(totals.weight * k <= static_cast<double>(kFastTotal))) return false;
  } else {
    fill_counts(table, m);
    totals.n = std::ssize(rows_);
  }
  if (!spec_.labels) {
    for (const auto label : present_) table.labels.add(labels_, label);
    table.labels.kind = labels_.kind;
    table.totals = totals;
    totals = this->table(std::move(table), values);
    return true;
  }
  metrics::Table part{.k = static_cast<std::int64_t>(m), .is_weighted = table.is_weighted};
  part.of_classes = k;
  part.is_sparse = table.is_sparse;
  part.places = table.places.data();
  part.filled = std::ssize(table.places);
  if (!table.is_weighted || as_counts(table.weights, table.counts)) {
    static constexpr std::int64_t kNone = 0;
    part.counts = table.counts.empty() ? &kNone : table.counts.data();
  } else {
    part.weights = table.weights.data();
  }
  if (!table.squares.empty()) part.squares = table.squares.data();
  if (whole) {
    run(part, pos_, labels_, values);
    return true;
  }
  metrics::Options options = spec_.options;
  options.pos = pos_ < 0 ? pos_ : position_[static_cast<std::size_t>(pos_)];
  metrics::values(spec_.asks, part, options, values);
  if (spec_.reasons) {
    Labels of_part{.kind = labels_.kind, .ints = {}, .texts = {}};
    for (const auto label : present_) of_part.add(labels_, label);
    explain(part, options, of_part, values);
  }
  return true;
}

void GroupEvaluator::sort_rows() {
  sort_records(rows_, rows_scratch_, [](const auto& row) { return std::uint64_t{row.first}; });
}

void GroupEvaluator::fill_counts(GroupTable& table, std::size_t m) {
  if (!table.is_sparse) {
    table.counts.resize(m * m);
    for (const auto& [place, weight] : rows_) ++table.counts[place];
    return;
  }
  sort_rows();
  for (const auto& [place, weight] : rows_) {
    if (table.places.empty() || table.places.back() != place) {
      table.places.push_back(place);
      table.counts.push_back(0);
    }
    ++table.counts.back();
  }
}

double GroupEvaluator::fill_weights(GroupTable& table, std::size_t m) {
  if (!table.is_sparse) {
    table.weights.resize(m * m);
    if (has_squares_) table.squares.resize(m * m);
  }
  sort_rows();
  ExactSum total;
  for (auto at = rows_.begin(); at != rows_.end();) {
    const std::uint32_t place = at->first;
    FloatWeightCell sums;
    for (; at != rows_.end() && at->first == place; ++at) sums.add(at->second);
    const auto put = [&](std::vector<double>& to, double sum) {
      if (table.is_sparse) {
        to.push_back(sum);
      } else {
        to[place] = sum;
      }
    };
    if (table.is_sparse) {
      if (sums.weight() == 0) continue;  // in a list no cell is 0
      table.places.push_back(place);
    }
    put(table.weights, sums.weight());
    if (has_squares_) put(table.squares, sums.square());
    total.add(sums.weight());
  }
  return total.value();
}

}  // namespace confmat
