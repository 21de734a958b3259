// A computation that knows no interruption, on a thread of its own: when its caller is interrupted
// it is left to end by itself, with memory of its own, and nobody hears of it again.
// As many are left at most as there are cores; then the next one waits for one of them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat::linalg {

extern std::atomic<int> threads_left;  // of this process

template <class Result, class Compute>
class OwnThread : public std::enable_shared_from_this<OwnThread<Result, Compute>> {
 public:
  OwnThread(std::vector<double> input, Compute compute)
      : input_(std::move(input)), compute_(std::move(compute)) {}

  // Throws Interrupted.
  Result run() {
    const StopSign sign;
    while (threads_left >= core_count(0)) {
      sign.obey();
      std::this_thread::sleep_for(kBetweenLooks);
    }
    try {
      std::thread([self = this->shared_from_this()] { self->work(); }).detach();
    } catch (const std::system_error&) {  // no thread is to be had
      work();
    }
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, kBetweenLooks, [this] { return is_done_; })) {
      if (!sign.raised()) continue;
      is_left_ = true;
      ++threads_left;
      throw Interrupted();
    }
    if (error_ != nullptr) std::rethrow_exception(error_);
    return std::move(result_);
  }

 private:
  static constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

  void work() noexcept {
    try {
      result_ = compute_(input_.data());
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    if (is_left_) --threads_left;
    done_.notify_one();
  }

  std::vector<double> input_;
  Compute compute_;
  Result result_{};
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  bool is_left_ = false;
};

// Whether a decomposition of k x k entries does, and somebody may interrupt it.
inline bool takes_long(std::int64_t k) noexcept {
  constexpr std::int64_t kLong = 192;  // less takes some milliseconds
  return k >= kLong && stop_flag() != nullptr;
}

// compute(a), where `a` has k x k entries, and where that takes long compute(copy of them). Needs:
// compute() keeps to its own memory.
template <class Compute>
auto left_to_end(const double* a, std::int64_t k, Compute compute) {
  using Result = decltype(compute(a));
  if (!takes_long(k)) return compute(a);
  const auto size = static_cast<std::size_t>(k * k);
  const auto call =
      std::make_shared<OwnThread<Result, Compute>>(std::vector<double>(a, a + size), compute);
  return call->run();
}

}  // namespace confmat::linalg
