// Sweeps drawn again, and their values.
#include "confmat/metrics/score_replicates.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/multinomial.hpp"
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

template <class T>
void values_of_drawn(std::span<const ScoreAsk> asks, const SweepView& sweep, const SweepUrns& urns,
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
          throw InputError(
              "the sweep holds sums of weights, and those of their squares are not known: they "
              "say how many rows there are to draw from");
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
