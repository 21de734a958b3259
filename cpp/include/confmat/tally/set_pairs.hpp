// Counts of (true, predicted) pairs of sets of up to eight labels, from tables of Booleans: one
// pass that tells of every label, of the sizes of the sets and of the sets themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace confmat {

// Label j of row i is the byte at data + i * stride + j * step, where any but 0 is true. The bytes
// may change during the call.
struct BoolTable {
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  std::int64_t step = 1;
};

struct SetPairs {
  std::vector<std::int64_t> cells;  // [[tn, fp], [fn, tp]] of each label
  std::vector<std::uint16_t>
      codes;                       // of the pairs that occur, ascending: true << labels | predicted
  std::vector<std::int64_t> rows;  // how many rows have each
};

inline constexpr unsigned kMostSetLabels = 8;

// `threads`: 0 for one per core. Needs: 1 <= labels <= kMostSetLabels.
SetPairs count_set_pairs(BoolTable truth, BoolTable prediction, std::int64_t rows, unsigned labels,
                         int threads);

}  // namespace confmat
