// Adding and taking away confusion matrices, cell by cell.
#include "confmat/state/counts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

constexpr std::size_t kNone = ExactSumsBuilder::kNone;

// A cell of one matrix at its place among the classes of the merge.
struct Placed {
  std::int64_t place;
  std::size_t i;  // which of those held
};

bool is_zero(const Counts& of, std::size_t i) noexcept {
  return of.has_floats ? of.weights.leads[i] == 0 : of.cells[i] == 0;
}

// The cells that are not 0, ascending.
std::vector<Placed> placed(const Counts& of, const std::vector<std::uint32_t>& at, std::size_t k) {
  std::vector<Placed> out;
  const auto own = static_cast<std::int64_t>(of.k());
  const auto side = static_cast<std::int64_t>(k);
  bool ascends = true;
  for (const auto [first, last] : Strides(of.held())) {
    for (std::size_t i = first; i < last; ++i) {
      if (is_zero(of, i)) continue;
      std::int64_t place = of.place(i);
      if (!at.empty()) {
        place = at[static_cast<std::size_t>(place / own)] * side +
                at[static_cast<std::size_t>(place % own)];
      }
      ascends = ascends && (out.empty() || out.back().place < place);
      out.push_back({place, i});
    }
  }
  if (!ascends) std::ranges::sort(out, {}, &Placed::place);
  return out;
}

