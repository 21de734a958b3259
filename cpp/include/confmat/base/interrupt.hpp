// Work that its caller may no longer want: a flag that every thread of a call looks at between
// blocks of its rows. Which flag, a thread knows; the threads that it starts take it over.
// Cost: one load a block.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

namespace confmat {

// Thrown by work that was interrupted.
struct Interrupted : std::exception {};

using StopFlag = std::atomic<bool>;  // true: the work is not wanted any more

// The flag of this thread; null: nobody interrupts it.
const StopFlag* stop_flag() noexcept;

// The flag of this thread for as long as it lives.
class StopScope {
 public:
  explicit StopScope(const StopFlag* flag) noexcept;
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const StopFlag* before_;
};

// The flag of the thread that made it, asked for once and looked at often.
class StopSign {
 public:
  [[nodiscard]] bool raised() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  void obey() const {
    if (raised()) throw Interrupted();
  }

 private:
  const StopFlag* flag_ = stop_flag();
};

// step(first, last) for ranges that cover 0 ... n - 1 in order; may be interrupted between them.
template <class Step>
void in_strides(std::size_t n, const Step& step) {
  constexpr std::size_t kStride = std::size_t{1} << 16;
  const StopSign sign;
  for (std::size_t first = 0; first < n; first += kStride) {
    sign.obey();
    step(first, std::min(n, first + kStride));
  }
}

// Between the rows of a table of k x k; small ones are done before anyone could ask.
inline void obey_between_rows(std::size_t k) {
  constexpr std::size_t kLarge = 64;
  if (k >= kLarge) StopSign().obey();
}

}  // namespace confmat
