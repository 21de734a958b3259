// Adds up entries of two states, and takes them away.
#include "confmat/state/entry_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

constexpr auto kMostRows = std::numeric_limits<std::int64_t>::max();

// Whole numbers as exact sums, for entries among float weights and for weights of 1.
ExactSums as_sums(const SharedArray<std::int64_t>& counts) {
  ExactSumsBuilder out;
  out.reserve(counts.size());
  for (const std::int64_t count : counts.view()) out.add_whole(static_cast<std::uint64_t>(count));
  return out.take();
}

void add_floats(EntrySums& of) {
  of.weights = as_sums(of.counts);
  of.has_floats = true;
  of.counts = {};
}

void add_squares(EntrySums& of) {
  of.squares = as_sums(of.counts);
  of.has_squares = true;
}

[[noreturn]] void refuse_total() {
  throw InputError("cannot add: the total is beyond 64-bit integers");
}

ExactSums sum_of(const ExactSums& sums) {
  ExactTotal total;
  for (std::size_t i = 0; i < sums.leads.size(); ++i) total.add(sums, i);
  ExactSumsBuilder out;
  out.add(total);
  return out.take();
}

}  // namespace

std::pair<EntrySums, EntrySums> in_one_form(const EntrySums& one, const EntrySums& other) {
  std::pair<EntrySums, EntrySums> out{one, other};
  auto& [a, b] = out;
  if (a.has_squares != b.has_squares && a.knows_squares() && b.knows_squares()) {
    add_squares(a.has_squares ? b : a);  // before they are floats
  }
  if (a.has_floats != b.has_floats) add_floats(a.has_floats ? b : a);
  return out;
}

bool are_same(const EntrySums& one, const EntrySums& other) {
  if (one.size() != other.size() || one.knows_squares() != other.knows_squares()) return false;
  const bool squares = one.has_squares || other.has_squares;
  const bool floats = one.has_floats || other.has_floats;
  for (const auto [first, last] : Strides(one.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (floats ? one.value(i) != other.value(i) : one.counts[i] != other.counts[i]) return false;
      if (squares && one.square(i) != other.square(i)) return false;
    }
  }
  return true;
}

EntrySums total_of(const EntrySums& sums) {
  EntrySums out;
  out.has_floats = sums.has_floats;
  out.has_squares = sums.has_squares;
  if (sums.has_floats) {
    out.weights = sum_of(sums.weights);
  } else {
    std::uint64_t total = 0;
    for (const std::int64_t count : sums.counts.view()) total += static_cast<std::uint64_t>(count);
    out.counts = std::vector{static_cast<std::int64_t>(total)};
  }
  if (sums.has_squares) out.squares = sum_of(sums.squares);
  return out;
}

EntryMerge::EntryMerge(const EntrySums& one, const EntrySums& other, Operation operation)
    : one_(one),
      other_(other),
      subtracts_(operation == Operation::kSubtract),
      has_floats_(one.has_floats),
      has_squares_(one.has_squares && other.has_squares) {}

void EntryMerge::reserve(std::size_t n) {
  if (has_floats_) {
    weights_.reserve(n);
  } else {
    counts_.reserve(n);
  }
  if (has_squares_) squares_.reserve(n);
}

bool EntryMerge::next(std::size_t i, std::size_t j) {
  if (!(has_floats_ ? next_weight(i, j) : next_count(i, j))) return false;
  if (!has_squares_) return true;
  squares_.add(one_.squares, i, other_.squares, j, subtracts_ ? -1.0 : 1.0);
  if (squares_.last() < 0 || is_last_zero()) squares_.set_last(0.0);
  return true;
}

bool EntryMerge::next_count(std::size_t i, std::size_t j) {
  const std::int64_t x = i == kNone ? 0 : one_.counts[i];
  const std::int64_t y = j == kNone ? 0 : other_.counts[j];
  if (subtracts_) {
    if (y > x) return false;
    counts_.push_back(x - y);
  } else {
    if (y > kMostRows - x) refuse_total();
    counts_.push_back(x + y);
  }
  n_ += static_cast<std::uint64_t>(counts_.back());
  return true;
}

bool EntryMerge::next_weight(std::size_t i, std::size_t j) {
  weights_.add(one_.weights, i, other_.weights, j, subtracts_ ? -1.0 : 1.0);
  if (weights_.last() < 0) {
    // Differences within rounding of the minuend are 0, where weights came as rounded numbers.
    const double x = i == kNone ? 0.0 : one_.weights.leads[i];
    if (weights_.last() < -1e-12 * x || x == 0) return false;
    weights_.set_last(0.0);
  }
  total_ += weights_.last();
  return true;
}

void EntryMerge::drop_last() {
  if (has_floats_) {
    weights_.drop_last();
  } else {
    counts_.pop_back();
  }
  if (has_squares_) squares_.drop_last();
}

void EntryMerge::check_total() const {
  if (n_ > static_cast<UInt128>(kMostRows)) refuse_total();
  if (!std::isfinite(total_)) {
    throw InputError("cannot add: the total is beyond the range of floats");
  }
}

void EntryMerge::spread(std::span<const std::int64_t> places, std::size_t size) {
  if (has_floats_) {
    weights_.spread(places, size);
  } else {
    std::vector<std::int64_t> all(size);
    for (std::size_t i = 0; i < places.size(); ++i) {
      all[static_cast<std::size_t>(places[i])] = counts_[i];
    }
    counts_ = std::move(all);
  }
  if (has_squares_) squares_.spread(places, size);
}

EntrySums EntryMerge::take() {
  EntrySums out;
  out.has_floats = has_floats_;
  out.has_squares = has_squares_;
  if (has_floats_) {
    out.weights = weights_.take();
  } else {
    out.counts = std::move(counts_);
  }
  if (has_squares_) out.squares = squares_.take();
  return out;
}

}  // namespace confmat
