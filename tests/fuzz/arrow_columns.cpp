// Arrow arrays, many of them wrong where that can be seen, as labels, scores and weights.
#include <deque>
#include <numeric>

#include "arrow_structs.hpp"
#include "confmat/arrow/import.hpp"
#include "confmat/base/error.hpp"
#include "confmat/tally/count.hpp"
#include "confmat/tally/sweep.hpp"

namespace confmat::fuzz {
namespace {

struct Input {
  std::deque<DrawnArray> arrays;
  ArrowColumns columns;
};

void draw_columns(Draw& draw, Input& input, const char* argument) {
  for (std::size_t chunks = 1 + draw.below(2); chunks > 0; --chunks) {
    DrawnArray& one = input.arrays.emplace_back(draw, draw.chance(8) ? 1 : 0);
    input.columns.add(one.schema(), one.array(), argument);
  }
}

void count_rows(Chunks y_true, Chunks y_pred, Chunks weights, const Labels* labels) {
  CountOptions options;
  options.threads = 1;
  options.max_bytes = 1 << 20;
  options.labels = labels;
  const Counted counted = count(y_true, y_pred, weights, options);
  require(counted.weights.empty()
              ? counted.cells.size() == counted.weights_sq.size() || counted.weights_sq.empty()
              : true,
          "one cell a pair of labels");
  if (!weights.empty()) return;
  const auto rows = std::accumulate(counted.cells.begin(), counted.cells.end(), std::int64_t{0});
  require(rows + counted.n_dropped + counted.n_other == counted.n_rows,
          "every row is counted, dropped or other");
}

void sweep_rows(Chunks y_true, Chunks y_score, Chunks weights) {
  SweepOptions options;
  options.threads = 1;
  options.nan_drop = true;
  const Swept swept = sweep(y_true, y_score, weights, options);
  require(swept.rows.n_dropped + swept.rows.n_nan <= swept.rows.n_rows, "rows are dropped once");
}

void run(std::span<const std::uint8_t> bytes) {
  Draw draw(bytes);
  const std::size_t way = draw.below(8);
  Labels labels;
  labels.kind = draw.chance(2) ? Labels::Kind::kText : Labels::Kind::kInt;
  if (labels.kind == Labels::Kind::kText) {
    labels.texts = {"", "a", std::string(20, 'a')};
  } else {
    labels.ints = {0, 1, 2};
  }
  Input truth;
  Input other;
  Input weights;
  try {
    draw_columns(draw, truth, "y_true");
    if (way < 4) {
      count_rows(truth.columns.chunks(), truth.columns.chunks(), {}, way < 2 ? nullptr : &labels);
      return;
    }
    draw_columns(draw, other, "y_pred");
    if (way < 6) {
      count_rows(truth.columns.chunks(), other.columns.chunks(), {}, way == 5 ? nullptr : &labels);
      return;
    }
    draw_columns(draw, weights, "sample_weight");
    if (way == 6) {
      count_rows(truth.columns.chunks(), truth.columns.chunks(), weights.columns.chunks(), nullptr);
    } else {
      sweep_rows(truth.columns.chunks(), other.columns.chunks(), weights.columns.chunks());
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what a wrong array deserves
  }
}

const Target kTarget("arrow_columns", run);

}  // namespace
}  // namespace confmat::fuzz
