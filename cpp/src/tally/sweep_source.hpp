// What a sweep of columns reads from: a range of rows, on several threads at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/sweep.hpp"
#include "sweep_classes.hpp"
#include "sweep_rows.hpp"

namespace confmat {

template <class Key, class Weight>
class ColumnSource {
 public:
  // Row 0 of the source is row `start` of the columns.
  ColumnSource(const SweepJob& job, std::int64_t start, SweptRows& rows)
      : job_(job), start_(start), swept_(rows) {}

  template <class Visit>
  void keys(std::int64_t first, std::int64_t last, Visit&& visit) const {
    read_keys<Key>(job_.y_score, start_ + first, start_ + last, visit);
  }

  template <class Visit>
  void rows(std::int64_t first, std::int64_t last, bool again, Visit&& visit) const {
    const auto reader =
        std::make_unique<RowReader<Key, Weight>>(job_, start_ + first, start_ + last);
    RowBlock<Key, Weight> block;
    while (reader->next(block)) visit(block);
    if (again) return;
    std::atomic_ref(swept_.n_dropped) += reader->n_dropped;
    std::atomic_ref(swept_.n_nan) += reader->n_nan;
    if (reader->idle_positive) std::atomic_ref(swept_.idle_positive) = true;
  }

 private:
  const SweepJob& job_;
  std::int64_t start_;
  SweptRows& swept_;
};

// The first label of a row that counts but those of the job's classes.
template <class Key, class Weight>
std::optional<Labels> first_stranger(const SweepJob& job, std::int64_t rows) {
  try {
    const auto reader = std::make_unique<RowReader<Key, Weight>>(job, 0, rows);
    RowBlock<Key, Weight> block;
    while (reader->next(block)) continue;
  } catch (const Stranger& stranger) {
    return stranger.label;
  }
  return std::nullopt;
}

// Checks the columns, finds the classes and calls visit(Key{}, Weight{}, job) for the types at
// hand, which returns whether there are rows and none of them is positive. `swept` gets the labels.
template <ScoreKind kKeys, class Visit>
void over_sweep(Chunks y_true, Chunks y_score, Chunks sample_weight, const SweepOptions& options,
                SweptRows& swept, Visit&& visit) {
  using Key = std::conditional_t<kKeys == ScoreKind::kFloat32, std::uint32_t, std::uint64_t>;
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_score), options.score_argument);
  const WeightKind weights = weight_kind(sample_weight);
  if (weights != WeightKind::kNone) {
    require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  }
  SweepClasses classes(y_true, options.pos_label);
  SweepJob job{.y_true = y_true, .y_score = y_score, .sample_weight = sample_weight};
  job.nan_drop = options.nan_drop;
  job.score_argument = options.score_argument;
  const auto typed = [&]<class Weight>(Weight weight) {
    classes.give(job);
    if (classes.is_open()) {
      classes.set_negative(first_stranger<Key, Weight>(job, rows));
      classes.give(job);
    }
    try {
      if (visit(Key{}, weight, job) && options.pos_label != nullptr &&
          !classes.has_usual_classes()) {
        classes.fail_absent(!std::is_same_v<Weight, Unweighted>);
      }
    } catch (const Stranger& stranger) {
      classes.fail_stranger(stranger);
    }
  };
  switch (weights) {
    case WeightKind::kNone:
      typed(Unweighted{});
      break;
    case WeightKind::kInt:
      typed(std::uint64_t{});
      break;
    case WeightKind::kFloat:
      typed(double{});
      break;
  }
  swept.n_rows = rows;
  classes.give(swept);
}

}  // namespace confmat
