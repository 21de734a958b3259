// A block of tables by the plans that metrics at thresholds have.
#include "confmat/metrics/two_class_tables.hpp"

#include <algorithm>
#include <vector>

#include "columns_of_two.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "threshold_plans.hpp"

namespace confmat::metrics {
namespace {

constexpr std::int64_t kSkippedCell = -1;  // cells of places that were skipped

}  // namespace

struct TwoClassTables::State {
  State(std::span<const Ask> asks, const Options& options)
      : plans(plans_of(asks, true, false)),
        whole(asks, plans, options),
        columns(options.undefined) {}

  std::vector<Plan> plans;
  AsksOfTables whole;
  ColumnsOfTwo<double> columns;
  std::size_t n = 0;
  std::int64_t tables[kTablesAtOnce][4];
};

bool TwoClassTables::serve(std::span<const Ask> asks, const Options& options) {
  return options.smoothing == 0.0 && !options.classes &&
         std::ranges::all_of(asks, [](const Ask& ask) { return ask.part == Part::kValue; });
}

TwoClassTables::TwoClassTables(std::span<const Ask> asks, const Options& options)
    : state_(std::make_unique<State>(asks, options)) {}
TwoClassTables::TwoClassTables(TwoClassTables&&) noexcept = default;
TwoClassTables& TwoClassTables::operator=(TwoClassTables&&) noexcept = default;
TwoClassTables::~TwoClassTables() = default;

bool TwoClassTables::is_full() const noexcept { return state_->n == kTablesAtOnce; }

bool TwoClassTables::add(const std::int64_t* cells) {
  const std::int64_t negatives = cells[0] + cells[1];
  const std::int64_t positives = cells[2] + cells[3];
  if (negatives <= 0 || positives <= 0 || negatives + positives > kMostFast) return false;
  std::copy_n(cells, 4, state_->tables[state_->n++]);
  return true;
}

void TwoClassTables::skip() noexcept { std::fill_n(state_->tables[state_->n++], 4, kSkippedCell); }

void TwoClassTables::take(double* out, std::size_t stride) {
  State& of = *state_;
  CellsOfTwo<double>& cells = of.columns.start(of.n);
  for (std::size_t i = 0; i < of.n; ++i) {
    const auto& [tn, fp, fn, tp] = of.tables[i];
    cells.tp[i] = static_cast<double>(tp);
    cells.fp[i] = static_cast<double>(fp);
    cells.fn[i] = static_cast<double>(fn);
    cells.tn[i] = static_cast<double>(tn);
  }
  for (std::size_t m = 0; m < of.plans.size(); ++m) {
    if (of.plans[m].way != Way::kTable) of.columns.values(of.plans[m], out + m * stride);
  }
  for (std::size_t i = 0; i < of.n && !of.whole.empty(); ++i) {
    if (of.tables[i][0] == kSkippedCell) continue;
    of.whole.values({.counts = of.tables[i]},
                    [&](std::size_t m, double value) { out[m * stride + i] = value; });
  }
  of.n = 0;
}

}  // namespace confmat::metrics
