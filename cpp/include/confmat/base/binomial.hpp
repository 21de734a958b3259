// Draws from the binomial distribution: how many of n rows fall where a share p of all do.
// Cost: 20 to 60 ns, whatever n is.
#pragma once

#include <cstdint>

#include "confmat/base/random.hpp"

namespace confmat {

// Needs: n is from 0 to 2^62, p from 0 to 1. By inversion where n min(p, 1 - p) is small, else by
// transformed rejection (Hoermann, 1993, https://doi.org/10.1080/00949659308811496). The result is
// the same on every machine: nothing but sums, products, quotients and roots is computed.
std::int64_t binomial(Random& random, std::int64_t n, double p) noexcept;

}  // namespace confmat
