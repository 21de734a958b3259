// Groups whose labels are of an Enum that the request does not name: all its categories are
// classes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "confmat/evaluate/pair_tally.hpp"
#include "confmat/evaluate/weighted_groups.hpp"

namespace confmat {

// Reused from group to group by one thread, while the categories stay where they are.
class EnumGroups {
 public:
  // Needs: `spec` outlives it.
  explicit EnumGroups(const Spec& spec) : asked_(&spec) {}

  // A group of so many rows. Needs: tally.resolve() gave the categories.
  GroupTotals evaluate(PairTally& tally, std::int64_t rows, const Categories& categories,
                       double* values);
  [[nodiscard]] std::span<const std::string> reasons() const noexcept {
    return asked_->weighted ? weighted_->reasons() : evaluator_->reasons();
  }

 private:
  void begin(const Categories& categories);

  const Spec* asked_;
  Categories categories_;
  const Categories* last_ = nullptr;  // where they were found
  std::unique_ptr<const Spec> spec_;
  std::unique_ptr<GroupEvaluator> evaluator_;
  std::unique_ptr<WeightedGroups> weighted_;
  std::vector<WeightedCode> rows_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::int64_t> cells_;
};

}  // namespace confmat
