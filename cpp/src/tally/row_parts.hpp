// Contiguous ranges of rows, cut by their number alone and worked on by up to so many threads:
// what each range adds up does not depend on the threads at hand.
#pragma once

#include <cstdint>

#include "confmat/base/threads.hpp"

namespace confmat {

// work(part, first, last) for `parts` ranges that cover 0 ... rows - 1 in order. Errors as from
// for_each_part().
template <class Work>
void over_parts(int parts, int threads, std::int64_t rows, const Work& work) {
  const auto bound = [&](int part) { return rows / parts * part + rows % parts * part / parts; };
  for_each_part(parts, threads, [&](int part) { work(part, bound(part), bound(part + 1)); });
}

}  // namespace confmat
