// Columns of numbers as they lie in vectors, and the moments of some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/batch/column.hpp"
#include "confmat/tally/moments.hpp"

namespace confmat::host {

// Needs: the numbers outlive it.
inline Column numbers_of(const std::vector<double>& values) {
  Column column;
  column.type = DType::kFloat64;
  column.length = static_cast<std::int64_t>(values.size());
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = sizeof(double);
  return column;
}

// No weights: none are summed.
inline Moments moments_of_numbers(const std::vector<double>& y, const std::vector<double>& p,
                                  const std::vector<double>& w, std::vector<TermAsk> terms,
                                  int threads = 1) {
  const Column truth = numbers_of(y), prediction = numbers_of(p), weight = numbers_of(w);
  const MomentOptions options{.terms = std::move(terms), .threads = threads};
  return moments_of({&truth, 1}, {&prediction, 1}, w.empty() ? Chunks{} : Chunks{&weight, 1},
                    !w.empty(), options);
}

}  // namespace confmat::host
