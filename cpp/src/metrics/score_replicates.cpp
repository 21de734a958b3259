// Sweeps drawn again, and their values.
#include "confmat/metrics/score_replicates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/multinomial.hpp"
#include "confmat/base/poisson.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/base/wide.hpp"

namespace confmat::metrics {
namespace {

// Positives and negatives, ready to be drawn again: each by itself, or in one urn.
class SweepUrns {
 public:
  template <class T>
  SweepUrns(const Amounts<T>& amounts, std::size_t size, bool stratified) : size_(size) {
    UInt128 total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      total += UInt128{amounts.positives[i]} + amounts.negatives[i];
    }
    if (total > (UInt128{1} << 62))
      throw InputError("a sweep of more than 2^62 rows is not redrawn");
    small_ = total < (UInt128{1} << 32);
    if (stratified) {
      urns_.push_back(Multinomial::of_counts(std::span<const T>(amounts.positives, size)));
      urns_.push_back(Multinomial::of_counts(std::span<const T>(amounts.negatives, size)));
      return;
    }
    std::vector<T> both(2 * size);
    std::copy_n(amounts.positives, size, both.begin());
    std::copy_n(amounts.negatives, size, both.begin() + static_cast<std::ptrdiff_t>(size));
    urns_.push_back(Multinomial::of_counts(std::span<const T>(both)));
  }

  // Whether 32 bits hold every count that may be drawn.
  [[nodiscard]] bool small() const noexcept { return small_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Into the positives, then the negatives.
  template <class T>
  void draw(Random random, T* out) const {
    for (const Multinomial& urn : urns_) {
      urn.draw(random, out);
      out += size_;
    }
  }

 private:
  std::size_t size_;
  bool small_ = true;
  std::vector<Multinomial> urns_;
};

// Sums of weights, positives before negatives: each a Poisson number of rows of equal weight, of
// the mean and the variance that the sum has.
class WeightUrns {
 public:
  explicit WeightUrns(const SweepView& sweep) : size_(sweep.size) {
    const auto& sums = std::get<Amounts<double>>(sweep.amounts);
    add(sums.positives, sweep.squares.positives, 0);
    add(sums.negatives, sweep.squares.negatives, size_);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void draw(Random random, double* out) const noexcept {
    for (const Cell& cell : cells_) {
      out[cell.place] = static_cast<double>(cell.rows.draw(random)) * cell.weight;
    }
  }

 private:
  struct Cell {
    std::size_t place;
    Poisson rows;
    double weight;  // of a row
  };

  void add(const double* sums, const double* squares, std::size_t first) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(sums[i] > 0)) continue;
      const double weight = squares[i] > 0 ? squares[i] / sums[i] : sums[i];
      const double rows = std::fmin(sums[i] / weight, Poisson::kMostMean);
      cells_.push_back({first + i, Poisson(rows), sums[i] / rows});
    }
  }

  std::size_t size_;
  std::vector<Cell> cells_;
};

template <class T, class Urns>
void values_of_drawn(std::span<const ScoreAsk> asks, const SweepView& sweep, const Urns& urns,
                     const Resampling& resampling, double* out) {
  constexpr double kRowsEach = 4;  // as much time as so many rows take
  const double work = static_cast<double>(resampling.replicates) *
                      static_cast<double>(sweep.size + asks.size()) * kRowsEach;
  const int threads =
      thread_count(resampling.threads, static_cast<std::int64_t>(std::fmin(work, 0x1p60)));
  for_each_task(resampling.replicates, threads, [&] {
    return [&, counts = std::vector<T>(2 * urns.size())](std::int64_t i) mutable {
      urns.draw(Random(resampling.seed, static_cast<std::uint64_t>(i)), counts.data());
      SweepView drawn = sweep;
      drawn.amounts = Amounts<T>{counts.data(), counts.data() + urns.size()};
      score_values(asks, drawn, 1, out + static_cast<std::size_t>(i) * asks.size());
    };
  });
}

}  // namespace

void score_replicates(std::span<const ScoreAsk> asks, const SweepView& sweep, bool stratified,
                      const Resampling& resampling, double* out) {
  std::visit(
      [&]<class T>(const Amounts<T>& amounts) {
        if constexpr (std::is_same_v<T, double>) {
          if (sweep.squares.positives == nullptr) {
            throw InputError(
                "the sweep holds sums of weights, and those of their squares are not known: they "
                "say how many rows there are to draw from");
          }
          values_of_drawn<double>(asks, sweep, WeightUrns(sweep), resampling, out);
        } else {
          const SweepUrns urns(amounts, sweep.size, stratified);
          if (urns.small()) {
            values_of_drawn<std::uint32_t>(asks, sweep, urns, resampling, out);
          } else {
            values_of_drawn<std::uint64_t>(asks, sweep, urns, resampling, out);
          }
        }
      },
      sweep.amounts);
}

}  // namespace confmat::metrics
