// The joint scores of one row, given by the bins of its two scores: sums of these are those of any
// rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/joint_scores.hpp"

namespace confmat::host {

struct ScoredRow {
  bool positive = false;
  std::uint32_t a = 0, b = 0;  // finest bins
  double weight = 0;           // 0: none
};

inline Sweep sweep_of(const ScoredRow& row, std::uint32_t bin) {
  const auto sums = [](double sum) {
    ExactSumsBuilder out;
    out.add(sum);
    return out.take();
  };
  Sweep out;
  out.labels =
      sweep_labels(Labels{Labels::Kind::kInt, {0}, {}}, Labels{Labels::Kind::kInt, {1}, {}});
  out.rows.counted = 1;
  out.grid.kind = Grid::Kind::kMap;
  out.is_exact = false;
  out.bins = std::vector{bin};
  if (row.weight == 0) {
    out.positives = SharedArray<std::uint32_t>(std::vector{row.positive ? 1U : 0U});
    out.negatives = SharedArray<std::uint32_t>(std::vector{row.positive ? 0U : 1U});
    return out;
  }
  const double square = row.weight * row.weight;
  out.positives = sums(row.positive ? row.weight : 0);
  out.negatives = sums(row.positive ? 0 : row.weight);
  out.squares = SquareSums{sums(row.positive ? square : 0), sums(row.positive ? 0 : square)};
  return out;
}

inline JointScores joint_scores(const ScoredRow& row) {
  const std::int32_t positive = row.positive ? 1 : 0;
  const std::int64_t one = 1;
  JointCells cells{
      {&positive, 1}, {&row.a, 1}, {&row.b, 1}, std::span<const std::int64_t>(&one, 1)};
  if (row.weight != 0) cells.amounts = std::span<const double>(&row.weight, 1);
  return joint_scores_of({.counted = 1, .dropped = 2}, sweep_of(row, row.a), sweep_of(row, row.b),
                         cells);
}

inline JointScores joint_scores(const std::vector<ScoredRow>& rows) {
  JointScores out;
  out.bins.labels = joint_bins(0);
  out.a.grid.kind = out.b.grid.kind = Grid::Kind::kMap;
  out.rows.counted = out.a.rows.counted = out.b.rows.counted = out.bins.rows.counted = 0;
  for (const ScoredRow& row : rows) out = added(out, joint_scores(row));
  return out;
}

}  // namespace confmat::host
