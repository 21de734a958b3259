// The states of scores of many slices, from batches of rows in any order.
//
// Rows are kept as lists of their scores, or, where a list would take more room than all bins, as
// counts of bins, a byte each until one is full. Where that takes more than the memory that is
// given, all slices have bins of a coarser level (scores/unit_bins.hpp): the finest one at which
// the sum over slices fits, where a slice with bins takes what its rows that wait and its state
// take, too. So the level follows from the rows alone, and not from their order or batches. Cost: a
// row is moved twice, once in a batch and once to its slice; 4 bytes a row and slice of float32, 8
// of others, as long as it is listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "confmat/arrow/binary_views.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

struct SliceBinsOptions {
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  std::string limit = "`max_bytes`";     // what errors call it
  std::optional<Labels> pos_label = {};  // one label; none: 1 of {0, 1} or {-1, 1}
  bool nan_drop = false;                 // else a nan score is an error
  int threads = 0;                       // 0: one per core
  // Of a slice that has bins: beyond so many rows its state is made of counts of 64 bits.
  std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max();
};

struct SliceBatch {
  Chunks slices;  // that of each row, below `n_slices`
  Chunks y_true;
  Chunks y_score;
  std::size_t n_slices = 0;      // so far
  bool half = false;             // the scores were float16
  std::int64_t rows_before = 0;  // which messages count
};

class SliceBins {
 public:
  explicit SliceBins(SliceBinsOptions options);
  SliceBins(const SliceBins&) = delete;
  SliceBins& operator=(const SliceBins&) = delete;
  ~SliceBins();

  // Adds rows. Those without a label or score are counted as left out of their slice. One call at a
  // time goes on, others wait.
  // Throws InputError: as sweep() does, slices that are no unsigned integers of 32 bits, scores of
  // another type or labels of another kind than before, and where even the coarsest bins do not fit
  // into the memory. After an error behind the first 2^20 rows, that of memory or an interrupt all
  // calls fail.
  void add(const SliceBatch& batch);

  // Of each slice the bytes of the state of its rows.
  [[nodiscard]] BinaryViews states();

  // The level after slices of so many rows of each class, in whatever batches they came; the
  // coarsest where none fits. Needs: both are as long.
  static unsigned level_of(std::span<const std::uint64_t> negatives,
                           std::span<const std::uint64_t> positives, bool are_doubles,
                           std::size_t max_bytes) noexcept;

  [[nodiscard]] std::size_t n_slices();
  [[nodiscard]] unsigned level();
  // What lists and counts take of `max_bytes`, counts beyond a byte apart.
  [[nodiscard]] std::size_t bytes();

 private:
  class Store;  // of keys of one width
  template <class Key>
  class StoreOf;
  struct Totals {
    std::int64_t dropped = 0;
    std::int64_t nan = 0;
  };

  // Those of a batch, or of batches before; none: there were only columns without a value.
  struct Types {
    std::optional<ScoreType> scores;
    std::optional<Labels::Kind> labels;
  };

  void require_whole() const;
  [[nodiscard]] Types types_of(const SliceBatch& batch) const;
  void make_room(const SliceBatch& batch, const Types& types);
  void add_rows(const SliceBatch& batch, const Types& types);
  // Takes the finest level that fits.
  void fit(int threads);

  SliceBinsOptions options_;
  std::mutex mutex_;
  bool is_broken_ = false;
  std::size_t n_slices_ = 0;
  std::uint64_t rows_ = 0;  // that came, and counted or not
  unsigned level_ = 0;
  std::vector<Totals> left_out_;  // of each slice
  Types types_;
  std::optional<Labels> negative_;  // once a row of it was seen
  std::unique_ptr<Store> store_;
};

}  // namespace confmat
