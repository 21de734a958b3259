// Counts of label pairs by slice, or sums of weights, kept while batches of rows come: one pass
// over each, tables that grow where a batch brings other labels or values of keys.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/tally/group_keys.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

struct GroupPlan;

struct SliceOptions {
  int threads = 0;
  std::int64_t max_bytes = std::int64_t{1} << 29;
  bool refuse_other = false;  // batches with labels outside those given
};

// States of slices of weighted rows, in the order of GroupTables.
struct WeightedSlices {
  std::vector<std::vector<std::uint32_t>> numbers;
  std::vector<Counts> states;
};

class SliceCounts {
 public:
  // `given`: the label set; nullopt: found in the rows, and sorted.
  SliceCounts(std::optional<Labels> given, const SliceOptions& options);
  SliceCounts(SliceCounts&&) noexcept;
  SliceCounts& operator=(SliceCounts&&) noexcept;
  ~SliceCounts();

  // Counts the rows of a batch. False: their keys or labels do not fit dense tables, or weights are
  // floats where they were integers, or the other way round, and none of them was counted; what was
  // counted before stays. So it is where it throws.
  // Throws InputError: see count().
  // Needs: at least one key, and as many as before.
  bool add(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred, Chunks sample_weight = {});
  // Whether the last batch was not counted for a label outside those given.
  [[nodiscard]] bool refused() const noexcept { return refused_; }

  [[nodiscard]] std::span<const GroupKey> keys() const noexcept { return keys_; }
  [[nodiscard]] const Labels& labels() const noexcept { return labels_; }
  [[nodiscard]] bool is_weighted() const noexcept;
  // The slices that have rows. Needs: no weights.
  [[nodiscard]] GroupTables tables() const;
  // The slices that have rows; labels that were found are those of each. `origin`: where the labels
  // come from. Needs: weights. Throws InputError: sums beyond what a state holds.
  [[nodiscard]] WeightedSlices weighted(Origin origin);

 private:
  struct Tables;

  bool count(Chunks y_true, Chunks y_pred, Chunks sample_weight, std::int64_t rows);
  bool learn(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred);
  [[nodiscard]] GroupPlan plan(Chunks y_true, Chunks y_pred) const;
  bool lay_out(std::vector<GroupKey>&& keys, Labels&& labels);

  bool given_;
  bool refused_ = false;
  SliceOptions options_;
  Labels labels_;
  ClassSet set_;
  std::vector<GroupKey> keys_;
  std::size_t slots_ = 0;  // combinations of the numbers of keys
  std::unique_ptr<Tables> tables_;
};

}  // namespace confmat
