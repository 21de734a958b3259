// The smooth calibration error. Each row is spread by a normal density of width w, which the ends
// of [0, 1] reflect; what is left of outcome minus score at each place counts without its sign, and
// w is as large as the sum. With the ends reflected all is a function of period 2: even, smooth,
// and so well told by its values on a grid.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <variant>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "score_block.hpp"
#include "score_passes.hpp"

namespace confmat::metrics {
namespace {

// Nodes of the grid within one width: good to about 1e-6 of the error.
constexpr double kNodes = 16.0;
constexpr double kReach = 8.5;  // widths, beyond which a normal density is below 1e-15 of its top
constexpr double kLeastWidth = 1e-5;
constexpr double kMostNodes = 1048576.0;
constexpr double kClose = 1e-9;
constexpr std::size_t kPlaces = 256;  // at a time

// Masses on the nodes 0 ... n of [0, 1], and one node beyond the first and two beyond the last.
class Nodes {
 public:
  explicit Nodes(std::size_t n) : n_(n), masses_(n + 4) {}

  // On the four nodes around it, so that sums over cubics stay.
  void add(double at, double mass) noexcept {
    const double place = at * static_cast<double>(n_);
    const auto node = static_cast<std::size_t>(place);
    const double u = place - static_cast<double>(node);
    double* const on = masses_.data() + node;
    const double below = u * (u - 1) * mass;
    const double above = (u + 1) * (u - 2) * mass;
    on[0] -= below * (u - 2) / 6;
    on[1] += above * (u - 1) / 2;
    on[2] -= above * u / 2;
    on[3] += below * (u + 1) / 6;
  }
  // Of the nodes within: what lies beyond an end is reflected.
  [[nodiscard]] std::vector<double> folded() const {
    std::vector<double> out(masses_.begin() + 1, masses_.end() - 2);
    out[1] += masses_[0];
    out[n_ - 1] += masses_[n_ + 2];
    out[n_ - 2] += masses_[n_ + 3];
    return out;
  }

 private:
  std::size_t n_;
  std::vector<double> masses_;
};

// Outcome minus score at each distinct score, as shares of all rows.
class Residuals {
 public:
  Residuals(const SweepView& sweep, double n)
      : sweep_(sweep), n_(n), fine_(is_large() ? kFine : 0) {
    each([this](double at, double mass) {
      total_ += std::fabs(mass);
      if (is_large()) fine_.add(at, mass);
    });
  }

  // The sum of their sizes.
  [[nodiscard]] double total() const { return total_; }

  [[nodiscard]] Nodes on(std::size_t nodes) const {
    if (is_large() && nodes == kFine) return fine_;
    Nodes out(nodes);
    if (is_large() && nodes < kFine) {
      const double step = 1.0 / static_cast<double>(kFine);
      // What lies beyond an end is an image of what lies before it.
      const std::vector<double> half = fine_.folded();
      for (std::size_t i = 0; i <= kFine; ++i) out.add(static_cast<double>(i) * step, half[i]);
    } else {
      each([&out](double at, double mass) { out.add(at, mass); });
    }
    return out;
  }

 private:
  static constexpr std::size_t kFine = std::size_t{1} << 18;

  [[nodiscard]] bool is_large() const { return sweep_.size > 2 * kFine; }

  template <class F>
  void each(F see) const {
    std::visit(
        [&]<class A>(const Amounts<A>& amounts, const auto* scores) {
          for (const auto [first, last] : Strides(sweep_.size)) {
            for (std::size_t i = first; i < last; ++i) {
              const auto s = static_cast<double>(scores[i]);
              see(s, (static_cast<double>(amounts.positives[i]) * (1 - s) -
                      static_cast<double>(amounts.negatives[i]) * s) /
                         n_);
            }
          }
        },
        sweep_.amounts, sweep_.scores);
  }

