// The bootstrap of two tables of the same rows: what is drawn again falls into cells of both, so
// that what the two have in common stays.
#pragma once

#include <cstdint>
#include <span>

#include "confmat/metrics/replicates.hpp"

namespace confmat::metrics {

// What is drawn: a row, which is in one cell of each table, or all rows of a cluster.
struct PairedUnits {
  std::int64_t k = 0;
  std::span<const double> draws;         // of each unit, on average; not negative
  std::span<const std::int64_t> starts;  // of its entries; one more than there are units
  std::span<const std::int64_t> at_a;    // of each entry the cell of the first table
  std::span<const std::int64_t> at_b;
  std::span<const double> amounts;  // what a draw adds to both
};

// out[(r * 2 + side) * asks.size() + i] = asks[i] of replicate r, of the first table and of the
// second; nan where undefined. As `replicates` of one table. Throws InputError: units that are
// none.
void paired_replicates(std::span<const Ask> asks, const PairedUnits& units, const Options& options,
                       const Resampling& resampling, double* out);

}  // namespace confmat::metrics
