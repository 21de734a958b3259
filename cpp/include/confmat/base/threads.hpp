// Threads for the length of one call: no pool outlives it. Extra threads are counted process-wide,
// so that calls at the same time share the cores; a call that gets none runs on its own thread.
// Work is cut by its size and never by the threads at hand: results do not depend on them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat {

// `asked`, or, for 0: the environment variable POLARS_MAX_THREADS, or one a core that this
// process may use. Read once in each process.
int core_count(int asked) noexcept;

// How many threads are worth starting for so many rows. `asked` as for core_count().
inline int thread_count(int asked, std::int64_t rows) noexcept {
  constexpr std::int64_t kRowsWorthAThread = std::int64_t{1} << 17;
  if (rows < 2 * kRowsWorthAThread) return 1;  // without asking the system for its cores
  const std::int64_t most = std::min(core_count(asked), 1024);
  return static_cast<int>(std::clamp<std::int64_t>(rows / kRowsWorthAThread, 1, most));
}

// A share of the extra threads of this process: all shares together stay below its cores. What ran
// in the parent of a forked process does not count, and a share does not outlive a fork.
class ThreadShare {
 public:
  explicit ThreadShare(int wanted) noexcept;
  ThreadShare(const ThreadShare&) = delete;
  ThreadShare& operator=(const ThreadShare&) = delete;
  ~ThreadShare();
  [[nodiscard]] int size() const noexcept { return size_; }

 private:
  int size_;
  unsigned process_;
};

// The extra threads of one call.
class Crew {
 public:
  void enter() noexcept {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) all_left_.notify_one();
  }
  // Until all have left; looks out meanwhile.
  void wait() noexcept {
    constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
    const StopSign sign;
    std::unique_lock lock(mutex_);
    while (!all_left_.wait_for(lock, kBetweenLooks, [this] { return running_ == 0; })) {
      lock.unlock();
      static_cast<void>(sign.raised());
      lock.lock();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_left_;
  int running_ = 0;
};

// Runs body() here and on up to `others` threads more, as many as are to be had.
// Needs: body() throws nothing, and does all the work when it runs only once.
template <class Body>
void run_on_threads(int others, const Body& body) {
  if (others <= 0) return body();
  const ThreadShare share(others);
  Crew crew;
  std::vector<std::jthread> threads;
  try {
    threads.reserve(static_cast<std::size_t>(share.size()));
    for (int i = 0; i < share.size(); ++i) {
      threads.emplace_back([&body, &crew, flag = stop_flag()] {
        const StopScope scope(flag);
        body();
        crew.leave();
      });
      crew.enter();
    }
    // NOLINTNEXTLINE(bugprone-empty-catch): the work is then done with those that started
  } catch (const std::exception&) {
  }
  body();
  if (lookout() != nullptr) crew.wait();
}

// Runs task(0), …, task(n - 1) in blocks; `make_worker()` gives each thread a task() with its own
// state. The first exception stops the others and is rethrown.
template <class MakeWorker>
void for_each_task(std::int64_t n, int threads, const MakeWorker& make_worker) {
  const std::int64_t block = std::clamp<std::int64_t>(n / (std::int64_t{threads} * 8), 1, 64);
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto others = std::min<std::int64_t>(threads - 1, (n + block - 1) / block - 1);
  run_on_threads(static_cast<int>(others), [&]() noexcept {
    try {
      auto task = make_worker();
      const StopSign sign;
      for (std::int64_t start = next.fetch_add(block); start < n; start = next.fetch_add(block)) {
        for (std::int64_t i = start; i < std::min(start + block, n); ++i) {
          sign.obey();
          task(i);
        }
      }
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
      next = n;
    }
  });
  if (error) std::rethrow_exception(error);
}

// Runs work(0), ..., work(parts - 1), all of them, on up to so many threads. Rethrows the exception
// of the lowest part that has one.
template <class Work>
void for_each_part(int parts, int threads, const Work& work) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  std::atomic<int> next{0};
  run_on_threads(std::min(parts, threads) - 1, [&]() noexcept {
    for (int part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) {
      try {
        StopSign().obey();
        work(part);
      } catch (...) {
        errors[static_cast<std::size_t>(part)] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
}

// work(part, first, last) for `parts` contiguous ranges, a thread each, that cover 0 ... rows - 1
// in order; every bound but the last is a multiple of 64 Ki. Errors as from for_each_part().
template <class Work>
void over_ranges(int parts, std::int64_t rows, const Work& work) {
  const auto bound = [&](int part) {
    if (part == parts) return rows;
    constexpr std::int64_t kGrain = std::int64_t{1} << 16;
    return std::min(rows, (rows / kGrain * part / parts) * kGrain);
  };
  for_each_part(parts, parts, [&](int part) { work(part, bound(part), bound(part + 1)); });
}

}  // namespace confmat
