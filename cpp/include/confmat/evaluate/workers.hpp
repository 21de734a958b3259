// Independent tasks on threads that live for one call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace confmat {

// `asked`, or one a core where 0 is asked for.
inline int core_count(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Runs task(0), …, task(n - 1) in blocks; `make_worker()` gives each thread a task() with its own
// state. The first exception stops the others and is rethrown.
template <class MakeWorker>
void for_each_task(std::int64_t n, int threads, const MakeWorker& make_worker) {
  const std::int64_t block = std::clamp<std::int64_t>(n / (std::int64_t{threads} * 8), 1, 64);
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto run = [&] {
    try {
      auto task = make_worker();
      for (std::int64_t start = next.fetch_add(block); start < n; start = next.fetch_add(block)) {
        for (std::int64_t i = start; i < std::min(start + block, n); ++i) task(i);
      }
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
      next = n;
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads && n > block; ++i) others.emplace_back(run);
  run();
  others.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace confmat
