// The exact sums of a regression over columns of true and predicted numbers, on every core: neither
// threads, order nor cuts of the columns change a bit of them.
// Cost: one pass; about 5 ns a row and core, 15 with weights, 2 to 14 more for each further term,
// 60 for powers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/state/moments.hpp"

namespace confmat {

struct MomentOptions {
  std::vector<TermAsk> terms = {};  // each once
  bool nan_drop = false;            // else a nan is an error
  int threads = 0;                  // 0: one per core
};

// Rows with a null are left out. Throws InputError: unequal lengths, other types than numbers, one
// that is infinite, beyond kMostNumber, nan or an integer that is no double; a bad weight.
// `has_weights` also where their column has no chunks, as it may where there are no rows.
Moments moments_of(Chunks y_true, Chunks y_pred, Chunks sample_weight, bool has_weights,
                   const MomentOptions& options);

// Throws InputError: another type than numbers.
void require_numbers(Chunks chunks, const char* argument);

// The same of many groups, one after the other, by one thread. Needs: columns of one length.
class GroupMoments {
 public:
  GroupMoments(const MomentOptions& options, bool has_weights);
  GroupMoments(GroupMoments&&) noexcept;
  GroupMoments& operator=(GroupMoments&&) noexcept;
  ~GroupMoments();

  // `first_row`: of the group, for messages.
  void add(const Column& y_true, const Column& y_pred, const Column* sample_weight,
           std::int64_t first_row);
  // Then there are no rows.
  [[nodiscard]] Moments take();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace confmat