  const SweepView& sweep_;
  double n_;
  double total_ = 0.0;
  Nodes fine_;
};

// The integral over one cell, in units of its width, of the size of the cubic through four values
// around it.
double size_within(double before, double first, double last, double after) {
  const double whole = (13 * (first + last) - before - after) / 24;
  if (!(first * last < 0)) return std::fabs(whole);
  const double slope = last - before / 3 - first / 2 - after / 6;
  const double bend = (before + last) / 2 - first;
  const double twist = (after - before) / 6 + (first - last) / 2;
  double zero = first / (first - last);
  for (int i = 0; i < 4; ++i) {
    const double value = first + zero * (slope + zero * (bend + zero * twist));
    const double turn = slope + zero * (2 * bend + 3 * zero * twist);
    if (turn != 0) zero = std::clamp(zero - value / turn, 0.0, 1.0);
  }
  const double left = zero * (first + zero * (slope / 2 + zero * (bend / 3 + zero * twist / 4)));
  return std::fabs(left) + std::fabs(whole - left);
}

// What the masses around places leave there, which follow each other. Needs: n <= kPlaces.
void spread(const std::vector<double>& density, const double* mass, std::size_t n, double* out) {
  wide_loop([&density, mass, n, out] {
    double sums[kPlaces];
    for (std::size_t i = 0; i < n; ++i) sums[i] = density[0] * mass[i];
    for (std::size_t d = 1; d < density.size(); ++d) {
      const double share = density[d];
      const double *const before = mass - d, *const after = mass + d;
      for (std::size_t i = 0; i < n; ++i) sums[i] += share * (before[i] + after[i]);
    }
    std::copy_n(sums, n, out);
  });
}

// The error at a width.
double error_at(double width, const Residuals& residuals) {
  const double wanted = std::clamp(kNodes / width, kNodes, kMostNodes);
  const auto nodes = static_cast<std::ptrdiff_t>(std::exp2(std::ceil(std::log2(wanted))));
  const double unit = width * static_cast<double>(nodes);
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(kReach * unit));
  std::vector<double> density(static_cast<std::size_t>(reach) + 1);
  for (std::size_t d = 0; d < density.size(); ++d) {
    const double x = static_cast<double>(d) / unit;
    density[d] = std::exp(-x * x / 2);
  }
  // Of nodes and their images, as far as densities reach.
  const std::vector<double> within = residuals.on(static_cast<std::size_t>(nodes)).folded();
  const std::ptrdiff_t margin = reach + 1;
  std::vector<double> mass(static_cast<std::size_t>(nodes + 2 * margin + 1));
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const std::ptrdiff_t x = std::abs(static_cast<std::ptrdiff_t>(i) - margin) % (2 * nodes);
    const std::ptrdiff_t node = std::min(x, 2 * nodes - x);
    const double images = node == 0 || node == nodes ? 2.0 : 1.0;
    mass[i] = images * within[static_cast<std::size_t>(node)];
  }
  // From one place before the first to one beyond the last.
  std::vector<double> left(static_cast<std::size_t>(nodes) + 3);
  const StopSign sign;
  for (std::size_t first = 0; first < left.size(); first += kPlaces) {
    sign.obey();
    const std::size_t n = std::min(kPlaces, left.size() - first);
    spread(density, mass.data() + reach + first, n, left.data() + first);
  }
  double total = 0.0;
  for (std::size_t i = 1; i + 2 < left.size(); ++i) {
    total += size_within(left[i - 1], left[i], left[i + 1], left[i + 2]);
  }
  return total / (unit * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

double smooth_error(const SweepView& sweep, const ScoreSums& sums, double) {
  const Residuals residuals(sweep, sums.n);
  // The error falls as the width grows, so it is never above that without any, and the width at
  // which both are the same lies between any width and the error there.
  double high = residuals.total();
  if (!(high > kLeastWidth)) return high;
  double over = error_at(high, residuals) - high;
  if (!(over < 0)) return high;
  double low = std::max(high + over, kLeastWidth);
  double under = error_at(low, residuals) - low;
  if (!(under > 0)) return low + under;
  for (int i = 0; i < 100 && high - low > kClose * high; ++i) {
    const double width = low + (high - low) * (under / (under - over));
    const double here = error_at(width, residuals) - width;
    if (std::fabs(here) <= kClose * width) return width;
    // Illinois: an end that stays counts half.
    if (here > 0) {
      low = width;
      under = here;
      over /= 2;
    } else {
      high = width;
      over = here;
      under /= 2;
    }
  }
  return low;
}

}  // namespace confmat::metrics
