// Saved states of any one kind: many as one, and one without another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/state/class_scores.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/joint.hpp"
#include "confmat/state/joint_scores.hpp"
#include "confmat/state/many_sweeps_sum.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/set_counts.hpp"
#include "confmat/state/set_scores.hpp"
#include "confmat/state/sweep_sum.hpp"

namespace confmat {

class StateSum {
 public:
  // Throws StateError, InputError: it does not go with those before. Needs: the bytes stay until
  // take().
  void add(Bytes bytes);
  [[nodiscard]] bool is_empty() const noexcept { return !kind_; }
  // Then it is empty; its memory stays. Throws InputError: it was.
  [[nodiscard]] std::vector<std::uint8_t> take();

 private:
  std::optional<StateKind> kind_;  // of the first
  CountsSum counts_;
  SweepSum sweeps_;
  std::vector<Bytes> tables_;
  ManySweepsSum<ClassScores> classes_;
  MergeTree<SetCounts> sets_;
  ManySweepsSum<SetScores> set_scores_;
  MergeTree<Joint> joints_;
  MergeTree<Moments> moments_;
  MergeTree<JointScores> joint_scores_;
};

}  // namespace confmat
