// One pass over the entries tells whether they are those of a sweep, written as they would be.
#include "confmat/state/saved_bins.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "payload.hpp"
#include "sweep_form.hpp"

namespace confmat {
namespace {

template <class To>
void widen(const std::uint8_t* from, std::size_t n, unsigned bytes, To* to) {
  with_unsigned(bytes, [&]<class Number>(Number) {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = static_cast<To>(load<Number>(from, static_cast<std::int64_t>(i)));
    }
  });
}

UInt128 sum_of(const std::uint64_t* numbers, std::size_t n) {
  return std::accumulate(numbers, numbers + n, UInt128{0});
}
std::uint64_t sum_of(const std::uint32_t* numbers, std::size_t n) {
  return std::accumulate(numbers, numbers + n, std::uint64_t{0});
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
  with_count([&]<class Count>(Count) { check<Count>(); });
}

template <class Count>
std::size_t SavedBins::read(std::size_t first, Block<Count>& block) const {
  const std::size_t n = std::min(written_ - first, kBlock);
  const std::uint8_t* at = entries_.data();
  // The first bin has no gap.
  const std::size_t skipped = first == 0 ? 1 : 0;
  std::uint32_t* const steps = block.steps.data();
  if (skipped > 0) steps[0] = 0;
  if (gap_bytes_ == 0) {
    std::fill(steps + skipped, steps + n, 1U);
  } else {
    widen(at + (first + skipped - 1) * gap_bytes_, n - skipped, gap_bytes_, steps + skipped);
    for (std::size_t i = skipped; i < n; ++i) ++steps[i];
    at += (written_ - 1) * gap_bytes_;
  }
  widen(at + first * positive_bytes_, n, positive_bytes_, block.positives.data());
  at += written_ * positive_bytes_;
  widen(at + first * negative_bytes_, n, negative_bytes_, block.negatives.data());
  return n;
}

template <class Count>
void SavedBins::check() {
  struct Found {
    Count positive_bits = 0, negative_bits = 0;
    std::uint32_t gap_bits = 0;
    std::uint64_t gaps = 0;
    std::size_t filled = 0;
    std::uint32_t empty = 0;  // bins after the last one with rows
  };
  Found all;
  UInt128 total = 0;
  bool is_first_filled = false;
  each_block<Count>([&](std::size_t first, std::size_t n, const Block<Count>& block) {
    Found found = all;  // stays in registers
    for (std::size_t i = 0; i < n; ++i) {
      found.positive_bits |= block.positives[i];
      found.negative_bits |= block.negatives[i];
      found.filled += (block.positives[i] | block.negatives[i]) != 0 ? 1U : 0U;
    }
    for (std::size_t i = 0; gap_bytes_ == 0 && i < n; ++i) {
      const bool is_empty = (block.positives[i] | block.negatives[i]) == 0;
      found.gap_bits |= is_empty ? 0 : found.empty;
      found.empty = is_empty ? found.empty + 1 : 0;
    }
    for (std::size_t i = first == 0 ? 1 : 0; gap_bytes_ > 0 && i < n; ++i) {
      const std::uint32_t gap = block.steps[i] - 1;  // a step of 2^32 is 0
      found.gap_bits |= gap;
      found.gaps += gap;
    }
    all = found;
    total += sum_of(block.positives.data(), n) + sum_of(block.negatives.data(), n);
    if (first == 0) is_first_filled = (block.positives[0] | block.negatives[0]) != 0;
  });
  const std::uint64_t below = written_ - 1 + all.gaps;  // the highest bin
  if (below > highest_) throw StateError("a bin lies below the lowest one");
  if (total > static_cast<std::uint64_t>(INT64_MAX)) {
    throw StateError("the counts sum to more than 2^63 - 1");
  }
  total_ = static_cast<std::uint64_t>(total);
  const std::uint64_t entry = std::uint64_t{positive_bytes_} + negative_bytes_;
  const bool are_all = gap_bytes_ == 0;  // bins between the first and the last
  const bool may_be_all = (below + 1) * entry <= size_ * (entry + narrowest(all.gap_bits));
  if (!are_all && all.filled < size_) throw StateError("a score or a bin without rows");
  if (all.filled != size_ || !is_first_filled || all.empty > 0 || are_all != may_be_all ||
      (!are_all && gap_bytes_ != narrowest(all.gap_bits)) ||
      positive_bytes_ != narrowest(all.positive_bits) ||
      negative_bytes_ != narrowest(all.negative_bits)) {
    refuse_form();
  }
  if (about_.grid.kind != Grid::Kind::kMap || about_.grid.map.level()) return;
  each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
    if ((positives | negatives) != 0) require_scores(about_.grid, {&bin, 1});
  });
}

template <class Count>
void SavedBins::fill(Sweep& out) const {
  std::vector<std::uint32_t> bins;
  std::vector<Count> positives, negatives;
  bins.reserve(size_);
  positives.reserve(size_);
  negatives.reserve(size_);
  each([&](std::uint32_t bin, auto of_positives, auto of_negatives) {
    if ((of_positives | of_negatives) == 0) return;
    bins.push_back(bin);
    positives.push_back(static_cast<Count>(of_positives));
    negatives.push_back(static_cast<Count>(of_negatives));
  });
  out.bins = std::move(bins);
  out.positives = SharedArray<Count>(std::move(positives));
  out.negatives = SharedArray<Count>(std::move(negatives));
}

Sweep SavedBins::decoded() const {
  Sweep out = about_;
  with_count([&]<class Count>(Count) { fill<Count>(out); });
  return canonical(std::move(out));
}

template std::size_t SavedBins::read(std::size_t, Block<std::uint32_t>&) const;
template std::size_t SavedBins::read(std::size_t, Block<std::uint64_t>&) const;

}  // namespace confmat
