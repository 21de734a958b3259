// Tables drawn again, and their values.
#include "confmat/metrics/replicates.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/multinomial.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/linalg/library.hpp"

namespace confmat::metrics {
namespace {

constexpr double kMostRows = 0x1p62;

std::size_t size_of(const Table& table) {
  return static_cast<std::size_t>(table.is_sparse ? table.filled : table.k * table.k);
}

// The cells of a table, ready to be drawn again.
struct Urn {
  Multinomial cells;
  double rows = 0.0;          // to draw, on average
  std::vector<double> units;  // of weights: what a row of each cell weighs

  [[nodiscard]] std::int64_t rows_of(Random& random) const noexcept {
    if (units.empty()) return cells.total();
    return static_cast<std::int64_t>(rows) + (random.uniform() < rows - std::floor(rows) ? 1 : 0);
  }
};

Urn urn_of_counts(const Table& table) {
  Int128 total = 0;
  for (std::size_t i = 0; i < size_of(table); ++i) {
    if (table.counts[i] < 0) throw InputError("counts must not be negative");
    total += table.counts[i];
  }
  if (total > (Int128{1} << 62)) throw InputError("a table of more than 2^62 rows is not redrawn");
  return {.cells = Multinomial::of_counts(std::span(table.counts, size_of(table))),
          .rows = static_cast<double>(total),
          .units = {}};
}

Urn urn_of_weights(const Table& table, const double* squares) {
  if (squares == nullptr) {
    throw InputError(
        "the cells are sums of weights, and those of their squares are not known: they say how "
        "many rows there are to draw from");
  }
  Urn out;
  std::vector<double> rows(size_of(table));
  out.units.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = table.weights[i];
    if (weight == 0.0) continue;
    out.units[i] = squares[i] / weight;
    rows[i] = weight / out.units[i];
    if (!(rows[i] > 0.0 && out.units[i] > 0.0) || rows[i] > kMostRows) {
      throw InputError("cell " + std::to_string(i) + " is the sum of weights " +
                       std::to_string(weight) + ", and that of their squares is " +
                       std::to_string(squares[i]) + ": wanted one that such weights have");
    }
    out.rows += rows[i];
  }
  if (!(out.rows <= kMostRows)) throw InputError("a table of more than 2^62 rows is not redrawn");
  out.cells = Multinomial::of_shares(rows, static_cast<std::int64_t>(out.rows));
  return out;
}

// What one thread draws into.
class Drawn {
 public:
  Drawn(const Table& table, const Urn& urn) : urn_(urn), counts_(size_of(table), 0), drawn_(table) {
    drawn_.counts = nullptr;
    drawn_.weights = nullptr;
    if (!urn.units.empty()) weights_.resize(counts_.size());
    if (table.is_sparse) {
      places_.reserve(counts_.size());
      given_ = std::span(table.places, counts_.size());
    }
  }

  const Table& draw(Random random) {
    urn_.cells.draw(random, urn_.rows_of(random), counts_.data());
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] = static_cast<double>(counts_[i]) * urn_.units[i];
    }
    if (drawn_.is_sparse) {
      pack();
    } else if (weights_.empty()) {
      drawn_.counts = counts_.data();
    } else {
      drawn_.weights = weights_.data();
    }
    return drawn_;
  }

 private:
  // Of a sparse table, the cells that still hold something.
  void pack() {
    places_.clear();
    packed_counts_.clear();
    packed_weights_.clear();
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0) continue;
      places_.push_back(given_[i]);
      if (weights_.empty()) {
        packed_counts_.push_back(counts_[i]);
      } else {
        packed_weights_.push_back(weights_[i]);
      }
    }
    drawn_.places = places_.data();
    drawn_.filled = static_cast<std::int64_t>(places_.size());
    if (weights_.empty()) {
      drawn_.counts = packed_counts_.data();
    } else {
      drawn_.weights = packed_weights_.data();
    }
  }

  const Urn& urn_;
  std::vector<std::int64_t> counts_;
  std::vector<double> weights_;
  Table drawn_;
  std::span<const std::int64_t> given_;
  std::vector<std::int64_t> places_, packed_counts_;
  std::vector<double> packed_weights_;
};

}  // namespace

void replicates(std::span<const Ask> asks, const Table& table, const double* squares,
                const Options& options, const Resampling& resampling, double* out) {
  const Urn urn = size_of(table) == 0       ? Urn()
                  : table.counts != nullptr ? urn_of_counts(table)
                                            : urn_of_weights(table, squares);
  constexpr double kRowsEach = 16;  // of its time, a cell of a replicate is as much as so many rows
  const double work = static_cast<double>(resampling.replicates) *
                      static_cast<double>(size_of(table) + asks.size()) * kRowsEach;
  const int threads =
      thread_count(resampling.threads, static_cast<std::int64_t>(std::fmin(work, 0x1p60)));
  // A library that only one of the threads may call would make values depend on the thread.
  const linalg::LibraryScope none(nullptr);
  for_each_task(resampling.replicates, threads, [&] {
    return [&, drawn = Drawn(table, urn)](std::int64_t i) mutable {
      const Random random(resampling.seed, static_cast<std::uint64_t>(i));
      values(asks, drawn.draw(random), options, out + static_cast<std::size_t>(i) * asks.size());
    };
  });
}

}  // namespace confmat::metrics
