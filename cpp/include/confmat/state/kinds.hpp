// The kinds of state, one row each: its number in saved bytes, its version; in messages its name,
// what it is of, and a metric of it (null: it has none by name).
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
  kTable = 6,
  kSetScores = 7,
  kJoint = 8,
  kMoments = 9,
  kJointScores = 10
};

struct KindRow {
  StateKind kind;
  std::uint16_t version;
  const char* name;
  const char* of;
  const char* metric;
};

inline constexpr std::array kKinds{
    KindRow{StateKind::kCounts, 1, "a saved confusion matrix", "predicted classes", "mcc"},
    KindRow{StateKind::kCurve, 1, "a saved sweep", "scores", "roc_auc"},
    KindRow{StateKind::kBins, 1, "a saved binned sweep", "scores", "roc_auc"},
    KindRow{StateKind::kClasses, 1, "saved scores of many classes", "scores of many classes",
            "roc_auc_macro"},
    KindRow{StateKind::kSets, 1, "a saved matrix of label sets", "label sets", "exact_match"},
    KindRow{StateKind::kTable, 1, "a saved table of slices", "slices", nullptr},
    KindRow{StateKind::kSetScores, 1, "saved scores for label sets", "scores for label sets",
            "coverage_error"},
    KindRow{StateKind::kJoint, 1, "saved joint counts", "two models", nullptr},
    KindRow{StateKind::kMoments, 1, "saved moments of a regression", "numbers", "rmse"},
    KindRow{StateKind::kJointScores, 1, "saved scores of two models", "scores of two models",
            nullptr},
};

// Null: there is none of this number.
constexpr const KindRow* find_kind(std::uint16_t number) noexcept {
  for (const KindRow& row : kKinds) {
    if (static_cast<std::uint16_t>(row.kind) == number) return &row;
  }
  return nullptr;
}

}  // namespace confmat
