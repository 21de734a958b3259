// Pairs of tables drawn again, and their values.
#include "confmat/metrics/paired_replicates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/multinomial.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/linalg/library.hpp"

namespace confmat::metrics {
namespace {

constexpr double kMostDraws = 0x1p62;

// How often units are drawn in all, on average.
double checked_draws(const PairedUnits& units) {
  const std::size_t n = units.draws.size(), entries = units.amounts.size();
  const auto cells = units.k * units.k;
  const auto is_cell = [cells](std::int64_t at) { return at >= 0 && at < cells; };
  const auto last = static_cast<std::int64_t>(entries);
  const bool fits = units.starts.size() == n + 1 && units.at_a.size() == entries &&
                    units.at_b.size() == entries && units.starts.front() == 0 &&
                    units.starts.back() == last && std::ranges::is_sorted(units.starts) &&
                    std::ranges::all_of(units.at_a, is_cell) &&
                    std::ranges::all_of(units.at_b, is_cell);
  if (!fits) throw InputError("units are not entries of two tables");
  double out = 0.0;
  for (const double draws : units.draws) {
    if (!(draws >= 0.0 && draws <= kMostDraws)) throw InputError("a unit is drawn no such number");
    out += draws;
  }
  if (!(out <= kMostDraws)) throw InputError("tables of more than 2^62 rows are not redrawn");
  return out;
}

// What one thread draws into.
class DrawnPair {
 public:
  DrawnPair(const PairedUnits& units, const Multinomial& urn, double draws)
      : units_(units), urn_(urn), draws_(draws), times_(units.draws.size(), 0) {
    for (std::vector<double>& cells : cells_) {
      cells.resize(static_cast<std::size_t>(units.k * units.k));
    }
  }

  void draw(Random random) {
    const double whole = std::floor(draws_);
    const bool more = draws_ > whole && random.uniform() < draws_ - whole;
    urn_.draw(random, static_cast<std::int64_t>(whole) + (more ? 1 : 0), times_.data());
    for (std::vector<double>& cells : cells_) std::ranges::fill(cells, 0.0);
    for (std::size_t unit = 0; unit < times_.size(); ++unit) {
      if (times_[unit] == 0) continue;
      const auto times = static_cast<double>(times_[unit]);
      const auto end = static_cast<std::size_t>(units_.starts[unit + 1]);
      for (auto i = static_cast<std::size_t>(units_.starts[unit]); i < end; ++i) {
        const double amount = times * units_.amounts[i];
        cells_[0][static_cast<std::size_t>(units_.at_a[i])] += amount;
        cells_[1][static_cast<std::size_t>(units_.at_b[i])] += amount;
      }
    }
  }
  [[nodiscard]] Table table(std::size_t side) const {
    return {.k = units_.k, .weights = cells_[side].data()};
  }

 private:
  const PairedUnits& units_;
  const Multinomial& urn_;
  double draws_;
  std::vector<std::int64_t> times_;
  std::vector<double> cells_[2];
};

}  // namespace

void paired_replicates(std::span<const Ask> asks, const PairedUnits& units, const Options& options,
                       const Resampling& resampling, double* out) {
  const double draws = checked_draws(units);
  const auto urn = Multinomial::of_shares(units.draws, static_cast<std::int64_t>(draws));
  const double each = static_cast<double>(units.amounts.size()) +
                      2.0 * static_cast<double>(units.k * units.k) +
                      2.0 * static_cast<double>(asks.size());
  constexpr double kRowsEach = 16;  // of its time, a cell of a replicate is as much as so many rows
  const double work = static_cast<double>(resampling.replicates) * each * kRowsEach;
  const int threads =
      thread_count(resampling.threads, static_cast<std::int64_t>(std::fmin(work, 0x1p60)));
  // A library that only one of the threads may call would make values depend on the thread.
  const linalg::LibraryScope none(nullptr);
  for_each_task(resampling.replicates, threads, [&] {
    return [&, drawn = DrawnPair(units, urn, draws)](std::int64_t i) mutable {
      drawn.draw(Random(resampling.seed, static_cast<std::uint64_t>(i)));
      double* to = out + static_cast<std::size_t>(i) * 2 * asks.size();
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        values(asks, drawn.table(side), options, to + side * asks.size());
      }
    };
  });
}

}  // namespace confmat::metrics
