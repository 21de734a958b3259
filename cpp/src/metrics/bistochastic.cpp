// A table with rows and columns scaled to sums of 1.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "total_support.hpp"

namespace confmat::metrics {
namespace {

constexpr double kWanted = 1e-13;  // or what rounding leaves of a sum of many cells
constexpr double kAccepted = 1e-9;

// Rows and columns in turn come near slowly where cells lie far apart; then rows take steps of
// Newton's method, which are few and cost the cube of the size.
constexpr int kTurns = 1000;
constexpr int kMostNewtonSteps = 500;
constexpr int kMostRounds = 10;  // after each of which cells may come back

class ScaledSides {
 public:
  ScaledSides(const double* cells, std::size_t size)
      : size_(size),
        given_(cells, cells + size * size),
        cells_(given_),
        total_(size),
        row_log_(size),
        column_log_(size) {}

  // Scales columns to 1, and returns how far the sums of rows are from it.
  double columns() {
    std::ranges::fill(total_, 0.0);
    std::vector<double> below(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      sign_.obey();
      for (std::size_t j = 0; j < size_; ++j) below[j] += at(i, j);
    }
    for (std::size_t j = 0; j < size_; ++j) column_log_[j] -= std::log(below[j]);
    double off = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      sign_.obey();
      for (std::size_t j = 0; j < size_; ++j) total_[i] += at(i, j) /= below[j];
      const double by = std::fabs(total_[i] - 1.0);
      off = std::isnan(by) ? by : std::max(off, by);  // which keeps nan
    }
    return off;
  }

  void rows() {
    for (std::size_t i = 0; i < size_; ++i) {
      row_log_[i] -= std::log(total_[i]);
      for (std::size_t j = 0; j < size_; ++j) at(i, j) /= total_[i];
    }
  }

  // Towards the least of the sum of log(column sums) - log(factors of rows), which is convex. Its
  // curvature is a Laplacian, and is eliminated without a difference (Grassmann, Taksar, Heyman).
  void step() {
    std::vector<double> links = linked(), change(size_), pivot(size_);
    for (std::size_t i = 0; i < size_; ++i) change[i] = 1.0 - total_[i];
    for (std::size_t k = 0; k + 1 < size_; ++k) {
      sign_.obey();
      const double* of_k = &links[k * size_];
      for (std::size_t j = k + 1; j < size_; ++j) pivot[k] += of_k[j];
      if (pivot[k] == 0.0) continue;
      for (std::size_t i = k + 1; i < size_; ++i) {
        double* of_i = &links[i * size_];
        const double share = of_i[k] / pivot[k];
        change[i] += share * change[k];
        for (std::size_t j = k + 1; j < size_; ++j) of_i[j] += share * of_k[j];
      }
    }
    if (size_ > 0) change[size_ - 1] = 0.0;
    for (std::size_t k = size_; k-- > 0;) {
      if (pivot[k] == 0.0) {
        change[k] = 0.0;
        continue;
      }
      for (std::size_t j = k + 1; j < size_; ++j) change[k] += links[k * size_ + j] * change[j];
      change[k] /= pivot[k];
    }
    const auto [least, most] = std::ranges::minmax(change);
    const double reach = most - least;
    const double damped = reach > 0.0 ? std::log1p(reach) / reach : 1.0;
    for (std::size_t i = 0; i < size_; ++i) {
      row_log_[i] += damped * change[i];
      times(i, std::exp(damped * change[i]));
    }
  }

  // Cells that were too small for a double on the way, but are not any more; whether there are.
  bool revive() {
    constexpr double kSeen = 1e-20;
    bool out = false;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        const double given = given_[i * size_ + j];
        if (at(i, j) > 0.0 || !(given > 0.0)) continue;
        at(i, j) = std::exp(std::log(given) + row_log_[i] + column_log_[j]);
        out |= at(i, j) > kSeen;
      }
    }
    return out;
  }
  std::vector<double> cells() && { return std::move(cells_); }

 private:
  double& at(std::size_t i, std::size_t j) { return cells_[i * size_ + j]; }
  void times(std::size_t i, double factor) {
    for (std::size_t j = 0; j < size_; ++j) at(i, j) *= factor;
  }

  // How two rows share columns.
  std::vector<double> linked() {
    std::vector<double> out(size_ * size_);
    for (std::size_t i = 0; i < size_; ++i) {
      sign_.obey();
      for (std::size_t k = 0; k < i; ++k) {
        double both = 0.0;
        for (std::size_t j = 0; j < size_; ++j) both += at(i, j) * at(k, j);
        out[i * size_ + k] = out[k * size_ + i] = both;
      }
    }
    return out;
  }

  std::size_t size_;
  std::vector<double> given_, cells_, total_;
  std::vector<double> row_log_, column_log_;  // of the factors so far
  StopSign sign_;
};

}  // namespace

std::vector<double> bistochastic(const Table& table) {
  Session session(table, {});
  Margins& of = session.full();
  require_table(of);
  if (!std::isfinite(of.n)) throw InputError("the table must hold finite numbers");
  const auto size = of.row.size();
  if (!has_total_support(std::span(of.cells(), size * size), size)) {
    throw InputError(
        "the table cannot be scaled to unit rows and columns: it has too many zeros; add "
        "smoothing");
  }
  ScaledSides scaled(of.cells(), size);
  const double wanted =
      std::max(kWanted, static_cast<double>(size) * std::numeric_limits<double>::epsilon());
  for (int round = 0; round < kMostRounds; ++round) {
    double off = scaled.columns();
    for (int i = 0; i < kTurns && off > wanted; ++i) {
      scaled.rows();
      off = scaled.columns();
    }
    for (int i = 0; i < kMostNewtonSteps && off > wanted; ++i) {
      scaled.step();
      off = scaled.columns();
    }
    if (!(off < kAccepted)) break;
    if (!scaled.revive()) return std::move(scaled).cells();
  }
  throw InputError(
      "the table cannot be scaled to unit rows and columns: its cells lie too far apart; add "
      "smoothing");
}

}  // namespace confmat::metrics
