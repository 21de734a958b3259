// Weights of rows, checked, as numbers in one piece: for what reads its rows more than once. One
// pass, every core.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

// 0 where a row is null or passed over.
struct RowWeights {
  Pages<std::uint64_t> integers;  // where they are such, else empty
  Pages<double> floats;
  bool are_integers = false;
  std::vector<std::uint8_t> missing;  // 1: null; empty where none is
};

struct RowWeightOptions {
  std::span<const std::uint8_t> passed_over;  // 1: not looked at; empty: none is
  bool as_floats = false;                     // integers, too
  int threads = 0;                            // 0: one per core
};

// Throws InputError: texts, not as many as rows, the first that is no weight, with its row; a sum
// beyond what counts or products of two sums can hold.
RowWeights row_weights(Chunks sample_weight, std::int64_t rows, const RowWeightOptions& options);

}  // namespace confmat
