// Sums of doubles, one a cell, each kept exactly: its value rounded, and what that leaves. They
// depend on the terms alone, however these were grouped, so states of the same rows are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

// A further part of sum `at`: the rest that all parts before it leave, rounded.
struct Tail {
  std::uint64_t at = 0;
  double part = 0;
  bool operator==(const Tail&) const = default;
};

struct ExactSums {
  SharedArray<double> leads;  // rounded; infinite: beyond the largest double, and without tails
  SharedArray<Tail> tails;    // `at` ascends

  [[nodiscard]] std::span<const Tail> tails_of(std::size_t i) const noexcept;
};

// One sum of numbers that are exact sums, or infinite.
class ExactTotal {
 public:
  void add(const ExactSums& of, std::size_t i, double sign = 1.0);
  void add(const ExactSum& of) { sum_.add(of); }
  // Takes away what was added.
  void take_away(const ExactTotal& other);
  void clear() noexcept {
    sum_.clear();
    endless_ = 0;
  }

 private:
  friend class ExactSumsBuilder;
  ExactSum sum_;
  std::int64_t endless_ = 0;  // how many were infinite
};

// units * 2^(window - 1075), rounded; infinite beyond the largest double. Needs: units < 2^127,
// 0 < window < 2047.
double rounded(UInt128 units, std::uint64_t window) noexcept;

// ExactSums in the making, number after number.
class ExactSumsBuilder {
 public:
  void reserve(std::size_t n) { leads_.reserve(n); }
  [[nodiscard]] std::size_t size() const noexcept { return leads_.size(); }
  [[nodiscard]] std::span<const double> leads() const noexcept { return leads_; }
  [[nodiscard]] std::span<const Tail> tails() const noexcept { return tails_; }
  [[nodiscard]] double last() const noexcept { return leads_.back(); }

  void add(double value) { leads_.push_back(value); }
  void add(const ExactSum& sum);
  void add(const ExactTotal& total);
  // As of rounded().
  void add(UInt128 units, std::uint64_t window);
  void add_whole(std::uint64_t number);
  // one + sign * other; `i` or `j` of kNone is 0. What is not finite stays infinite.
  void add(const ExactSums& one, std::size_t i, const ExactSums& other, std::size_t j, double sign);
  // In place of the last one.
  void set_last(double value);
  void drop_last();
  // Each at its place among `size` of them, all others 0.
  void spread(std::span<const std::int64_t> places, std::size_t size);
  [[nodiscard]] ExactSums take();
  void take(std::vector<double>& leads, std::vector<Tail>& tails);

  static constexpr std::size_t kNone = SIZE_MAX;

 private:
  std::vector<double> leads_;
  std::vector<Tail> tails_;
};

// Whether the tails are those that the sums would have: finite, in order, no part too many.
bool are_rounded_parts(std::span<const double> leads, std::span<const Tail> tails);

}  // namespace confmat
