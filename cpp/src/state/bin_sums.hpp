// Bins of errors or truths as parts of a state, or made from these with fewer bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/state/exact_sums.hpp"
#include "confmat/state/moments.hpp"

namespace confmat {

struct BinSums {
  std::vector<std::uint64_t> bins;  // ascending
  ExactSums sums;
  std::size_t first = 0;  // of the sums: that of the first bin
};

// Needs: no more bits than the state has.
BinSums bin_sums(const Moments& of, MomentTerm term, int bits);

// How many bits the truths of both have together.
int joined_bits(const Moments& one, const Moments& other);

}  // namespace confmat
