// Arrow arrays as columns: views, no copy, but of Float16, which becomes Float32. Cost: O(1) an
// array, or the rows of Float16.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "confmat/arrow/abi.hpp"
#include "confmat/arrow/format.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

// Columns over Arrow memory, and the dictionary columns that these point to.
class ArrowColumns {
 public:
  ArrowColumns() = default;
  // A copy would point into the dictionaries of the original. (NOLINT: a deque's move may throw.)
  ArrowColumns(ArrowColumns&&) = default;  // NOLINT(performance-noexcept-move-constructor)
  ArrowColumns& operator=(ArrowColumns&&) =
      default;  // NOLINT(performance-noexcept-move-constructor)

  // Throws InputError, naming `argument`, for a type that holds neither labels nor weights and for
  // an array that does not hold what its type promises (see check_array).
  // Needs: the array outlives the columns.
  void add(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument);
  // Makes keys of the integers added so far: into `texts`, whose memory outlives the columns.
  // Throws InputError naming `argument`: other columns, texts of several arrays or of another type.
  void look_up_in(const ArrowColumns& texts, std::string_view argument);
  // As add(), for bytes of our own making: an array of binary values becomes a kText column.
  void add_binary(const ArrowArray& array);

  [[nodiscard]] Chunks chunks() const noexcept { return columns_; }
  [[nodiscard]] const Column& front() const noexcept { return columns_.front(); }

 private:
  std::vector<Column> columns_;
  std::deque<Column> dictionaries_;          // addresses stay
  std::vector<std::vector<float>> widened_;  // of Float16
  std::int64_t rows_ = 0;
};

}  // namespace confmat
