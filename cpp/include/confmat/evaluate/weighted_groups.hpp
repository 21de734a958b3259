// Groups of rows with weights, from codes of known labels to numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/pair_tally.hpp"

namespace confmat {

// Reused from group to group by one thread.
class WeightedGroups {
 public:
  // Needs: `spec` has labels, or those found, and outlives it.
  explicit WeightedGroups(const Spec& spec);

  // Codes of the labels (tally/encode.hpp). Throws InputError for one that no label pair has, and
  // for a weight that is none.
  GroupTotals evaluate(std::span<const WeightedCode> rows, double* values);
  [[nodiscard]] std::span<const std::string> reasons() const noexcept {
    return evaluator_.reasons();
  }

 private:
  bool few(std::span<const WeightedCode> rows, GroupTotals& totals, double* values);

  GroupEvaluator evaluator_;
  std::size_t classes_;
  bool has_squares_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> codes_;
  std::vector<double> weights_;
};

}  // namespace confmat
