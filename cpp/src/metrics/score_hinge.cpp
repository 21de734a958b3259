// The hinge loss of scores that are margins: positives should be at 1 or above, negatives at -1 or
// below.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <variant>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "score_passes.hpp"

namespace confmat::metrics {

double hinge(const SweepView& sweep, const ScoreSums& sums, double) {
  Sum2 total;
  bool endless = false;
  std::visit(
      [&]<class A>(const Amounts<A>& amounts, const auto* scores) {
        for (const auto [first, last] : Strides(sweep.size)) {
          for (std::size_t i = first; i < last; ++i) {
            const auto s = static_cast<double>(scores[i]);
            const auto p = static_cast<double>(amounts.positives[i]);
            const auto n = static_cast<double>(amounts.negatives[i]);
            double loss = 0.0;
            if (p > 0) loss += p * std::max(0.0, 1 - s);  // no rows have no loss, if endless
            if (n > 0) loss += n * std::max(0.0, 1 + s);
            endless |= std::isinf(loss);
            if (!endless) total.add(loss);
          }
        }
      },
      sweep.amounts, sweep.scores);
  return endless ? std::numeric_limits<double>::infinity() : total.value() / sums.n;
}

}  // namespace confmat::metrics
