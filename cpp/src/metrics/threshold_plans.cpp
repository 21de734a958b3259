// Reads the rows of the registry for what each metric can be computed from.
#include "threshold_plans.hpp"

#include "confmat/base/error.hpp"
#include "confmat/metrics/catalogue.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "params.hpp"

namespace confmat::metrics {
namespace {

Plan plan_of(const Ask& ask) {
  if (ask.part != Part::kValue) throw InputError(ask.name + " is not read at thresholds");
  Plan plan;
  plan.row = plan.base = &catalogue().row(ask.row);
  plan.params = params_of(ask).data();
  auto average = static_cast<Average>(ask.average);
  if (const Row* whole = catalogue().one_of_two(*plan.row)) {
    plan.base = whole;
    plan.way = Way::kPositive;
    return plan;
  }
  if (plan.row->kind == Kind::kOverall) {
    if (plan.row->column != nullptr) plan.way = Way::kNegative;  // that of the first class
    if (plan.row->two_classes != nullptr) plan.way = Way::kOfCounts;
    return plan;
  }
  if (plan.row->kind == Kind::kPairs) return plan;
  if (plan.row->kind == Kind::kAveraged) {
    plan.base = &catalogue().base(*plan.row);
    average = plan.row->average;
  }
  switch (average) {
    case Average::kNone:
      plan.way = Way::kPositive;
      break;
    case Average::kMicro:
      plan.way = Way::kPooled;
      break;
    case Average::kMacro:
    case Average::kOvo:  // of two classes: each against the other
      plan.way = Way::kMean;
      break;
    case Average::kWeighted:
      plan.way = Way::kWeighted;
      break;
    default:
      plan.power = exponent_of(*plan.base, average, plan.params);
      plan.way = plan.power == 1.0 ? Way::kMean : Way::kPower;
  }
  return plan;
}

}  // namespace

std::vector<Plan> plans_of(std::span<const Ask> asks, bool plain, bool weighed) {
  std::vector<Plan> plans;
  for (const Ask& ask : asks) {
    plans.push_back(plan_of(ask));
    Plan& plan = plans.back();
    // Of weights, a sum over the table may be rounded in another way than that over one class.
    const bool sums =
        (plan.row->kind == Kind::kOverall && plan.base != plan.row) || plan.way == Way::kOfCounts;
    if (!plain || (weighed && (plan.base->subtracts || sums))) plan.way = Way::kTable;
  }
  return plans;
}

}  // namespace confmat::metrics
