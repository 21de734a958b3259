// How sweeps lie in saved states: what is in front of their entries. sweep_bytes.cpp has the form.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Of `compatible`: what the amounts are.
inline constexpr std::uint8_t kWeights = 1;
inline constexpr std::uint8_t kSquares = 3;  // of weights
inline constexpr std::array kKindsOfSweeps{StateKind::kCurve, StateKind::kBins};

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
SweepHead take_sweep_head(ByteReader& reader);
[[noreturn]] void refuse_form();

std::vector<std::uint8_t> compatible_of(const Sweep& sweep);
// Sets type and grid; returns what it says of weights. Throws StateError.
std::uint8_t read_compatible(Bytes bytes, Sweep& out);
// Sets labels and rows. Throws StateError: a sweep has no such ones.
void read_classes(const Envelope& state, Sweep& out);

}  // namespace confmat
