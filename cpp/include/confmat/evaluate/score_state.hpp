// The binned sweep of a group as bytes that lie in a column and are merged later: a version, what
// the amounts are, whether each bin holds one score and of which type the scores were, the code of
// the map of scores to bins, the dropped rows, and the bins that hold a row, from the highest down,
// with their scores while each has one. Cost: 15 bytes, and 12 a bin in use, or 20 where a count
// needs more than 32 bits or amounts are sums of weights; and 8 more a bin with its score.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/tally/bin_map.hpp"

namespace confmat {

class BinnedScores {
 public:
  void assign(const metrics::SweepView& sweep, std::int64_t n_dropped, BinMap map);
  // Throws StateError for foreign bytes, InputError for maps or kinds that differ.
  // `states` are put into an order of their own, so that sums of weights do not depend on theirs.
  void merge(std::vector<std::string_view>& states);
  // One state. Throws StateError.
  void read(std::string_view state);

  [[nodiscard]] std::vector<std::uint8_t> bytes() const;
  // The scores where each bin has one; else bins as scores that tie, at their lower bounds.
  [[nodiscard]] metrics::SweepView view() const noexcept;
  [[nodiscard]] bool is_exact() const noexcept { return exact_; }
  [[nodiscard]] bool weighted() const noexcept { return weighted_; }
  [[nodiscard]] std::int64_t n_dropped() const noexcept { return n_dropped_; }
  // The sum of all amounts.
  [[nodiscard]] double n() const noexcept;
  // How far the area under the ROC curve can be from that of the view: half the share of the pairs
  // that lie within one bin of several scores.
  [[nodiscard]] double auc_error() const noexcept;

 private:
  void clear() noexcept;
  void add_state(std::string_view state, bool first);
  void add_entries(ByteReader& reader, bool exact, bool wide);
  void set_lower();
  [[nodiscard]] bool wide() const noexcept;

  // What log loss clips by; of a state without scores nothing.
  enum class ScoreType : std::uint8_t { kNone, kFloat64, kFloat32, kFloat16 };

  bool weighted_ = false;
  ScoreType type_ = ScoreType::kNone;
  bool exact_ = true;  // each bin holds one score
  BinMap map_;
  std::int64_t n_dropped_ = 0;
  std::vector<std::uint32_t> bins_;  // descending
  std::vector<std::uint64_t> counts_[2];
  std::vector<double> weights_[2];
  std::vector<double> lower_;
  std::vector<double> scores_;  // if exact
  struct Entry {
    std::uint32_t bin;
    double score;              // if exact
    std::uint64_t amounts[2];  // of positives and negatives: counts, or the bits of doubles
  };
  std::vector<Entry> entries_;
  void collapse();
};

}  // namespace confmat
