// Sums over the rows of a table in parts of 64 rows, on every core where that pays: up to 64 rows
// are summed in order, and no sum depends on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "confmat/base/threads.hpp"

namespace confmat::metrics {

inline constexpr std::size_t kPartRows = 64;

// work(first, last) for all parts of k rows of k cells each.
template <class Work>
void for_parts_of_rows(std::size_t k, const Work& work) {
  constexpr std::size_t kWorthThreads = 256;
  if (k <= kPartRows) return work(std::size_t{0}, k);
  const auto parts = static_cast<int>((k + kPartRows - 1) / kPartRows);
  for_each_part(parts, k < kWorthThreads ? 1 : core_count(0), [&](int part) {
    const std::size_t first = static_cast<std::size_t>(part) * kPartRows;
    work(first, std::min(first + kPartRows, k));
  });
}

template <class Sum, class Part>
Sum sum_parts(std::size_t k, const Part& part) {
  if (k <= kPartRows) return part(std::size_t{0}, k);
  std::vector<Sum> sums((k + kPartRows - 1) / kPartRows);
  for_parts_of_rows(
      k, [&](std::size_t first, std::size_t last) { sums[first / kPartRows] = part(first, last); });
  Sum total{};
  for (const Sum& sum : sums) total = total + sum;
  return total;
}

}  // namespace confmat::metrics
