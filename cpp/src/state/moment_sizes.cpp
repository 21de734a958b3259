// How large the sums of so many rows can be: sums of states that keep to it keep to it, too.
#include <cmath>

#include "confmat/base/exact_sum.hpp"
#include "confmat/state/moments.hpp"

namespace confmat {
namespace {

// One row adds less to a sum than this power of two: numbers and weights are at most kMostNumber.
int most_of_row(std::size_t sum) noexcept {
  switch (sum) {
    case kSumWeight:
      return 203;
    case kSumTruth:
    case kSumPrediction:
    case kSumError:
      return 403;
    default:
      return sum < kMomentSums ? 603 : 803;
  }
}

}  // namespace

bool sums_fit_rows(const Moments& of) {
  const std::int64_t rows = of.rows.counted;
  for (std::size_t i = 0; i < of.sums.leads.size(); ++i) {
    const double lead = of.sums.leads[i];
    const int most = most_of_row(i);
    if (std::fabs(lead) <= std::ldexp(static_cast<double>(rows), most - 1)) continue;
    const double sign = lead < 0 ? -1.0 : 1.0;
    ExactSum beyond;
    beyond.add(std::fabs(lead));
    for (const Tail& tail : of.sums.tails_of(i)) beyond.add(sign * tail.part);
    beyond.add(-std::ldexp(static_cast<double>(rows >> 32), most + 32));
    beyond.add(-std::ldexp(static_cast<double>(rows & UINT32_MAX), most));
    if (beyond.value() > 0) return false;
  }
  return true;
}

}  // namespace confmat
