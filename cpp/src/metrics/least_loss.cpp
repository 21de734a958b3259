// Losses are convex. So those of the rows of a bin sum to no less than if all had its mean, and to
// no more than if they lay at its ends: the middle of both is taken.
#include "confmat/metrics/least_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <vector>

#include "confmat/base/sum2.hpp"

namespace confmat::metrics {
namespace {

template <class Loss>
LeastLoss loss_of(const NumberRanges& truths, double prediction, const Loss& loss) {
  Sum2 least, off;
  for (std::size_t i = 0; i < truths.mean.size(); ++i) {
    const double low = truths.low[i], high = truths.high[i], mean = truths.mean[i];
    const double at_mean = loss(mean - prediction);
    least.add(truths.weight[i] * at_mean);
    if (low == high) continue;
    const double share = (mean - low) / (high - low);
    const double at_ends = (1 - share) * loss(low - prediction) + share * loss(high - prediction);
    off.add(truths.weight[i] * std::fmax(at_ends - at_mean, 0.0) / 2);
  }
  return {.sum = least.value() + off.value(), .off = off.value()};
}

// The mean of the first bin up to whose end a share of the rows lies.
double quantile_of(const NumberRanges& truths, double share) {
  Sum2 total, up_to;
  for (const double weight : truths.weight) total.add(weight);
  std::size_t i = 0;
  for (; i + 1 < truths.mean.size(); ++i) {
    up_to.add(truths.weight[i]);
    if (up_to.value() >= share * total.value()) break;
  }
  return truths.mean[i];
}

// How fast the loss falls where the prediction grows; and the weight of the rows of which it is
// quadratic there.
struct Fall {
  double speed = 0, quadratic = 0;
};

Fall fall_at(const NumberRanges& truths, double prediction, double delta) {
  Sum2 speed, quadratic;
  for (std::size_t i = 0; i < truths.mean.size(); ++i) {
    const double error = truths.mean[i] - prediction;
    speed.add(truths.weight[i] * std::clamp(error, -delta, delta));
    if (std::fabs(error) < delta) quadratic.add(truths.weight[i]);
  }
  return {.speed = speed.value(), .quadratic = quadratic.value()};
}

// About another zero, which numbers near it have more digits about.
NumberRanges moved(NumberRanges truths, double zero) {
  for (std::vector<double>* const of : {&truths.low, &truths.high, &truths.mean}) {
    for (double& x : *of) x -= zero;
  }
  return truths;
}

// The loss falls up to it and grows beyond. Its slope is linear between the numbers that are
// `delta` away from a mean: the last of these where it still falls is found first.
double huber_centre(const NumberRanges& truths, double delta) {
  const auto falls = [&](double at) { return fall_at(truths, at, delta).speed >= 0; };
  double low = truths.mean.front(), high = truths.mean.back();
  for (const double off : {-delta, delta}) {
    const auto bends = truths.mean | std::views::transform([off](double x) { return x + off; });
    const auto end = std::ranges::partition_point(bends, falls);
    if (end != bends.begin()) low = std::fmax(low, *(end - 1));
    if (end != bends.end()) high = std::fmin(high, *end);
  }
  const double within = fall_at(truths, low + (high - low) / 2, delta).quadratic;
  if (!(within > 0)) return low;
  return std::clamp(low + fall_at(truths, low, delta).speed / within, low, high);
}

}  // namespace

LeastLoss least_pinball(const NumberRanges& truths, double quantile) {
  return loss_of(truths, quantile_of(truths, quantile), [quantile](double error) {
    return error > 0 ? quantile * error : (quantile - 1) * error;
  });
}

LeastLoss least_huber(const NumberRanges& truths, double delta) {
  const NumberRanges near = moved(truths, quantile_of(truths, 0.5));
  return loss_of(near, huber_centre(near, delta), [delta](double error) {
    const double size = std::fabs(error);
    return size <= delta ? size * size / 2 : delta * (size - delta / 2);
  });
}

}  // namespace confmat::metrics
