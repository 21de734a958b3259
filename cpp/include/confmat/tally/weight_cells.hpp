// What one cell of a confusion matrix sums up: rows, integer weights or floating weights. All of
// them are exact, so cells merge in any order to the same result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "confmat/base/exact_sum.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/state/exact_sums.hpp"

namespace confmat {

// Bytes that a thread may still allocate for its sums.
struct Budget {
  struct Exceeded : std::exception {};
  std::int64_t left = 0;
  void take(std::int64_t bytes) {
    left -= bytes;
    if (left < 0) throw Exceeded{};
  }
};

using RowCell = std::int64_t;

inline bool is_empty(RowCell cell) noexcept { return cell == 0; }
inline void merge(RowCell& into, RowCell from, Budget&) noexcept { into += from; }

template <class Cell>
bool is_empty(const Cell& cell) noexcept {
  return cell.empty();
}
// `from` is then not to be used any more.
template <class Cell>
void merge(Cell& into, Cell& from, Budget& budget) {
  into.merge(std::move(from), budget);
}

// Weights are below 2^63, their squares below 2^126, so 192 bits hold 2^66 squares.
class IntWeightCell {
 public:
  using Weight = std::uint64_t;

  void add(Weight weight, Budget&) noexcept {
    add_sum(weight);
    const Wide square = Wide{weight} * weight;
    add_squares({static_cast<std::uint64_t>(square), static_cast<std::uint64_t>(square >> 64U), 0});
  }
  void merge(IntWeightCell&& other, Budget&) noexcept {
    if (other.empty()) return;
    add_sum(other.sum());
    add_squares(other.squares_);
  }
  // Whether no row was added; rows of weight 0 are rows.
  [[nodiscard]] bool empty() const noexcept { return next_ == 0; }
  // 2^63 stands for every sum of 2^63 and more.
  [[nodiscard]] std::uint64_t sum() const noexcept { return empty() ? 0 : next_ - 1; }
  // Puts the sum of squares behind those that are there.
  void put_squares(ExactSumsBuilder& squares) const {
    constexpr std::uint64_t kOne = 1075;  // the window of whole numbers
    if (squares_.words[2] == 0 && squares_.words[1] >> 63U == 0) {
      return squares.add((UInt128{squares_.words[1]} << 64U) | squares_.words[0], kOne);
    }
    ExactSum total;
    for (int i = 0; i < 3; ++i) {
      // Two halves of 32 bits each are exact doubles.
      total.add(std::ldexp(static_cast<double>(squares_.words[i] >> 32U), 64 * i + 32));
      total.add(std::ldexp(static_cast<double>(squares_.words[i] & 0xFFFFFFFFU), 64 * i));
    }
    squares.add(total);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  struct Squares {
    std::uint64_t words[3];
  };

  void add_sum(std::uint64_t weight) noexcept {
    constexpr std::uint64_t kBeyond = (std::uint64_t{1} << 63U) + 1;
    const std::uint64_t before = next_ + (next_ == 0 ? 1 : 0);
    next_ = weight < kBeyond - before ? before + weight : kBeyond;
  }
  void add_squares(const Squares& more) noexcept {
    const Wide low = Wide{squares_.words[0]} + more.words[0];
    const Wide middle = Wide{squares_.words[1]} + more.words[1] + (low >> 64U);
    squares_.words[0] = static_cast<std::uint64_t>(low);
    squares_.words[1] = static_cast<std::uint64_t>(middle);
    squares_.words[2] += more.words[2] + static_cast<std::uint64_t>(middle >> 64U);
  }

  std::uint64_t next_ = 0;  // the sum and one more; 0 before the first row
  Squares squares_{};
};

// Fixed-point numbers while their bits fit one window; what does not fit goes to exact sums, which
// are allocated then.
class FloatWeightCell {
 public:
  using Weight = double;

