// The state of two models on the same rows: how often, or with which weight, each class was taken
// for each by the one, called A, and by the other, B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "confmat/state/codec.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/entry_sums.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

// Of more classes the place of a cell passes 64 bits.
inline constexpr std::size_t kMostJointClasses = (std::size_t{1} << 21U) - 1;

struct Joint {
  SharedLabels labels = std::make_shared<const LabelSet>();
  RowTotals rows;
  // Those that are not 0: cell i is that of truth t, a of A and b of B, places[i] being
  // (t * K + a) * K + b. Places ascend.
  SharedArray<std::int64_t> places;
  EntrySums cells;

  [[nodiscard]] std::size_t k() const noexcept { return labels->size(); }
};

// What a cell is made of: entry `i` of some sums.
struct JointEntry {
  std::int64_t place;
  const EntrySums* of;
  std::size_t i;
};

// Of entries in any order; those of the same place add up. Needs: all are in one form, and there is
// one or `form` says which. Throws InputError: too many classes, a total out of range.
Joint joint_of(SharedLabels labels, const RowTotals& rows, std::vector<JointEntry> entries,
               const EntrySums& form);

// The confusion matrix of one of the models: that of the same rows.
enum class Model : std::uint8_t { kA, kB };
Counts matrix_of(const Joint& joint, Model model);

// As of confusion matrices. Throws InputError.
Joint added(const Joint& one, const Joint& other);
Joint taken_away(const Joint& one, const Joint& other);

// Whether labels, rows left out, cells and squared weights, each rounded, are the same.
bool are_same(const Joint& one, const Joint& other);

std::vector<std::uint8_t> encode(const Joint& joint);
// Throws StateError: see open_state; cells that no rows give.
Joint decode_joint(Bytes bytes);

}  // namespace confmat
