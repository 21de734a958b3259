// What tables of slices say of a batch of rows, and how threads share what they count in.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "group_reader.hpp"

namespace confmat {

// What rows had that the tables do not know.
struct Strangers {
  bool label = false;
  bool key = false;

  void note(const GroupReader& rows) noexcept {
    label |= rows.met_other_label();
    key |= rows.met_other_key();
  }
};

// Which of these refuse a batch.
struct Refusal {
  bool of_labels = false;
  [[nodiscard]] bool applies(const Strangers& met) const noexcept {
    return met.key || (of_labels && met.label);
  }
};

// Things that threads borrow, one each.
template <class T>
class Lent {
 public:
  explicit Lent(std::vector<T>& all) {
    for (T& one : all) free_.push_back(&one);
  }
  // How many of the threads get one.
  [[nodiscard]] int at_most(int threads) const {
    return std::min(threads, static_cast<int>(free_.size()));
  }
  // One of them, for as long as it lives.
  class Loan {
   public:
    explicit Loan(Lent& of) : of_(of), one_(of.take()) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { of_.give(one_); }
    [[nodiscard]] T& operator*() const noexcept { return *one_; }

   private:
    Lent& of_;
    T* one_;
  };

 private:
  T* take() {
    const std::lock_guard lock(mutex_);
    T* const one = free_.back();
    free_.pop_back();
    return one;
  }
  void give(T* one) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(one);  // has room: it was there
  }

  std::mutex mutex_;
  std::vector<T*> free_;
};

}  // namespace confmat
