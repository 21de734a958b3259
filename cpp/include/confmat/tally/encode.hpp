// Label pairs as small integers, for one known label set of K classes:
//   code = i * (K + 2) + j,  i the class of y_true, j the class of y_pred, K = other, K + 1 = null.
// So a code tells everything about its row, and a histogram of codes is a confusion matrix with
// two rows and columns more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

enum class CodeWidth : std::uint8_t { k8 = 1, k16 = 2, k32 = 4 };

// k8 up to K = 14, k16 up to K = 254, else k32 (K <= 65533).
CodeWidth code_width(std::int64_t classes);

class PairEncoder {
 public:
  explicit PairEncoder(const Labels& labels);
  ~PairEncoder();
  PairEncoder(PairEncoder&&) noexcept;
  PairEncoder& operator=(PairEncoder&&) noexcept;

  [[nodiscard]] CodeWidth width() const noexcept;
  // Writes one code a row to `out` (length * width bytes). The columns are one run of equal length;
  // a column of length 1 stands for every row of the other. `threads` > 1 only for huge runs.
  // Returns whether there is a label beyond the known ones. Throws InputError when a column's type
  // cannot hold such labels.
  bool encode(const Column& y_true, const Column& y_pred, void* out, int threads = 1) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

// cells[code] += occurrences, for (K+2)^2 cells. Codes beyond the table (foreign bytes) return
// false and leave the cells unspecified.
bool tally_codes(const void* codes, std::int64_t n, CodeWidth width, std::span<std::int64_t> cells,
                 int threads = 1);

}  // namespace confmat
