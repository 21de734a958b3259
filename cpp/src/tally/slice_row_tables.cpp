// Counts a batch; where it is refused, takes back what was counted of it.
#include "slice_row_tables.hpp"

#include "confmat/base/interrupt.hpp"
#include "group_worker.hpp"
#include "short_ranges.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostYoungRows = INT64_C(1) << 31;  // 32-bit counters hold more

// What was counted of a range of rows, and where; a null table: nothing was.
struct CountedPart {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::vector<std::uint32_t>* table = nullptr;
  Strangers met;
};

// Counts rows first ... last - 1 as far as they can be read.
void count_part(const GroupPlan& plan, std::int64_t first, std::int64_t last,
                Lent<std::vector<std::uint32_t>>& tables, CountedPart& part) {
  GroupWorker worker(plan, first, last);
  const Lent<std::vector<std::uint32_t>>::Loan table(tables);
  const auto note = [&] {
    part = {.first = first, .end = worker.rows().row(), .table = &*table, .met = {}};
    part.met.note(worker.rows());
  };
  try {
    worker.run(last - first, (*table).data());
  } catch (...) {
    note();
    throw;
  }
  note();
}

}  // namespace

Strangers SliceRowTables::count(const GroupPlan& plan, std::int64_t rows, int threads,
                                const Refusal& refusal) {
  if (young_rows_ + rows > kMostYoungRows) flush();
  Lent<std::vector<std::uint32_t>> tables(young_);
  std::vector<CountedPart> parts(static_cast<std::size_t>(short_ranges(rows)));
  const auto take_back = [&] {
    const StopScope whole(nullptr);  // or some rows would stay
    for (const CountedPart& part : parts) {
      if (part.table == nullptr) continue;
      GroupWorker(plan, part.first, part.end)
          .run(rows, part.table->data(), GroupWorker::Step::kTakeBack);
    }
  };
  try {
    over_short_ranges(tables.at_most(threads), rows, [&](int number, auto first, auto last) {
      count_part(plan, first, last, tables, parts[static_cast<std::size_t>(number)]);
    });
  } catch (...) {
    take_back();
    throw;
  }
  Strangers met;
  for (const CountedPart& part : parts) {
    met.label |= part.met.label;
    met.key |= part.met.key;
  }
  if (refusal.applies(met)) {
    take_back();
  } else {
    young_rows_ += rows;
  }
  return met;
}

void SliceRowTables::flush() {
  for (std::vector<std::uint32_t>& table : young_) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      total_[i] += table[i];
      table[i] = 0;
    }
  }
  young_rows_ = 0;
}

void SliceRowTables::lay_out(std::size_t cells, int threads, const CellMoves* moves) {
  flush();
  std::vector<std::int64_t> total(cells);
  std::vector<std::vector<std::uint32_t>> young(static_cast<std::size_t>(threads),
                                                std::vector<std::uint32_t>(cells));
  if (moves != nullptr) {
    moves->each([&](std::size_t from, std::size_t to) { total[to] += total_[from]; });
  }
  total_ = std::move(total);
  young_ = std::move(young);
}

std::vector<std::int64_t> SliceRowTables::sums() const {
  std::vector<std::int64_t> sums = total_;
  for (const std::vector<std::uint32_t>& table : young_) {
    for (std::size_t i = 0; i < table.size(); ++i) sums[i] += table[i];
  }
  return sums;
}

}  // namespace confmat
