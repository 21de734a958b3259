// Losses are convex. So those of the rows of a bin sum to no less than if all had its mean, and to
// no more than if they lay at its ends: the middle of both is taken.
#include "confmat/metrics/least_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <utility>
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

// How fast the loss falls where the prediction grows: sums over the numbers up to some, of which
// only a few are kept.
class HuberFall {
 public:
  // Numbers and predictions are about a zero, which numbers near it have more digits about.
  HuberFall(const NumberRanges& truths, double zero, double delta)
      : truths_(truths), zero_(zero), delta_(delta) {
    Sums sums;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i % kApart == 0) kept_.push_back(sums);
      add(sums, i);
    }
    kept_.push_back(sums);
  }

  [[nodiscard]] std::size_t size() const noexcept { return truths_.mean.size(); }
  [[nodiscard]] double number(std::size_t i) const noexcept { return truths_.mean[i] - zero_; }

  [[nodiscard]] double speed(double prediction) const {
    const auto [first, last] = quadratic(prediction);
    const Sums below = up_to(first), up_to_last = up_to(last), all = kept_.back();
    const Sum2 weight = difference(up_to_last.weight, below.weight);
    const Sum2 above = difference(all.weight, up_to_last.weight);
    Sum2 out = difference(up_to_last.number, below.number);
    add_product(out, -prediction, weight.high);
    out.add(-prediction * weight.low);
    out.add(delta_ * difference(above, below.weight).value());
    return out.value();
  }

  // The weight of the rows of which the loss is quadratic there.
  [[nodiscard]] double quadratic_weight(double prediction) const {
    const auto [first, last] = quadratic(prediction);
    return difference(up_to(last).weight, up_to(first).weight).value();
  }

  // The first number of which `holds` does not, as it does of those before.
  template <class Holds>
  [[nodiscard]] std::size_t first_without(const Holds& holds) const {
    const auto places = std::views::iota(std::size_t{0}, size());
    const auto found =
        std::ranges::partition_point(places, [&](std::size_t i) { return holds(number(i)); });
    return static_cast<std::size_t>(found - places.begin());
  }

 private:
  static constexpr std::size_t kApart = 64;
  struct Sums {
    Sum2 weight, number;
  };

  // Without its rounding, which numbers far away would leave.
  static void add_product(Sum2& to, double x, double y) {
    const double product = x * y;
    to.add(product);
    to.add(std::fma(x, y, -product));
  }

  static Sum2 difference(Sum2 of, const Sum2& other) {
    of.add({.high = -other.high, .low = -other.low});
    return of;
  }

  void add(Sums& to, std::size_t i) const {
    to.weight.add(truths_.weight[i]);
    add_product(to.number, truths_.weight[i], number(i));
  }

  [[nodiscard]] Sums up_to(std::size_t end) const {
    Sums out = kept_[end / kApart];
    for (std::size_t i = end / kApart * kApart; i < end; ++i) add(out, i);
    return out;
  }

  [[nodiscard]] std::pair<std::size_t, std::size_t> quadratic(double prediction) const {
    return {first_without([&](double x) { return x - prediction <= -delta_; }),
            first_without([&](double x) { return x - prediction < delta_; })};
  }

  const NumberRanges& truths_;
  double zero_, delta_;
  std::vector<Sums> kept_;  // up to every so many numbers, and of all
};

// The loss falls up to it and grows beyond. Its slope is linear between the numbers that are
// `delta` away from a mean: the last of these where it still falls is found first.
double huber_centre(const HuberFall& fall, double delta) {
  double low = fall.number(0), high = fall.number(fall.size() - 1);
  for (const double off : {-delta, delta}) {
    const std::size_t end = fall.first_without([&](double x) { return fall.speed(x + off) >= 0; });
    if (end > 0) low = std::fmax(low, fall.number(end - 1) + off);
    if (end < fall.size()) high = std::fmin(high, fall.number(end) + off);
  }
  const double within = fall.quadratic_weight(low + (high - low) / 2);
  if (!(within > 0)) return low;
  return std::clamp(low + fall.speed(low) / within, low, high);
}

}  // namespace

LeastLoss least_pinball(const NumberRanges& truths, double quantile) {
  return loss_of(truths, quantile_of(truths, quantile), [quantile](double error) {
    return error > 0 ? quantile * error : (quantile - 1) * error;
  });
}

LeastLoss least_huber(const NumberRanges& truths, double delta) {
  const double zero = quantile_of(truths, 0.5);
  const double centre = huber_centre(HuberFall(truths, zero, delta), delta);
  return loss_of(truths, zero, [=](double number) {
    const double error = number - centre;
    const double size = std::fabs(error);
    return size <= delta ? size * size / 2 : delta * (size - delta / 2);
  });
}

}  // namespace confmat::metrics