  // Whether no row was added; rows of weight 0 are rows.
  [[nodiscard]] bool empty() const noexcept { return !met_; }
  void meet() noexcept { met_ = true; }
  // Needs: finite and not negative.
  void add(Weight weight) {
    Budget enough{INT64_MAX};
    add(weight, enough);
  }
  void add(Weight weight, Budget& budget) {
    met_ = true;
    if (weight == 0) return;
    const auto [units, window] = units_of(weight);
    add_weights(units, window, budget);
    const double square = weight * weight;
    if (!std::isfinite(square)) {
      beyond(budget).endless = true;
      return;
    }
    const auto [square_units, square_window] = units_of(square);
    add_squares(square_units, square_window, budget);
  }
  // Of rows with weights inside the window.
  void add(const WeightSums& sums, const WeightWindow& window, Budget& budget) {
    const auto [low, high, square_low, square_high] = sums.words;
    met_ = true;
    add_weights((UInt128{high} << kWeightBits) + low, window.weights, budget);
    add_squares((UInt128{square_high} << kWeightBits) + square_low, window.squares, budget);
  }
  void merge(FloatWeightCell&& other, Budget& budget) {
    met_ |= other.met_;
    if (beyond_ == nullptr) {
      beyond_ = std::move(other.beyond_);
    } else if (other.beyond_ != nullptr) {
      beyond_->weights.add(other.beyond_->weights);
      beyond_->squares.add(other.beyond_->squares);
      beyond_->endless |= other.beyond_->endless;
    }
    add_weights(other.weights_, other.window_, budget);
    add_squares(other.squares_, other.square_window_, budget);
  }
  // Puts both sums behind those that are there.
  void put(ExactSumsBuilder& sums, ExactSumsBuilder& squares) const {
    if (beyond_ == nullptr) {
      sums.add(weights_, window_);
      squares.add(squares_, square_window_);
      return;
    }
    sums.add(with(beyond_->weights, weights_, window_));
    if (beyond_->endless) return squares.add(HUGE_VAL);
    squares.add(with(beyond_->squares, squares_, square_window_));
  }
  // Both sums, rounded.
  [[nodiscard]] double weight() const {
    if (beyond_ == nullptr) return rounded(weights_, window_);
    return with(beyond_->weights, weights_, window_).value();
  }
  [[nodiscard]] double square() const {
    if (beyond_ == nullptr) return rounded(squares_, square_window_);
    return beyond_->endless ? HUGE_VAL : with(beyond_->squares, squares_, square_window_).value();
  }

 private:
  struct Sums {
    ExactSum weights;
    ExactSum squares;
    bool endless = false;  // a square exceeded the largest double
  };
  static ExactSum with(ExactSum sum, UInt128 units, std::uint64_t window) noexcept {
    if (units != 0) sum.add(units, window - 1);
    return sum;
  }
  struct Units {
    UInt128 number;
    std::uint64_t window;
  };
  // Of any double, so that a row that does not count may have any weight.
  static Units units_of(double x) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
    const std::uint64_t exponent = (bits >> 52U) & 2047U;
    if (exponent == 0) return {fraction, 1};
    return {fraction | (std::uint64_t{1} << 52U), exponent};
  }
  // Adds to units of another window, the lower of which stays. False: too many bits for one.
  static bool join(UInt128& units, std::uint16_t& window, UInt128 more, std::uint64_t at) noexcept {
    constexpr int kBits = 126;  // so that a sum is less than 2^127
    const std::uint64_t low = units == 0 ? at : std::min<std::uint64_t>(window, at);
    const auto raised = [low](UInt128& of, std::uint64_t from) {
      const auto shift = static_cast<int>(std::min<std::uint64_t>(from - low, kBits));
      if ((of >> (kBits - shift)) != 0) return false;
      of <<= shift;
      return true;
    };
    UInt128 sum = units;
    if ((sum != 0 && !raised(sum, window)) || !raised(more, at)) return false;
    units = sum + more;
    window = static_cast<std::uint16_t>(low);
    return true;
  }
  void add_weights(UInt128 units, std::uint64_t window, Budget& budget) {
    if (units == 0 || join(weights_, window_, units, window)) return;
    beyond(budget).weights.add(units, window - 1);
  }
  void add_squares(UInt128 units, std::uint64_t window, Budget& budget) {
    if (units == 0 || join(squares_, square_window_, units, window)) return;
    beyond(budget).squares.add(units, window - 1);
  }
  Sums& beyond(Budget& budget) {
    if (beyond_ == nullptr) {
      budget.take(sizeof(Sums));
      beyond_ = std::make_unique<Sums>();
    }
    return *beyond_;
  }

  // Units of 2^(window - 1075).
  UInt128 weights_ = 0;
  UInt128 squares_ = 0;
  std::uint16_t window_ = 1;
  std::uint16_t square_window_ = 1;
  bool met_ = false;
  std::unique_ptr<Sums> beyond_;
};

}  // namespace confmat
