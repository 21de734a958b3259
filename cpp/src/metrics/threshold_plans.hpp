// Which formula gives a metric at thresholds, and from which cells of their tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/metrics/registry.hpp"
#include "confmat/metrics/row.hpp"

namespace confmat::metrics {

// How the number comes out of the columns.
enum class Way : std::uint8_t {
  kPositive,
  kNegative,
  kPooled,
  kMean,
  kWeighted,
  kPower,
  kOfCounts,  // the formula of the table, over columns of counts
  kTable,
};

struct Plan {
  const Row* row = nullptr;   // whose facts hold
  const Row* base = nullptr;  // whose column is computed
  const double* params = nullptr;
  Way way = Way::kTable;
  double power = 1.0;
};

// One for each ask. `plain`: every table has both classes, and sums that no table would scale.
std::vector<Plan> plans_of(std::span<const Ask> asks, bool plain, bool weighed);

}  // namespace confmat::metrics
