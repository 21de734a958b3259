// Contiguous ranges of rows, cut by their number alone and worked on by up to so many threads:
// what each range adds up does not depend on the threads at hand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "confmat/base/threads.hpp"

namespace confmat {

// How many threads so many rows of k numbers are worth. `asked` as for core_count().
inline int threads_of_cells(int asked, std::int64_t rows, std::int64_t k) {
  return thread_count(asked, rows > INT64_MAX / std::max<std::int64_t>(k, 1) ? rows : rows * k / 4);
}

// work(part, first, last) for `parts` ranges that cover 0 ... rows - 1 in order. Errors as from
// for_each_part().
template <class Work>
void over_parts(int parts, int threads, std::int64_t rows, const Work& work) {
  const auto bound = [&](int part) { return rows / parts * part + rows % parts * part / parts; };
  for_each_part(parts, threads, [&](int part) { work(part, bound(part), bound(part + 1)); });
}

}  // namespace confmat
