// The states of a regression of many slices, for batch after batch: rows are moved to their slices,
// which are summed one by one. Cost: one pass; some 5 KB a slice, more with terms, beside what
// terms keep of bins and cells; 8 MiB a thread while a batch is added, 12 with weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "confmat/arrow/binary_views.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/tally/moments.hpp"

namespace confmat {

class SliceMoments {
 public:
  SliceMoments(const MomentOptions& options, bool has_weights);
  SliceMoments(const SliceMoments&) = delete;
  SliceMoments& operator=(const SliceMoments&) = delete;
  ~SliceMoments();

  // Adds a batch. Needs: the slice of each row, below `n_slices`; as many rows in every column.
  // Throws InputError: see moments_of; it names no row that is one of the batch, and the sums are
  // of no use any more.
  void add(std::span<const std::uint32_t> slices, std::size_t n_slices, Chunks y_true,
           Chunks y_pred, Chunks sample_weight);
  // What a slice takes while rows are added, beside what terms keep of single rows.
  [[nodiscard]] std::int64_t bytes_a_slice() const noexcept;
  // The bytes of each slice.
  [[nodiscard]] BinaryViews states() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace confmat
