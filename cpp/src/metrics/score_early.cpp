// Early recognition: every row weighs exp(-alpha rank / n), ranks beginning at 1. All is taken
// times exp(alpha / n) - 1, so that k rows above a score and m at it weigh exp(-alpha k / n) -
// exp(-alpha (k + m) / n) together, whatever the unit of weights is. In the mean over the orders of
// ties, each row at a score weighs the same.
#include <cmath>
#include <cstddef>
#include <variant>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "score_block.hpp"
#include "score_passes.hpp"

namespace confmat::metrics {
namespace {

// The weight of the rows of one class.
double weight_of(const SweepView& sweep, bool of_positives, double n, double alpha) {
  return std::visit(
      [&]<class A>(const Amounts<A>& amounts) {
        const double scale = alpha / n;
        const A* const side = of_positives ? amounts.positives : amounts.negatives;
        Running<A> above;
        Sum2 total;
        for (const auto [first, last] : Strides(sweep.size)) {
          for (std::size_t i = first; i < last; ++i) {
            const auto before = static_cast<double>(above.value());
            above.add(amounts.positives[i]);
            above.add(amounts.negatives[i]);
            if (!(side[i] > 0)) continue;
            const double here = static_cast<double>(amounts.positives[i]) +
                                static_cast<double>(amounts.negatives[i]);
            const double share = static_cast<double>(side[i]) / here;
            total.add(-share * std::exp(-scale * before) * std::expm1(-scale * here));
          }
        }
        return total.value();
      },
      sweep.amounts);
}

}  // namespace

double early_share(const SweepView& sweep, const ScoreSums& sums, double alpha) {
  const double of_positives = -std::expm1(-alpha * (sums.positives / sums.n));
  const double of_negatives = -std::expm1(-alpha * (sums.negatives / sums.n));
  // The rarer class tells it without a difference of large numbers.
  if (sums.positives <= sums.negatives) {
    const double worst = of_positives * (1 - of_negatives);
    return (weight_of(sweep, true, sums.n, alpha) - worst) / (of_positives * of_negatives);
  }
  const double lost = of_negatives - weight_of(sweep, false, sums.n, alpha);
  return lost / (of_positives * of_negatives);
}

double early_enhancement(const SweepView& sweep, const ScoreSums& sums, double alpha) {
  const double share = sums.positives / sums.n;
  return weight_of(sweep, true, sums.n, alpha) / share / -std::expm1(-alpha);
}

}  // namespace confmat::metrics