// Calls visit(place, i, j) for the cells that either holds, in order; kNone: it is 0 there.
template <class Visit>
void each_of_both(const std::vector<Placed>& one, const std::vector<Placed>& other,
                  const Visit& visit) {
  const StopSign sign;
  for (std::size_t a = 0, b = 0, n = 0; a < one.size() || b < other.size(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    const bool left = b == other.size() || (a < one.size() && one[a].place <= other[b].place);
    const bool right = a == one.size() || (b < other.size() && other[b].place <= one[a].place);
    const std::int64_t place = left ? one[a].place : other[b].place;
    visit(place, left ? one[a].i : kNone, right ? other[b].i : kNone);
    a += left ? 1 : 0;
    b += right ? 1 : 0;
  }
}

// Whole numbers as exact sums, for cells among float weights and for weights of 1.
ExactSums as_sums(const SharedArray<std::int64_t>& cells) {
  ExactSumsBuilder out;
  out.reserve(cells.size());
  for (const std::int64_t cell : cells.view()) out.add_whole(static_cast<std::uint64_t>(cell));
  return out.take();
}

// Of a matrix without float weights or without squares: as it would be if it had them.
Counts with_floats(const Counts& of) {
  Counts out = of;
  out.weights = as_sums(of.cells);
  out.has_floats = true;
  out.cells = {};
  return out;
}
Counts with_squares(const Counts& of) {
  Counts out = of;
  out.squares = as_sums(of.cells);
  out.has_squares = true;
  return out;
}
bool knows_squares(const Counts& of) noexcept { return of.has_squares || !of.has_floats; }

std::string shown(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// The two operations: what becomes of a cell, and what is refused.
struct Sum {
  static constexpr const char* kVerb = "add";
  static constexpr double kSign = 1.0;
};
struct Difference {
  static constexpr const char* kVerb = "subtract";
  static constexpr double kSign = -1.0;
};

class Merge {
 public:
  Merge(const Counts& one, const Counts& other, MergedLabels labels)
      : one_(one), other_(other), labels_(std::move(labels)) {}

  template <class Operation>
  Counts run() {
    out_.labels = labels_.labels;
    out_.has_floats = one_.has_floats;
    out_.has_squares = one_.has_squares && other_.has_squares;
    const std::size_t k = out_.k();
    const bool aligned = labels_.of_one.empty() && labels_.of_other.empty() && one_.k() == k &&
                         other_.k() == k && !one_.is_sparse && !other_.is_sparse;
    if (aligned) {
      reserve(one_.held());
      for (const auto [first, last] : Strides(one_.held())) {
        for (std::size_t i = first; i < last; ++i) {
          cell<Operation>(static_cast<std::int64_t>(i), i, i);
        }
      }
      table_ = true;
    } else {
      each_of_both(placed(one_, labels_.of_one, k), placed(other_, labels_.of_other, k),
                   [&](std::int64_t place, std::size_t i, std::size_t j) {
                     cell<Operation>(place, i, j);
                     if (is_last_zero()) return drop_last();
                     places_.push_back(place);
                   });
    }
    return finish(k);
  }

 private:
  void reserve(std::size_t n) {
    if (out_.has_floats) {
      weights_.reserve(n);
    } else {
      cells_.reserve(n);
    }
    if (out_.has_squares) squares_.reserve(n);
  }

  template <class Operation>
  void cell(std::int64_t place, std::size_t i, std::size_t j) {
    if (out_.has_floats) {
      weights_.add(one_.weights, i, other_.weights, j, Operation::kSign);
      if (Operation::kSign < 0) settle_difference(place, i, j);
      total_ += weights_.last();
    } else {
      const std::int64_t x = i == kNone ? 0 : one_.cells[i];
      const std::int64_t y = j == kNone ? 0 : other_.cells[j];
      if (Operation::kSign < 0) {
        if (y > x) refuse_negative(place, std::to_string(x), std::to_string(y));
        cells_.push_back(x - y);
      } else {
        if (y > std::numeric_limits<std::int64_t>::max() - x) refuse_total();
        cells_.push_back(x + y);
        if (cells_.back() > std::numeric_limits<std::int64_t>::max() - n_) refuse_total();
        n_ += cells_.back();
      }
    }
    if (!out_.has_squares) return;
    squares_.add(one_.squares, i, other_.squares, j, Operation::kSign);
    if (squares_.last() < 0 || is_last_zero()) squares_.set_last(0.0);
  }

  // Differences within rounding of the minuend are 0, where weights came as rounded numbers.
  void settle_difference(std::int64_t place, std::size_t i, std::size_t j) {
    const double x = i == kNone ? 0.0 : one_.weights.leads[i];
    if (weights_.last() >= 0) return;
    if (weights_.last() < -1e-12 * x || x == 0) {
      refuse_negative(place, shown(x), shown(other_.weights.leads[j]));
    }
    weights_.set_last(0.0);
  }

  [[nodiscard]] bool is_last_zero() const noexcept {
    return out_.has_floats ? weights_.last() == 0 : cells_.back() == 0;
  }
  void drop_last() {
    if (out_.has_floats) {
      weights_.drop_last();
    } else {
      cells_.pop_back();
    }
    if (out_.has_squares) squares_.drop_last();
  }

  [[noreturn]] void refuse_negative(std::int64_t place, const std::string& in_one,
                                    const std::string& in_other) const {
    const auto k = static_cast<std::int64_t>(out_.k());
    const Labels& labels = out_.labels->labels;
    throw InputError("cannot subtract: true " +
                     quoted_label(labels, static_cast<std::size_t>(place / k)) + ", predicted " +
                     quoted_label(labels, static_cast<std::size_t>(place % k)) + " has " + in_one +
                     " in the first and " + in_other + " in the second");
  }
  [[noreturn]] static void refuse_total() {
    throw InputError("cannot add: the total is beyond 64-bit integers");
  }

  Counts finish(std::size_t k) {
    if (!std::isfinite(total_)) {
      throw InputError("cannot add: the total is beyond the range of floats");
    }
    if (!table_ && is_table(k, places_.size())) spread(k);
    out_.is_sparse = !table_;
    if (!table_) out_.places = std::move(places_);
    if (out_.has_floats) {
      out_.weights = weights_.take();
    } else {
      out_.cells = std::move(cells_);
    }
    if (out_.has_squares) out_.squares = squares_.take();
    return std::move(out_);
  }

  void spread(std::size_t k) {
    table_ = true;
    if (out_.has_floats) {
      weights_.spread(places_, k * k);
    } else {
      std::vector<std::int64_t> all(k * k);
      for (std::size_t i = 0; i < places_.size(); ++i) {
        all[static_cast<std::size_t>(places_[i])] = cells_[i];
      }
      cells_ = std::move(all);
    }
    if (out_.has_squares) squares_.spread(places_, k * k);
  }

  const Counts& one_;
  const Counts& other_;
  MergedLabels labels_;
  Counts out_;
  bool table_ = false;
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> cells_;
  ExactSumsBuilder weights_;
  ExactSumsBuilder squares_;
  std::int64_t n_ = 0;
  double total_ = 0;
};

template <class Operation>
Counts merged(const Counts& one, const Counts& other, MergedLabels labels) {
  if (one.has_floats != other.has_floats) {
    // The squares of whole numbers are known before they are floats.
    const Counts& whole = one.has_floats ? other : one;
    const Counts& floats = one.has_floats ? one : other;
    Counts wide =
        with_floats(floats.has_squares && !whole.has_squares ? with_squares(whole) : whole);
    return one.has_floats ? merged<Operation>(one, wide, std::move(labels))
                          : merged<Operation>(wide, other, std::move(labels));
  }
  if (one.has_squares != other.has_squares && knows_squares(one) && knows_squares(other)) {
    return one.has_squares ? merged<Operation>(one, with_squares(other), std::move(labels))
                           : merged<Operation>(with_squares(one), other, std::move(labels));
  }
  return Merge(one, other, std::move(labels)).run<Operation>();
}

}  // namespace

bool is_table(std::size_t k, std::size_t filled, std::size_t most_bytes) noexcept {
  if (k > 0 && k > most_bytes / sizeof(std::int64_t) / k) return false;
  return k <= kAlwaysTable || filled > k * k / kTableShare;
}

Counts added(const Counts& one, const Counts& other) {
  Counts out = merged<Sum>(one, other, merge_labels(one.labels, other.labels));
  out.rows = added(one.rows, other.rows);
  return out;
}

Counts taken_away(const Counts& one, const Counts& other) {
  Counts out = merged<Difference>(one, other, remaining_labels(one.labels, other.labels));
  out.rows = {.counted = one.rows.counted - other.rows.counted,
              .dropped = one.rows.dropped - other.rows.dropped,
              .other = one.rows.other - other.rows.other,
              .nan = one.rows.nan - other.rows.nan};
  if (std::min(one.rows.counted, other.rows.counted) < 0 || out.rows.counted < 0) {
    out.rows.counted = RowTotals::kUnknown;
  }
  if (std::min({out.rows.dropped, out.rows.other, out.rows.nan}) < 0) {
    throw InputError("cannot subtract: n_dropped or n_other is larger in the second");
  }
  return out;
}

}  // namespace confmat
