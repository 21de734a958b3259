// Many states of scores of many classes as one.
#pragma once

#include <cstddef>
#include <vector>

#include "confmat/state/class_scores.hpp"

namespace confmat {

class ClassScoresSum {
 public:
  // Throws InputError: it does not go with those before.
  void add(ClassScores scores);
  // Then it is empty. Throws InputError: there was none.
  [[nodiscard]] ClassScores take();

 private:
  void join();

  std::vector<ClassScores> parts_;  // that wait for their sweeps to be added, each with its likes
  std::size_t n_entries_ = 0;       // of their sweeps
};

}  // namespace confmat
