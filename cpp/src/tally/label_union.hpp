// The labels of several sets in one ascending order, and the place of each there.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// A set, and which of its labels count: 1 for each that does.
struct LabelsOf {
  const ClassSet* set;
  const std::vector<std::uint8_t>* present;
};

struct LabelUnion {
  Labels labels;
  std::vector<std::vector<std::uint32_t>> ranks;  // for each set: by number, the place in `labels`
};

// Sorts the labels of each set on a thread of its own.
LabelUnion unite(Labels::Kind kind, const std::vector<LabelsOf>& sets);

}  // namespace confmat
