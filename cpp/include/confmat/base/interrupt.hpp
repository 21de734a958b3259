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

// Ranges [first, last) that cover 0 ... n - 1 in order; the loop over them may be interrupted
// before each. A loop and no callback, so that what it writes stays in registers.
class Strides {
 public:
  struct Range {
    std::size_t first, last;
  };
  class Iterator {
   public:
    Iterator(const Strides& of, std::size_t at) noexcept : of_(of), at_(at) {}
    Range operator*() const {
      of_.sign_.obey();
      return {at_, std::min(of_.n_, at_ + kStride)};
    }
    Iterator& operator++() noexcept {
      at_ += kStride;
      return *this;
    }
    bool operator!=(const Iterator& end) const noexcept { return at_ < end.at_; }

   private:
    const Strides& of_;
    std::size_t at_;
  };

  explicit Strides(std::size_t n) noexcept : n_(n) {}
  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {*this, n_}; }

 private:
  static constexpr std::size_t kStride = std::size_t{1} << 16;
  std::size_t n_;
  StopSign sign_;
};

// Between the rows of a table of k x k; small ones are done before anyone could ask.
inline void obey_between_rows(std::size_t k) {
  constexpr std::size_t kLarge = 64;
  if (k >= kLarge) StopSign().obey();
}

}  // namespace confmat
