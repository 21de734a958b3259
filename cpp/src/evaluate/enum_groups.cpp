// Evaluates groups by the categories of their Enum, which become the labels of the request.
#include "confmat/evaluate/enum_groups.hpp"

namespace confmat {

GroupTotals EnumGroups::evaluate(PairTally& tally, std::int64_t rows, const Categories& categories,
                                 double* values) {
  if (last_ != &categories && (spec_ == nullptr || categories_ != categories)) begin(categories);
  last_ = &categories;
  const std::size_t side = categories.size() + 2;
  if (asked_->weighted) {
    tally.take_known(rows_);
    return weighted_->evaluate(rows_, values);
  }
  if (evaluator_->are_few(static_cast<std::size_t>(rows))) {
    tally.take_known(rows_);
    codes_.clear();
    for (const auto& row : rows_) codes_.push_back(static_cast<std::uint32_t>(row.code));
    GroupTotals totals;
    if (evaluator_->few(codes_, {}, totals, values)) return totals;
    cells_.assign(side * side, 0);
    for (const auto code : codes_) ++cells_[code];
  } else {
    cells_.resize(side * side);
    tally.take_known(cells_);
  }
  return evaluator_->codes(cells_, values);
}

void EnumGroups::begin(const Categories& categories) {
  evaluator_.reset();
  weighted_.reset();
  categories_ = categories;
  spec_ = std::make_unique<Spec>(
      with_labels(*asked_, {.kind = Labels::Kind::kText, .ints = {}, .texts = categories}));
  if (asked_->weighted) {
    weighted_ = std::make_unique<WeightedGroups>(*spec_);
  } else {
    evaluator_ = std::make_unique<GroupEvaluator>(*spec_);
  }
}

}  // namespace confmat
