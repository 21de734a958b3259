// The flag of this thread, and the hooks that a host sets.
#include "confmat/base/interrupt.hpp"

#include <exception>
#include <thread>
#include <utility>

#ifdef __linux__
#include <ctime>
#else
#include <chrono>
#endif

namespace confmat {
namespace {

thread_local const StopFlag* flag_here = nullptr;
thread_local Lookout* lookout_here = nullptr;
thread_local bool is_aside = false;

constexpr std::int64_t kMilliseconds = 1'000'000;
constexpr std::int64_t kBetweenLooks = 50 * kMilliseconds;

// Nanoseconds, in steps of some milliseconds where such a clock is cheaper.
std::int64_t now() noexcept {
#ifdef __linux__
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::int64_t{time.tv_sec} * 1000 * kMilliseconds + time.tv_nsec;
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

}  // namespace

Lookout::Lookout() noexcept : next_(now() + kBetweenLooks) {}

void Lookout::look() noexcept {
  if (now() < next_) return;
  {
    const Aside aside;
    ask();
  }
  next_ = now() + kBetweenLooks;
}

Aside::Aside() noexcept : before_(std::exchange(is_aside, true)) {}

Aside::~Aside() { is_aside = before_; }

void run_apart(const std::function<void()>& work) {
  if (!is_aside) return work();
  std::exception_ptr error;
  std::thread([&] {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error != nullptr) std::rethrow_exception(error);
}

const StopFlag* stop_flag() noexcept { return flag_here; }
Lookout* lookout() noexcept { return lookout_here; }

StopScope::StopScope(const StopFlag* flag, Lookout* lookout) noexcept
    : flag_before_(std::exchange(flag_here, flag)),
      lookout_before_(std::exchange(lookout_here, lookout)) {}

StopScope::~StopScope() {
  flag_here = flag_before_;
  lookout_here = lookout_before_;
}

}  // namespace confmat
