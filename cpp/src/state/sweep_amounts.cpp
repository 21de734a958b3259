// Sums of weights of two sweeps.
#include "sweep_amounts.hpp"

#include <cstdio>
#include <span>
#include <type_traits>

#include "confmat/base/sum2.hpp"

namespace confmat {
namespace {

ExactSums as_sums(const AmountArray& amounts) {
  return std::visit(
      []<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return of;
        } else {
          ExactSumsBuilder out;
          out.reserve(of.size());
          for (const auto [first, last] : Strides(of.size())) {
            for (std::size_t i = first; i < last; ++i) out.add_whole(of[i]);
          }
          return out.take();
        }
      },
      amounts);
}

// Of counts the amounts themselves, which are `sums`. Needs: they are known.
ExactSums squares_of(const Sweep& sweep, int side, ExactSums sums) {
  if (!sweep.squares) return sums;
  return side == 0 ? sweep.squares->negatives : sweep.squares->positives;
}

// Whether the counts fit into what is left of 2^63 - 1.
template <class T>
bool take_from(std::uint64_t& left, std::span<const T> counts) {
  for (const auto [first, last] : Strides(counts.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (counts[i] > left) return false;
      left -= counts[i];
    }
  }
  return true;
}

double total_weight(const ExactSums& sums) {
  Sum2 total;
  for (const auto [first, last] : Strides(sums.leads.size())) {
    for (std::size_t i = first; i < last; ++i) total.add(sums.leads[i]);
  }
  return total.value();
}

}  // namespace

std::string total_fault(const Sweep& sweep) {
  constexpr double kMost = 1e150;
  constexpr double kLeast = 1e-150;
  std::uint64_t left = INT64_MAX;
  for (const AmountArray* const side : {&sweep.positives, &sweep.negatives}) {
    if (const auto* const sums = std::get_if<ExactSums>(side)) {
      const double total = total_weight(*sums);
      if (total == 0 || (total >= kLeast && total <= kMost)) continue;
      char text[32];
      std::snprintf(text, sizeof text, "%g", total);
      return "the weights of a class sum to " + std::string(text) +
             "; wanted 0, or a sum from 1e-150 to 1e150";
    }
    const auto* const few = std::get_if<SharedArray<std::uint32_t>>(side);
    const auto* const many = std::get_if<SharedArray<std::uint64_t>>(side);
    if (few != nullptr ? !take_from(left, few->view()) : !take_from(left, many->view())) {
      return "the counts sum to more than 2^63 - 1";
    }
  }
  return {};
}

AmountSums::AmountSums(const Sweep& one, const Sweep& other)
    : one_{as_sums(one.negatives), as_sums(one.positives)},
      other_{as_sums(other.negatives), as_sums(other.positives)},
      has_squares_(one.knows_squares() && other.knows_squares()) {
  if (!has_squares_) return;
  for (int side = 0; side < 2; ++side) {
    one_squares_[side] = squares_of(one, side, one_[side]);
    other_squares_[side] = squares_of(other, side, other_[side]);
  }
}

double AmountSums::add(std::size_t i, std::size_t j, bool positive, double sign) {
  const int side = positive ? 1 : 0;
  ExactSumsBuilder& sums = sums_[side];
  sums.add(one_[side], i, other_[side], j, sign);
  if (sums.last() < 0) {
    // Differences within rounding of the minuend are 0, where weights came as rounded numbers.
    const double minuend = i == ExactSumsBuilder::kNone ? 0.0 : one_[side].leads[i];
    if (sums.last() < -1e-12 * minuend || minuend == 0) return sums.last();
    sums.set_last(0.0);
  }
  if (has_squares_) add_square(i, j, side, sign);
  return sums.last();
}

void AmountSums::add_square(std::size_t i, std::size_t j, int side, double sign) {
  ExactSumsBuilder& squares = squares_[side];
  squares.add(one_squares_[side], i, other_squares_[side], j, sign);
  if (squares.last() < 0 || sums_[side].last() == 0) squares.set_last(0.0);
}

bool AmountSums::are_last_zero() const noexcept {
  return sums_[0].last() == 0 && sums_[1].last() == 0;
}

void AmountSums::drop_last() {
  for (int side = 0; side < 2; ++side) {
    sums_[side].drop_last();
    if (has_squares_) squares_[side].drop_last();
  }
}

void AmountSums::take(Sweep& out) {
  out.negatives = sums_[0].take();
  out.positives = sums_[1].take();
  if (has_squares_) {
    ExactSums negatives = squares_[0].take();
    out.squares = SquareSums{squares_[1].take(), std::move(negatives)};
  }
}

}  // namespace confmat
