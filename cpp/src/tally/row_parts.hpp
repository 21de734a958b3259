// Contiguous ranges of rows, cut by their number alone and worked on by up to so many threads:
// what each range adds up does not depend on the threads at hand.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "confmat/base/threads.hpp"

namespace confmat {

// work(part, first, last) for `parts` ranges that cover 0 ... rows - 1 in order. Rethrows the
// exception of the lowest range that has one.
template <class Work>
void over_parts(int parts, int threads, std::int64_t rows, const Work& work) {
  const auto bound = [&](int part) { return rows / parts * part + rows % parts * part / parts; };
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  std::atomic<int> next{0};
  run_on_threads(std::min(parts, threads) - 1, [&]() noexcept {
    for (int part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) {
      try {
        work(part, bound(part), bound(part + 1));
      } catch (...) {
        errors[static_cast<std::size_t>(part)] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

}  // namespace confmat
