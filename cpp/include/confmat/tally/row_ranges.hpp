// Contiguous row ranges, one thread each, for the length of one call: no pool outlives it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace confmat {

// How many threads are worth starting. `asked` 0: one per core.
inline int thread_count(int asked, std::int64_t rows) noexcept {
  constexpr std::int64_t kRowsWorthAThread = std::int64_t{1} << 17;
  if (rows < 2 * kRowsWorthAThread) return 1;  // without asking the system for its cores
  const std::int64_t cores =
      asked > 0 ? asked : std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  return static_cast<int>(
      std::clamp<std::int64_t>(rows / kRowsWorthAThread, 1, std::min<std::int64_t>(cores, 1024)));
}

// work(part, first, last) for `parts` ranges that cover 0 ... rows - 1 in order; every bound but
// the last is a multiple of 64 Ki. Rethrows the exception of the lowest range that has one.
template <class Work>
void over_ranges(int parts, std::int64_t rows, Work&& work) {
  const auto bound = [&](int part) {
    if (part == parts) return rows;
    constexpr std::int64_t kGrain = std::int64_t{1} << 16;
    return std::min(rows, (rows / kGrain * part / parts) * kGrain);
  };
  if (parts == 1) return work(0, std::int64_t{0}, rows);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  const auto guarded = [&](int part) noexcept {
    try {
      work(part, bound(part), bound(part + 1));
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(parts));
  int threaded = parts;  // parts from here on run on this thread, when no more are to be had
  for (int part = 1; part < threaded; ++part) {
    try {
      threads.emplace_back(guarded, part);
    } catch (const std::exception&) {
      threaded = part;
    }
  }
  guarded(0);
  for (int part = threaded; part < parts; ++part) guarded(part);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

}  // namespace confmat
