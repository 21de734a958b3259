// The least mean loss that one number as the prediction of all rows has. Cost: one pass over the
// bins of the truths; of Huber's loss some 40 of them.
#pragma once

#include "confmat/state/moments.hpp"

namespace confmat::metrics {

struct LeastLoss {
  double sum = 0;  // over rows
  double off = 0;  // by at most so much; 0 where each bin is one number
};

// Needs: there are bins.
LeastLoss least_pinball(const NumberRanges& truths, double quantile);
LeastLoss least_huber(const NumberRanges& truths, double delta);

}  // namespace confmat::metrics
