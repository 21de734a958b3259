// Chooses how a count is made, runs it on every core, and makes its state.
#include "confmat/tally/count.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "cell_sums.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/discovery.hpp"
#include "merge.hpp"
#include "sparse_count.hpp"
#include "worker.hpp"

namespace confmat {
namespace {

void fill_cells(std::vector<RowCell>&& cells, Counted& counted) {
  counted.cells = std::move(cells);
}
template <class Cell>
void fill_cells(const std::vector<Cell>& cells, Counted& counted) {
  put_sums(cells.size(), [&](std::size_t i) -> const Cell& { return cells[i]; }, counted);
}

template <class Cell>
Counted count_on(const Job& job, const Labels* labels, std::int64_t rows) {
  std::deque<Worker<Cell>> workers;
  for (std::int64_t i = 0; i < job.threads; ++i) workers.emplace_back(job);
  over_ranges(static_cast<int>(job.threads), rows,
              [&](int part, std::int64_t first, std::int64_t last) {
                if (first < last) workers[static_cast<std::size_t>(part)].run(first, last);
              });
  Counted counted;
  counted.n_rows = rows;
  for (Worker<Cell>& worker : workers) {
    counted.n_dropped += worker.n_dropped;
    counted.n_other += worker.n_other;
    if (counted.outsider.row < 0) counted.outsider = std::move(worker.outsider);
  }
  if (labels != nullptr) {
    counted.labels = *labels;
    fill_cells(merge_fixed(workers, static_cast<std::size_t>(labels->size()), job), counted);
  } else {
    Merged<Cell> merged = merge_found(workers, job);
    counted.labels = std::move(merged.labels);
    fill_cells(std::move(merged.cells), counted);
  }
  return counted;
}

template <class Cell>
Counted count_cells(Job job, const Labels* labels, std::int64_t rows) {
  job.window = first_window(job.sample_weight);
  // How many classes get a table.
  const std::int64_t most = std::min(most_dense_classes(job.max_bytes, kBytesWorth<Cell>, rows),
                                     most_classes(job.max_bytes, kBytesOf<Cell>));
  if (labels != nullptr) {
    const std::int64_t k = labels->size();
    if (k > most) return count_sparse<Cell>(job, labels, rows);
    // Fewer threads rather than tables beyond the limit.
    const std::int64_t table = k * k * kBytesOf<Cell>;
    if (k > 254)
      job.threads = std::min(job.threads, std::max<std::int64_t>(job.max_bytes / table, 1));
  }
  if (labels == nullptr && most == 0) return count_sparse<Cell>(job, labels, rows);
  const std::int64_t threads = job.threads;
  std::optional<ClassSet> fixed;
  if (labels != nullptr) {
    fixed.emplace(fixed_classes(*labels));
    job.fixed = &*fixed;
  }
  job.most_classes = most;
  for (;;) {
    try {
      return count_on<Cell>(job, labels, rows);
    } catch (const TooManyClasses&) {
      break;
    } catch (const Budget::Exceeded&) {
      if (job.threads == 1) break;
      job.threads = 1;  // so that the limit does not depend on the number of threads
    }
  }
  job.threads = threads;
  return count_sparse<Cell>(job, labels, rows);
}

}  // namespace

Counted count(Chunks y_true, Chunks y_pred, Chunks sample_weight, const CountOptions& options) {
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), options.pred_argument);
  const WeightKind weights = weight_kind(sample_weight);
  if (weights != WeightKind::kNone) {
    require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  }
  Job job{.y_true = y_true, .y_pred = y_pred, .sample_weight = sample_weight};
  job.max_bytes = options.max_bytes;
  job.threads = thread_count(options.threads, rows);
  job.kind = joint_kind(y_true, y_pred, options.pred_argument);
  job.pred_argument = options.pred_argument;
  if (options.labels != nullptr) {
    job.kind = options.labels->kind;
    require_kind(y_true, "y_true", job.kind);
    require_kind(y_pred, options.pred_argument, job.kind);
  }
  switch (weights) {
    case WeightKind::kInt:
      return count_cells<IntWeightCell>(job, options.labels, rows);
    case WeightKind::kFloat:
      return count_cells<FloatWeightCell>(job, options.labels, rows);
    case WeightKind::kNone:
      break;
  }
  return count_cells<RowCell>(job, options.labels, rows);
}

Counts state_of(Counted&& counted, bool given, bool weighted) {
  const bool of_type = counted.labels.kind == Labels::Kind::kBool && counted.labels.size() > 0;
  const Origin origin = given ? Origin::kGiven : of_type ? Origin::kOfType : Origin::kFound;
  if (counted.labels.size() == 0) counted.labels.kind = Labels::Kind::kInt;  // none of any kind
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{std::move(counted.labels), origin, 0});
  out.rows = {.counted = counted.n_rows - counted.n_dropped - counted.n_other,
              .dropped = counted.n_dropped,
              .other = counted.n_other};
  out.is_sparse = counted.is_sparse;
  out.has_squares = weighted;
  out.has_floats = counted.has_floats || !counted.weights.empty();
  out.places = std::move(counted.places);
  out.cells = std::move(counted.cells);
  out.weights = {std::move(counted.weights), std::move(counted.weight_tails)};
  out.squares = {std::move(counted.weights_sq), std::move(counted.square_tails)};
  return out;
}

}  // namespace confmat
