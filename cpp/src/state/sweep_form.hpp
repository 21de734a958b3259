// How sweeps lie in saved states: what is in front of their entries. sweep_bytes.cpp has the form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Of `compatible`: what the amounts are.
inline constexpr std::uint8_t kWeights = 1;
inline constexpr std::uint8_t kSquaredWeights = 3;  // of weights
inline constexpr std::array kKindsOfSweeps{StateKind::kCurve, StateKind::kBins};

inline constexpr std::size_t kHeadBytes = 20;  // of a SweepHead in a payload
struct SweepHead {
  std::uint64_t n = 0;
  std::uint8_t gap_bytes = 0;
  std::uint8_t bytes[2] = {1, 1};  // of positives and of negatives
  bool has_scores = false;
  std::uint32_t highest = 0;
  std::uint32_t span = 0;
  bool operator==(const SweepHead&) const = default;
};

// How a sweep is written: it follows from its content.
SweepHead head_of(const Sweep& sweep);
void put(ByteWriter& out, const SweepHead& head);
[[noreturn]] void refuse_form();

std::vector<std::uint8_t> compatible_of(const Sweep& sweep);

// A saved sweep up to its entries, which are yet to be checked.
struct OpenedSweep {
  Sweep about;             // without entries; exact if the scores are known
  std::uint8_t flags = 0;  // kWeights, kSquaredWeights; 0: counts
  SweepHead head;
  Bytes entries;

  [[nodiscard]] bool has_bins() const noexcept { return about.grid.kind != Grid::Kind::kScores; }
};
// Throws StateError: some bin is none that a score lies in. Needs: they are bins of the grid.
void require_scores(const Grid& grid, std::span<const std::uint32_t> bins);

// Throws StateError: see open_state; a sweep does not begin so.
OpenedSweep open_saved_sweep(Bytes bytes);

}  // namespace confmat
