// The amounts of sweeps: read one by one, set, added as exact sums of weights.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

inline std::uint32_t amount(const SharedArray<std::uint32_t>& of, std::size_t i) { return of[i]; }
inline std::uint64_t amount(const SharedArray<std::uint64_t>& of, std::size_t i) { return of[i]; }
inline double amount(const ExactSums& of, std::size_t i) { return of.leads[i]; }

template <class T>
std::size_t size_of(const SharedArray<T>& of) {
  return of.size();
}
inline std::size_t size_of(const ExactSums& of) { return of.leads.size(); }

// All bits that some number has.
template <class T>
std::uint64_t bits_of(std::span<const T> numbers) {
  std::uint64_t bits = 0;
  for (const auto [first, last] : Strides(numbers.size())) {
    for (std::size_t i = first; i < last; ++i) bits |= numbers[i];
  }
  return bits;
}

// What is wrong with the totals, in words; empty: nothing. Counts of both classes are below 2^63
// together, and products of the weights of two classes are doubles with all digits.
std::string total_fault(const Sweep& sweep);

// Sums and differences of both amounts, entry after entry. Whole numbers become exact sums. Those
// of squares are kept where both know them.
class AmountSums {
 public:
  AmountSums(const Sweep& one, const Sweep& other);

  // The last sum of a side, after what is at `i` and `j` was added; kNone: nothing.
  double add(std::size_t i, std::size_t j, bool positive, double sign);
  [[nodiscard]] bool are_last_zero() const noexcept;
  void drop_last();
  void take(Sweep& out);

 private:
  void add_square(std::size_t i, std::size_t j, int side, double sign);

  // By side, negatives first.
  ExactSums one_[2];
  ExactSums other_[2];
  ExactSumsBuilder sums_[2];
  bool has_squares_;
  ExactSums one_squares_[2];
  ExactSums other_squares_[2];
  ExactSumsBuilder squares_[2];
};

}  // namespace confmat
