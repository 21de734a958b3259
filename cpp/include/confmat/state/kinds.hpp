// The kinds of state, one row each: its number in saved bytes, its version, its name in messages.
#pragma once

#include <array>
#include <cstdint>

namespace confmat {

enum class StateKind : std::uint16_t {
  kCounts = 1,
  kCurve = 2,
  kBins = 3,
  kClasses = 4,
  kSets = 5,
  kSetScores = 7
};

struct KindRow {
  StateKind kind;
  std::uint16_t version;
  const char* name;
};

inline constexpr std::array kKinds{
    KindRow{StateKind::kCounts, 1, "a saved confusion matrix"},
    KindRow{StateKind::kCurve, 1, "a saved sweep"},
    KindRow{StateKind::kBins, 1, "a saved binned sweep"},
    KindRow{StateKind::kClasses, 1, "saved scores of many classes"},
    KindRow{StateKind::kSets, 1, "a saved matrix of label sets"},
    KindRow{StateKind::kSetScores, 1, "saved scores for label sets"},
};

// Null: there is none of this number.
constexpr const KindRow* find_kind(std::uint16_t number) noexcept {
  for (const KindRow& row : kKinds) {
    if (static_cast<std::uint16_t>(row.kind) == number) return &row;
  }
  return nullptr;
}

}  // namespace confmat
