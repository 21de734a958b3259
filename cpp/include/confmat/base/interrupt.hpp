// Work that its caller may no longer want: a flag that every thread of a call looks at between
// blocks of its rows. Which flag, a thread knows; the threads that it starts take it over.
// Cost: one load a block, and on the thread of the call a look at a coarse clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace confmat {

// Thrown by work that was interrupted.
struct Interrupted : std::exception {};

using StopFlag = std::atomic<bool>;  // true: the work is not wanted any more

// Where the thread of a call asks, amid its own work, whether that is still wanted.
class Lookout {
 public:
  Lookout() noexcept;
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;
  virtual ~Lookout() = default;

  // Asks if 50 ms have passed since the last time.
  void look() noexcept;

 private:
  virtual void ask() noexcept = 0;

  std::int64_t next_;
};

// For as long as it lives this thread is in somebody else's hands, amid its own work.
class Aside {
 public:
  Aside() noexcept;
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside();

 private:
  bool before_;
};

// Runs work() on this thread, or, if that has stepped aside, on another one: what a thread keeps
// from call to call belongs to the work that was left.
void run_apart(const std::function<void()>& work);

// Those of this thread; null: nobody interrupts it, nobody asks.
const StopFlag* stop_flag() noexcept;
Lookout* lookout() noexcept;

// What this thread has for as long as it lives.
class StopScope {
 public:
  explicit StopScope(const StopFlag* flag, Lookout* lookout = nullptr) noexcept;
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const StopFlag* flag_before_;
  Lookout* lookout_before_;
};

// The flag of the thread that made it, which must be the thread that asks: found once, looked at
// often.
class StopSign {
 public:
  [[nodiscard]] bool raised() const noexcept {
    if (lookout_ != nullptr) lookout_->look();
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  void obey() const {
    if (raised()) throw Interrupted();
  }

 private:
  const StopFlag* flag_ = stop_flag();
  Lookout* lookout_ = lookout();
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
inline constexpr std::size_t kLargeTable = 256;
inline void obey_between_rows(std::size_t k) {
  if (k >= kLargeTable) StopSign().obey();
}

}  // namespace confmat
