// The rows of one group after the other, as a sweep and its metrics. Reused by one thread: memory
// is only allocated for groups larger than all before.
// Cost: a sort of the scores of each class, some 10 ns a row.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/evaluate/score_code.hpp"
#include "confmat/evaluate/score_spec.hpp"

namespace confmat {

class ScoreGroup {
 public:
  explicit ScoreGroup(const ScoreSpec& spec) : spec_(spec) {}

  void clear() noexcept;
  void add(const ScoredRow& row) {
    if (row.kind > ScoredKind::kPositive) return set_aside(row);
    const bool positive = row.kind == ScoredKind::kPositive;
    if (!positive && spec_.positive) see(row.label);
    if (spec_.weighted) {
      entries_[positive ? 1 : 0].emplace_back(row.key, row.weight);
    } else {
      keys_[positive ? 1 : 0].push_back(row.key);
    }
  }

  // The sweep of what was added; valid until the next call. Throws InputError for a weight that is
  // not finite or negative.
  const metrics::SweepView& sweep();
  // The number of rows, or the sum of their weights.
  [[nodiscard]] double n() const noexcept { return n_; }
  [[nodiscard]] std::int64_t n_dropped() const noexcept { return n_dropped_; }
  // One value an ask of the spec; nan where undefined. After sweep(). `threads`: 0 for one a core.
  void values(double* out, int threads = 1) const;

 private:
  void set_aside(const ScoredRow& row);
  void see(std::uint64_t label) {
    if (!has_other_) {
      has_other_ = true;
      other_ = label;
    } else if (label != other_) {
      refuse(label);
    }
  }
  [[noreturn]] void refuse(std::uint64_t label) const;
  void collapse_counts();
  void collapse_weights();
  void set_view();

  const ScoreSpec& spec_;
  std::int64_t n_dropped_ = 0;
  double n_ = 0;
  bool has_other_ = false;
  std::uint64_t other_ = 0;
  // Of negatives and of positives.
  std::vector<std::uint64_t> keys_[2], scratch_;
  std::vector<std::pair<std::uint64_t, double>> entries_[2];
  std::vector<std::uint64_t> distinct_;
  std::vector<std::uint32_t> counts_[2];
  std::vector<double> weights_[2];
  std::vector<float> floats_;
  std::vector<double> doubles_;
  metrics::SweepView view_;
};

}  // namespace confmat
