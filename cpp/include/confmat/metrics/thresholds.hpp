// Any metric of the registry at every threshold of a score: columns of 2x2 tables. Each value has
// the bits that values() gives for its table alone.
// Cost: 1 to 3 ns a metric and threshold, half of it for new memory; metrics without a form for two
// classes, some 100 ns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {

// True and false positives at each threshold, of the positives and negatives there are in all. The
// table of threshold i is [[negatives - fp, fp], [positives - tp, tp]]; the second class is the
// positive one.
// Needs: 0 <= tp <= positives, 0 <= fp <= negatives.
template <class T>
struct Thresholds {
  std::size_t size;
  const T* tp;
  const T* fp;
  T positives;
  T negatives;
};

// How many values of each ask are undefined.
using Undefined = std::vector<std::int64_t>;

// out[m * size + i] = asks[m] at threshold i, nan where undefined. `threads` as for core_count().
// Of `options`, `undefined` is used.
Undefined values_at(std::span<const Ask> asks, const Thresholds<std::int64_t>& at,
                    const Options& options, int threads, double* out);
Undefined values_at(std::span<const Ask> asks, const Thresholds<double>& at, const Options& options,
                    int threads, double* out);

}  // namespace confmat::metrics
