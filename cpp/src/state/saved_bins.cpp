// Checks what decode_sweep checks, in one pass over the entries.
#include "confmat/state/saved_bins.hpp"

#include <algorithm>

#include "confmat/base/error.hpp"
#include "payload.hpp"
#include "sweep_form.hpp"

namespace confmat {
namespace {

void widen(const std::uint8_t* from, std::size_t n, unsigned bytes, std::uint32_t* to) {
  with_unsigned(bytes, [&]<class Number>(Number) {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = static_cast<std::uint32_t>(load<Number>(from, static_cast<std::int64_t>(i)));
    }
  });
}

}  // namespace

std::optional<SavedBins> SavedBins::open(Bytes bytes) try {
  const Envelope state = open_state(bytes, kKindsOfSweeps);
  SavedBins out;
  const bool counts = read_compatible(state.compatible, out.about_) == 0;
  const bool has_unit_bins = unit_level_of(out.about_.grid).has_value();
  if (state.kind != StateKind::kBins || !counts || !has_unit_bins) return std::nullopt;
  read_classes(state, out.about_);
  ByteReader reader(state.payload);
  const SweepHead head = take_sweep_head(reader);
  if (head.n == 0 || head.has_scores || (head.span > 0) != (head.gap_bytes == 0) ||
      std::max(head.bytes[0], head.bytes[1]) > 4) {
    return std::nullopt;
  }
  const std::uint64_t written = head.span > 0 ? head.span : head.n;
  const std::uint64_t gaps = head.span > 0 ? 0 : head.n - 1;
  const std::uint64_t most = out.about_.grid.size();
  if (written > most || head.highest >= most ||
      reader.left() != gaps * head.gap_bytes + written * (head.bytes[0] + head.bytes[1])) {
    return std::nullopt;
  }
  out.about_.is_exact = false;
  out.entries_at_ = static_cast<std::size_t>(state.payload.data() - bytes.data()) +
                    (state.payload.size() - reader.left());
  out.bytes_ = bytes;
  out.size_ = static_cast<std::size_t>(head.n);
  out.written_ = static_cast<std::size_t>(written);
  out.gap_bytes_ = head.gap_bytes;
  out.positive_bytes_ = head.bytes[0];
  out.negative_bytes_ = head.bytes[1];
  out.highest_ = head.highest;
  if (!out.check()) return std::nullopt;
  return out;
} catch (const StateError&) {
  return std::nullopt;
}

std::size_t SavedBins::read(std::size_t first, Block& block) const {
  const std::size_t n = std::min(written_ - first, kBlock);
  const std::uint8_t* at = bytes_.data() + entries_at_;
  // The first bin has no gap.
  const std::size_t skipped = first == 0 ? 1 : 0;
  if (skipped > 0) block.steps[0] = 0;
  if (gap_bytes_ == 0) {
    std::fill(block.steps.begin() + skipped, block.steps.begin() + n, 1U);
  } else {
    std::uint32_t* const steps = block.steps.data() + skipped;
    widen(at + (first + skipped - 1) * gap_bytes_, n - skipped, gap_bytes_, steps);
    for (std::size_t i = 0; i < n - skipped; ++i) ++steps[i];
    at += (written_ - 1) * gap_bytes_;
  }
  widen(at + first * positive_bytes_, n, positive_bytes_, block.positives.data());
  at += written_ * positive_bytes_;
  widen(at + first * negative_bytes_, n, negative_bytes_, block.negatives.data());
  return n;
}

// Whether every bin is one of the grid, those that are written hold rows, and all is as narrow as
// can be.
bool SavedBins::check() {
  std::uint32_t positive_bits = 0, negative_bits = 0, gap_bits = 0;
  std::uint64_t gaps = 0;
  std::size_t filled = 0;
  std::uint32_t empty = 0;  // bins after the last one with rows
  bool is_first_filled = false;
  for (std::size_t first = 0; first < written_; first += kBlock) {
    Block block;
    const std::size_t n = read(first, block);
    std::uint64_t of_block = 0;
    for (std::size_t i = 0; i < n; ++i) {
      positive_bits |= block.positives[i];
      negative_bits |= block.negatives[i];
      of_block += std::uint64_t{block.positives[i]} + block.negatives[i];
      filled += (block.positives[i] | block.negatives[i]) != 0 ? 1U : 0U;
    }
    total_ += of_block;
    if (first == 0) is_first_filled = (block.positives[0] | block.negatives[0]) != 0;
    if (gap_bytes_ == 0) {
      for (std::size_t i = 0; i < n; ++i) {
        const bool is_empty = (block.positives[i] | block.negatives[i]) == 0;
        gap_bits |= is_empty ? 0 : empty;
        empty = is_empty ? empty + 1 : 0;
      }
    } else {
      for (std::size_t i = first == 0 ? 1 : 0; i < n; ++i) {
        const std::uint32_t gap = block.steps[i] - 1;  // a step of 2^32 is 0
        gap_bits |= gap;
        gaps += gap;
      }
    }
  }
  const std::uint64_t below = written_ - 1 + gaps;  // the highest bin
  const std::uint64_t entry = std::uint64_t{positive_bytes_} + negative_bytes_;
  const bool spans = (below + 1) * entry <= size_ * (entry + narrowest(gap_bits));
  return below <= highest_ && filled == size_ && is_first_filled && empty == 0 &&
         spans == (gap_bytes_ == 0) && (gap_bytes_ == 0 || gap_bytes_ == narrowest(gap_bits)) &&
         positive_bytes_ == narrowest(positive_bits) && negative_bytes_ == narrowest(negative_bits);
}

}  // namespace confmat
