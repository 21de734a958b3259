// What one cell of a confusion matrix sums up: rows, integer weights or floating weights. All of
// them are exact, so cells merge in any order to the same result.
#pragma once

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
inline void merge(RowCell& into, RowCell from) noexcept { into += from; }

template <class Cell>
bool is_empty(const Cell& cell) noexcept {
  return cell.empty();
}
// Leaves nothing in `from`.
template <class Cell>
void merge(Cell& into, Cell& from) noexcept {
  into.merge(std::move(from));
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
  void merge(IntWeightCell&& other) noexcept {
    if (other.empty()) return;
    add_sum(other.sum());
    add_squares(other.squares_);
  }
  // Whether no row was added; rows of weight 0 are rows.
  [[nodiscard]] bool empty() const noexcept { return next_ == 0; }
  // 2^63 stands for every sum of 2^63 and more.
  [[nodiscard]] std::uint64_t sum() const noexcept { return empty() ? 0 : next_ - 1; }
  [[nodiscard]] ExactSum squares() const noexcept {
    ExactSum total;
    for (int i = 0; i < 3; ++i) {
      // Two halves of 32 bits each are exact doubles.
      total.add(std::ldexp(static_cast<double>(squares_.words[i] >> 32U), 64 * i + 32));
      total.add(std::ldexp(static_cast<double>(squares_.words[i] & 0xFFFFFFFFU), 64 * i));
    }
    return total;
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

struct FloatWeightSums {
  ExactSum weights;
  ExactSum squares;
  bool endless = false;  // a square exceeded the largest double

  void add(double weight) noexcept {
    weights.add(weight);
    const double square = weight * weight;
    if (std::isfinite(square)) {
      squares.add(square);
    } else {
      endless = true;
    }
  }
  void clear() noexcept {
    weights.clear();
    squares.clear();
    endless = false;
  }
  // The sum of squares, rounded.
  [[nodiscard]] double square() const noexcept { return endless ? HUGE_VAL : squares.value(); }
  // Puts both sums behind those that are there.
  void put(ExactSumsBuilder& sums, ExactSumsBuilder& of_squares) const {
    sums.add(weights);
    if (endless) return of_squares.add(HUGE_VAL);
    of_squares.add(squares);
  }
};

// The sums of a cell are allocated when it gets its first weight that is not 0; until then cells
// with rows share one that nobody writes to.
class FloatWeightCell {
  using Sums = FloatWeightSums;

 public:
  using Weight = double;

  // Needs: finite and not negative.
  void add(Weight weight, Budget& budget) {
    if ((weight == 0 || !holds(sums_)) && !begin(weight, budget)) return;
    sums_->add(weight);
  }
  // Of rows with weights inside the window.
  void add(const WeightSums& sums, const WeightWindow& window, Budget& budget) {
    const auto [low, high, square_low, square_high] = sums.words;
    const bool is_zero = (low | high) == 0;
    if ((is_zero || !holds(sums_)) && !begin(is_zero ? 0 : 1, budget)) return;
    sums_->weights.add((UInt128{high} << kWeightBits) + low, window.weights - 1);
    sums_->squares.add((UInt128{square_high} << kWeightBits) + square_low, window.squares - 1);
  }
  void merge(FloatWeightCell&& other) noexcept {
    if (other.sums_ == nullptr) return;
    if (!holds(sums_)) {
      sums_ = std::move(other.sums_);
      return;
    }
    if (!holds(other.sums_)) return;
    sums_->weights.add(other.sums_->weights);
    sums_->squares.add(other.sums_->squares);
    sums_->endless = sums_->endless || other.sums_->endless;
  }
  [[nodiscard]] bool empty() const noexcept { return sums_ == nullptr; }
  void put(ExactSumsBuilder& sums, ExactSumsBuilder& squares) const {
    if (holds(sums_)) return sums_->put(sums, squares);
    sums.add(0.0);
    squares.add(0.0);
  }

 private:
  struct Free {
    void operator()(Sums* sums) const noexcept {
      if (sums != &zero) delete sums;
    }
  };
  using Owner = std::unique_ptr<Sums, Free>;

  // Whether there is something to add, to sums that are now there.
  [[gnu::noinline]] bool begin(Weight weight, Budget& budget) {
    if (weight == 0) {
      if (sums_ == nullptr) sums_.reset(&zero);
      return false;
    }
    budget.take(sizeof(Sums));
    sums_.reset(new Sums);
    return true;
  }
  static bool holds(const Owner& sums) noexcept { return sums != nullptr && sums.get() != &zero; }

  inline static Sums zero;  // of rows without weight
  Owner sums_;
};

}  // namespace confmat
