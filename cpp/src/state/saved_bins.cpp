// Passes over the entries tell whether they are those of a sweep, written as they would be.
#include "confmat/state/saved_bins.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "payload.hpp"
#include "sweep_form.hpp"

namespace confmat {
namespace {

struct Found {
  std::uint64_t bits = 0;  // that some number has
  UInt128 sum = 0;
};

Found look_through(PackedZeros /*numbers*/, std::size_t /*n*/) { return {}; }
template <class Number>
Found look_through(PackedNumbers<Number> numbers, std::size_t n) {
  // Of a stride: narrow, for the sake of vectors.
  using Sum = std::conditional_t<sizeof(Number) <= 2, std::uint32_t,
                                 std::conditional_t<sizeof(Number) == 4, std::uint64_t, UInt128>>;
  Found out;
  for (const auto [first, last] : Strides(n)) {
    Number bits = 0;
    Sum sum = 0;
    for (std::size_t i = first; i < last; ++i) {
      bits = static_cast<Number>(bits | numbers[i]);
      sum += numbers[i];
    }
    out.bits |= bits;
    out.sum += sum;
  }
  return out;
}

template <class Positive, class Negative>
bool is_some_empty(PackedNumbers<Positive> positives, PackedNumbers<Negative> negatives,
                   std::size_t n) {
  using Note = std::conditional_t<(sizeof(Positive) > sizeof(Negative)), Positive, Negative>;
  bool is_empty = false;
  for (const auto [first, last] : Strides(n)) {
    Note empty = 0;  // as wide as the counts, for the sake of vectors
    for (std::size_t i = first; i < last; ++i) {
      const bool is_one = (positives[i] | negatives[i]) == 0;
      empty = static_cast<Note>(empty | static_cast<Note>(is_one));
    }
    is_empty = is_empty || empty != 0;
  }
  return is_empty;
}

// Of all bins from the highest to the lowest.
struct Filled {
  std::size_t n = 0;
  std::uint32_t gap_bits = 0;  // of how many empty bins lie between two that are filled
  std::uint32_t empty = 0;     // after the last that is filled
};
template <class Positive, class Negative>
Filled filled_in(PackedNumbers<Positive> positives, PackedNumbers<Negative> negatives,
                 std::size_t n) {
  Filled all;
  for (const auto [first, last] : Strides(n)) {
    Filled found = all;  // stays in registers
    for (std::size_t i = first; i < last; ++i) {
      const bool is_empty = (positives[i] | negatives[i]) == 0;
      found.n += is_empty ? 0U : 1U;
      found.gap_bits |= is_empty ? 0 : found.empty;
      found.empty = is_empty ? found.empty + 1 : 0;
    }
    all = found;
  }
  return all;
}

}  // namespace

bool SavedBins::is_one(const OpenedSweep& opened) noexcept {
  return opened.flags == 0 && opened.has_bins() && !opened.head.has_scores && opened.head.n > 0;
}

SavedBins::SavedBins(const OpenedSweep& opened) : about_(opened.about), entries_(opened.entries) {
  const SweepHead& head = opened.head;
  const std::uint64_t written = head.span > 0 ? head.span : head.n;
  const std::uint64_t most = about_.grid.size();
  if (head.highest >= most) throw StateError("a bin lies beyond the last one");
  if (head.n > written || written > most) refuse_form();
  const std::uint64_t gaps = head.span > 0 ? 0 : head.n - 1;
  const std::uint64_t wanted = gaps * head.gap_bytes + written * (head.bytes[0] + head.bytes[1]);
  if (entries_.size() < wanted) throw StateError("the state is shorter than it claims");
  if (entries_.size() > wanted) throw StateError("bytes are left after the last entry");
  size_ = static_cast<std::size_t>(head.n);
  written_ = static_cast<std::size_t>(written);
  gap_bytes_ = head.gap_bytes;
  positive_bytes_ = head.bytes[0];
  negative_bytes_ = head.bytes[1];
  highest_ = head.highest;
  check();
}

void SavedBins::check() {
  with_numbers([&](auto gaps, auto positives, auto negatives) {
    const Found of_gaps = look_through(gaps, written_ - 1);
    const std::uint64_t below = written_ - 1 + static_cast<std::uint64_t>(of_gaps.sum);
    if (below > highest_) throw StateError("a bin lies below the lowest one");
    lowest_ = highest_ - static_cast<std::uint32_t>(below);
    const Found of_positives = look_through(positives, written_);
    const Found of_negatives = look_through(negatives, written_);
    const UInt128 total = of_positives.sum + of_negatives.sum;
    if (total > static_cast<std::uint64_t>(INT64_MAX)) {
      throw StateError("the counts sum to more than 2^63 - 1");
    }
    total_ = static_cast<std::uint64_t>(total);
    const bool are_all = gap_bytes_ == 0;  // bins between the first and the last
    std::uint64_t gap_bits = of_gaps.bits;
    if (are_all) {
      const Filled filled = filled_in(positives, negatives, written_);
      if (filled.n != size_ || (positives[0] | negatives[0]) == 0 || filled.empty > 0) {
        refuse_form();
      }
      gap_bits = filled.gap_bits;
    } else if (is_some_empty(positives, negatives, written_)) {
      throw StateError("a score or a bin without rows");
    }
    const std::uint64_t entry = std::uint64_t{positive_bytes_} + negative_bytes_;
    const bool may_be_all = (below + 1) * entry <= size_ * (entry + narrowest(gap_bits));
    if (are_all != may_be_all || (!are_all && gap_bytes_ != narrowest(gap_bits)) ||
        positive_bytes_ != narrowest(of_positives.bits) ||
        negative_bytes_ != narrowest(of_negatives.bits)) {
      refuse_form();
    }
  });
  if (about_.grid.kind != Grid::Kind::kMap || about_.grid.map.level()) return;
  each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
    if ((positives | negatives) != 0) require_scores(about_.grid, {&bin, 1});
  });
}

template <class Count>
void SavedBins::fill(Sweep& out) const {
  std::vector<std::uint32_t> bins(size_);
  std::vector<Count> positives(size_), negatives(size_);
  std::size_t at = 0;  // the last bin has rows, so what has none is written over
  each([&](std::uint32_t bin, auto of_positives, auto of_negatives) {
    bins[at] = bin;
    positives[at] = static_cast<Count>(of_positives);
    negatives[at] = static_cast<Count>(of_negatives);
    at += (of_positives | of_negatives) != 0 ? 1U : 0U;
  });
  out.bins = std::move(bins);
  out.positives = SharedArray<Count>(std::move(positives));
  out.negatives = SharedArray<Count>(std::move(negatives));
}

Sweep SavedBins::decoded() const {
  Sweep out = about_;
  if (std::max(positive_bytes_, negative_bytes_) > sizeof(std::uint32_t)) {
    fill<std::uint64_t>(out);
  } else {
    fill<std::uint32_t>(out);
  }
  return canonical(std::move(out));
}

}  // namespace confmat
