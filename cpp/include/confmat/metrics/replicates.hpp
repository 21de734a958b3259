// The bootstrap of a table: its rows are drawn again, with replacement, and metrics computed from
// each table that comes out. No row is looked at: how many fall into each filled cell is
// multinomial.
//
// Of weights, a cell with the sum w and the sum q of their squares counts as w^2 / q rows of the
// weight q / w, as many as have the same two sums if all of them weigh the same (Kish, 1965).
// Drawn are as many rows as all cells have together; of a number that is not whole, the next lower
// or higher one, such that the mean is right. A value that no factor on all weights changes then
// varies as its delta method says, sum g^2 q for its gradient g; the same weight everywhere gives
// what counts give.
//
// Cost: a draw, see base/multinomial.hpp, and the values, for each replicate.
#pragma once

#include <cstdint>
#include <span>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {

struct Resampling {
  std::int64_t replicates = 0;
  std::uint64_t seed = 0;  // replicate i is the same however many there are
  int threads = 0;         // as for core_count()
};

// out[r * asks.size() + i] = asks[i] of replicate r, nan where undefined. Depends on the seed
// alone, not on the threads. `squares`: of each weight of the table; null of counts. Throws
// InputError: weights without squares; counts of more than 2^62 rows.
void replicates(std::span<const Ask> asks, const Table& table, const double* squares,
                const Options& options, const Resampling& resampling, double* out);

}  // namespace confmat::metrics
