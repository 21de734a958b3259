// The rows of one group after the other, as a sweep and its metrics. Reused by one thread: memory
// is only allocated for groups larger than all before.
// Cost: a sort of the scores of each class, some 10 ns a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "confmat/evaluate/score_code.hpp"
#include "confmat/evaluate/score_spec.hpp"

namespace confmat {

class ScoreGroup {
 public:
  explicit ScoreGroup(const ScoreSpec& spec) : spec_(spec) {}

  void clear() noexcept;
  // Room for so many rows of each class more, where they are many.
  void reserve(std::size_t negatives, std::size_t positives);
  void add(const ScoredRow& row) {
    if (row.kind > ScoredKind::kPositive) return set_aside(row);
    if (spec_.weighted && !(row.weight >= 0 && row.weight <= kMostWeight)) refuse_weight();
    const bool positive = row.kind == ScoredKind::kPositive;
    if (!positive) see(row.label);
    if (spec_.weighted) {
      if (row.weight == 0) return;  // adds no score
      entries_[positive ? 1 : 0].emplace_back(row.key, row.weight);
    } else {
      keys_[positive ? 1 : 0].push_back(row.key);
    }
  }

  // The sweep of what was added; valid until the next call. With more than one thread, the classes
  // of a huge group are sorted at the same time.
  const metrics::SweepView& sweep(int threads = 1);
  // The number of rows, or the sum of their weights.
  [[nodiscard]] double n() const noexcept { return n_; }
  [[nodiscard]] std::int64_t n_dropped() const noexcept { return n_dropped_; }
  // One value an ask of the spec; nan where undefined. After sweep(). `threads`: 0 for one a core.
  void values(double* out, int threads = 1) const;
  // Why these are undefined, one text an ask; an empty one stands for none. After sweep().
  void reasons(const double* values, std::string* out) const;

 private:
  static constexpr double kMostWeight = std::numeric_limits<double>::max();
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
  [[noreturn]] static void refuse_weight();
  void reserve_distinct(std::size_t size);
  void collapse_counts(int threads);
  void collapse_weights();
  void set_view();

  const ScoreSpec& spec_;
  std::int64_t n_dropped_ = 0;
  double n_ = 0;
  bool has_other_ = false;
  std::uint64_t other_ = 0;
  // Of negatives and of positives.
  std::vector<std::uint64_t> keys_[2], scratch_[2];
  std::vector<std::pair<std::uint64_t, double>> entries_[2];
  std::vector<std::uint64_t> distinct_;
  std::vector<std::uint32_t> counts_[2];
  std::vector<double> weights_[2];
  std::vector<float> floats_;
  std::vector<double> doubles_;
  metrics::SweepView view_;
};

}  // namespace confmat
