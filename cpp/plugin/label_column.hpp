// A column of labels as a plugin call gives it; whole numbers in floats become integers.
#pragma once

#include <deque>
#include <vector>

#include "confmat/batch/whole_numbers.hpp"
#include "plugin/inputs.hpp"

namespace confmat::plugin {

class LabelColumn {
 public:
  LabelColumn() = default;
  // Input `i`, without chunks that have no row, unless none has one. `scores_go_to` is for a hint,
  // see Place.
  LabelColumn(const Inputs& inputs, std::size_t i, const char* argument,
              const char* scores_go_to = "cm.sweep_metrics");

  [[nodiscard]] Chunks chunks() const noexcept {
    return whole_.empty() ? as_it_lies_.chunks() : Chunks(columns_);
  }

 private:
  ArrowColumns as_it_lies_;
  std::deque<WholeColumn> whole_;
  std::vector<Column> columns_;
};

}  // namespace confmat::plugin
