// Finds the cell of each row of a batch first, then adds the weights.
#include "slice_weight_tables.hpp"

#include <algorithm>

#include "confmat/base/interrupt.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "short_ranges.hpp"

namespace confmat {
namespace {

// Reads the weights of rows that are numbered by their cells.
template <class Weight>
class WeightsOfCells {
 public:
  WeightsOfCells(Chunks sample_weight, std::int64_t row, const GroupPlan& plan)
      : reader_(scratch_),
        at_(sample_weight, row),
        row_(row),
        cells_(static_cast<std::uint32_t>(plan.cells)),
        side_(plan.set->classes + 2) {}

  // The weights of the next rows, at most n; returns of how many. What nulls hide may be anything.
  std::size_t read(std::size_t n) {
    n = next(n);
    reader_.plain(at_.at(), n, weights_.get());
    step(n);
    return n;
  }
  [[nodiscard]] const Weight* weights() const noexcept { return weights_.get(); }
  // Looks at the weights of the next n rows: a null moves its row to the cell of nulls.
  // Throws InputError naming the first that is no weight.
  void check(std::size_t n, std::uint32_t* codes) {
    while (n > 0) {
      const std::size_t some = next(n);
      if (any_null(*chunk_, at_.at(), some) || !reader_.plain(at_.at(), some, weights_.get())) {
        check_each(some, codes);
      }
      step(some);
      codes += some;
      n -= some;
    }
  }

 private:
  std::size_t next(std::size_t n) {
    if (chunk_ != &at_.chunk()) {
      chunk_ = &at_.chunk();
      reader_.start(*chunk_, row_ - at_.at());
    }
    return std::min({n, kBlock, static_cast<std::size_t>(at_.left())});
  }
  void step(std::size_t n) {
    at_.advance(static_cast<std::int64_t>(n));
    row_ += static_cast<std::int64_t>(n);
  }
  void check_each(std::size_t n, std::uint32_t* codes) const {
    const std::uint32_t null = side_ - 1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t at = at_.at() + static_cast<std::int64_t>(i);
      const std::uint32_t cell = codes[i] % cells_;
      if (cell / side_ == null || cell % side_ == null) continue;  // whatever the weight
      if (chunk_->valid(at)) {
        (void)reader_.template checked<Weight>(at);
      } else {
        codes[i] += cells_ - 1 - cell;
      }
    }
  }

  Scratch scratch_;
  WeightReader reader_;
  Cursor at_;
  const Column* chunk_ = nullptr;
  std::int64_t row_;
  std::uint32_t cells_;
  std::uint32_t side_;
  std::unique_ptr<Weight[]> weights_ = std::make_unique_for_overwrite<Weight[]>(kBlock);
};

}  // namespace

template <class Cell>
Strangers SliceWeightTables<Cell>::count(const GroupPlan& plan, Chunks sample_weight,
                                         std::int64_t rows, int threads, const Refusal& refusal) {
  using Weights = WeightsOfCells<typename Cell::Weight>;
  if (codes_.size() < static_cast<std::size_t>(rows)) codes_.resize(static_cast<std::size_t>(rows));
  std::vector<Strangers> parts(static_cast<std::size_t>(short_ranges(rows)));
  over_short_ranges(threads, rows, [&](int number, std::int64_t first, std::int64_t last) {
    GroupReader reader(plan, first, last);
    Weights weights(sample_weight, first, plan);
    const auto cells = static_cast<std::uint32_t>(plan.cells);
    while (reader.row() < last) {
      const std::size_t n = reader.read(last);
      std::uint32_t* const to = codes_.data() + reader.row();
      reader.with_codes([&](const std::uint32_t* slots, const auto* codes) {
        for (std::size_t i = 0; i < n; ++i) to[i] = slots[i] * cells + codes[i];
      });
      weights.check(n, to);
      reader.advance(n);
    }
    parts[static_cast<std::size_t>(number)].note(reader);
  });
  Strangers met;
  for (const Strangers& part : parts) {
    met.label |= part.label;
    met.key |= part.key;
  }
  if (refusal.applies(met)) return met;
  const StopScope whole(nullptr);  // what is added cannot be taken back
  const WeightWindow window = first_window(sample_weight);
  for (std::unique_ptr<Table>& table : of_threads_) {
    if (table == nullptr) table = std::make_unique<Table>(cells_.size(), window);
  }
  Lent<std::unique_ptr<Table>> tables(of_threads_);
  over_short_ranges(tables.at_most(threads), rows, [&](int, std::int64_t first, std::int64_t last) {
    const typename Lent<std::unique_ptr<Table>>::Loan table(tables);
    Budget enough{INT64_MAX};
    Weights weights(sample_weight, first, plan);
    for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(last);) {
      const std::size_t n = weights.read(static_cast<std::size_t>(last) - row);
      (**table).add(codes_.data() + row, weights.weights(), n, enough);
      row += n;
    }
  });
  return met;
}

template <class Cell>
void SliceWeightTables<Cell>::settle() {
  Budget enough{INT64_MAX};
  const StopScope whole(nullptr);
  for (std::unique_ptr<Table>& table : of_threads_) {
    if (table == nullptr) continue;
    std::vector<Cell> cells = table->take(enough);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (table->rows()[i] == 0) continue;
      rows_[i] += table->rows()[i];
      merge(cells_[i], cells[i], enough);
    }
    table.reset();
  }
}

template <class Cell>
void SliceWeightTables<Cell>::lay_out(std::size_t cells, int threads, const CellMoves* moves) {
  settle();
  std::vector<std::int64_t> rows = large_zeros<std::int64_t>(cells);
  std::vector<Cell> sums = large_zeros<Cell>(cells);
  if (moves != nullptr) {
    Budget enough{INT64_MAX};
    moves->each([&](std::size_t from, std::size_t to) {
      rows[to] += rows_[from];
      merge(sums[to], cells_[from], enough);
    });
  }
  rows_ = std::move(rows);
  cells_ = std::move(sums);
  of_threads_ = std::vector<std::unique_ptr<Table>>(static_cast<std::size_t>(threads));
}

template class SliceWeightTables<IntWeightCell>;
template class SliceWeightTables<FloatWeightCell>;

}  // namespace confmat
