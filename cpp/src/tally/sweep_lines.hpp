// Entries written to a thousand places at once: a cache line of each is filled in memory of our own
// and goes out as a whole, past the caches, so that no line is fetched in order to be overwritten.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "confmat/kernels/table.hpp"

namespace confmat {

// Where one writer writes next in a bucket, and where its share ends.
struct Slot {
  std::uint32_t next;
  std::uint32_t end;
};

template <class E>
class LineWriter {
 public:
  // Needs: `entries` begins at a multiple of 64 bytes.
  LineWriter(E* entries, std::span<Slot> slots)
      : entries_(entries),
        slots_(slots),
        lines_(std::make_unique_for_overwrite<Line[]>(slots.size())) {
    first_.reserve(slots.size());
    for (const Slot& slot : slots) first_.push_back(slot.next);
  }

  // False: the share is full.
  bool write(std::size_t bucket, const E& entry) noexcept {
    Slot& slot = slots_[bucket];
    const std::uint32_t place = slot.next;
    if (place == slot.end) return false;
    slot.next = place + 1;
    const std::uint32_t at = place % kPerLine;
    lines_[bucket].entries[at] = entry;
    if (at == kPerLine - 1) put(bucket, place + 1);
    return true;
  }

  // Writes what is left. Once, at the end.
  void finish() noexcept {
    for (std::size_t bucket = 0; bucket < slots_.size(); ++bucket) {
      if (slots_[bucket].next % kPerLine != 0) put(bucket, slots_[bucket].next);
    }
    kernels_.stream_end();
  }

 private:
  static constexpr std::uint32_t kLine = 64;
  static_assert(kLine % sizeof(E) == 0);
  static constexpr std::uint32_t kPerLine = kLine / sizeof(E);
  struct alignas(kLine) Line {
    E entries[kPerLine];
  };

  // The entries of the last line that end before `end`.
  void put(std::size_t bucket, std::uint32_t end) noexcept {
    const std::uint32_t start = (end - 1) / kPerLine * kPerLine;
    const Line& line = lines_[bucket];
    if (start >= first_[bucket] && end - start == kPerLine) {
      kernels_.stream_out(reinterpret_cast<const std::byte*>(&line), kLine,
                          reinterpret_cast<std::byte*>(entries_ + start));
      return;
    }
    const std::uint32_t from = std::max(start, first_[bucket]);
    std::memcpy(entries_ + from, line.entries + (from - start), (end - from) * sizeof(E));
  }

  const Kernels& kernels_ = kernels();
  E* entries_;
  std::span<Slot> slots_;
  std::unique_ptr<Line[]> lines_;
  std::vector<std::uint32_t> first_;  // entry of this writer in each bucket
};

}  // namespace confmat
