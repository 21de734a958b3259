// Exact sweeps: few rows as one list, many cut by the highest bits of their keys and sorted.
#include "confmat/tally/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"
#include "sweep_list.hpp"
#include "sweep_merge.hpp"
#include "sweep_partition.hpp"
#include "sweep_source.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kFewRows = std::int64_t{1} << 17;

// Room for few rows, kept from call to call: new memory would take as long as sorting them.
template <class Key, class Weight>
struct FewRows {
  Room<Key> keys;
  Room<std::uint8_t> positive;
  Room<Weight> weights;
  ListSweep<Key, Weight> list;
};

// Few rows: read into one list, which is sorted as it is.
template <class Key, class Weight>
RunPages<Key, Weight> sweep_few(const ColumnSource<Key, Weight>& source, std::int64_t rows) {
  // Taken away meanwhile: a handler of signals may sweep in between, and what fails keeps nothing.
  thread_local std::unique_ptr<FewRows<Key, Weight>> kept;
  auto taken = kept == nullptr ? std::make_unique<FewRows<Key, Weight>>() : std::move(kept);
  FewRows<Key, Weight>& few = *taken;
  const auto most = static_cast<std::size_t>(rows);
  RowBlock<Key, Weight> all{0, few.keys.get(most), few.positive.get(most)};
  if constexpr (!std::is_same_v<Weight, Unweighted>) all.weights = few.weights.get(most);
  source.rows(0, rows, false, [&](const RowBlock<Key, Weight>& block) {
    std::copy_n(block.keys, block.n, few.keys.get() + all.n);
    std::copy_n(block.positive, block.n, few.positive.get() + all.n);
    if constexpr (!std::is_same_v<Weight, Unweighted>) {
      std::copy_n(block.weights, block.n, few.weights.get() + all.n);
    }
    all.n += block.n;
  });
  RunPages<Key, Weight> pages;
  pages.shrink(few.list.few(all, [&](std::size_t size) {
    pages = RunPages<Key, Weight>(size);
    return pages.out();
  }));
  kept = std::move(taken);
  return pages;
}

template <class Key, class Weight>
SweepState sweep_rows(const SweepJob& job, std::int64_t rows, const SweepOptions& options,
                      SweptRows& swept) {
  std::vector<RunPages<Key, Weight>> parts;
  const std::int64_t step =
      std::clamp<std::int64_t>(options.rows_at_once, 1, std::int64_t{1} << 31);
  for (std::int64_t start = 0; start < rows || start == 0; start += step) {
    const std::int64_t n = std::min(step, rows - start);
    const ColumnSource<Key, Weight> source(job, start, swept);
    const int threads = thread_count(options.threads, n);
    parts.push_back(
        n <= kFewRows
            ? sweep_few(source, n)
            : Partition<Key, Weight, ColumnSource<Key, Weight>>(source, n, threads).run());
  }
  return merged(std::move(parts));
}

bool is_positive(const Tallies& tallies) {
  return std::visit(
      [](const auto& values) {
        const auto all = values.span();
        return std::any_of(all.begin(), all.end(), [](auto value) { return value > 0; });
      },
      tallies);
}

// Of both sides together.
void require_counts(const SweepState& state) {
  std::int64_t total = 0;
  for (const Tallies* side : {&state.positives, &state.negatives}) {
    const auto* counts = std::get_if<Pages<std::uint64_t>>(side);
    if (counts != nullptr) add_counts(counts->span(), total);
  }
}

void require_weights(const Tallies& tallies) {
  const auto* weights = std::get_if<Pages<double>>(&tallies);
  if (weights == nullptr) return;
  double total = 0;
  for (const double weight : weights->span()) total += weight;
  require_weight_sum(total);
}

}  // namespace

Swept sweep(Chunks y_true, Chunks y_score, Chunks sample_weight, const SweepOptions& options) {
  Swept swept;
  const std::int64_t rows = total_length(y_true);
  const auto visit = [&](auto key, auto weight, const SweepJob& job) {
    swept.state = sweep_rows<decltype(key), decltype(weight)>(job, rows, options, swept.rows);
    require_counts(swept.state);
    require_weights(swept.state.positives);
    require_weights(swept.state.negatives);
    return !is_positive(swept.state.positives) && !swept.rows.idle_positive &&
           is_positive(swept.state.negatives);
  };
  if (score_kind(y_score, options.score_argument) == ScoreKind::kFloat32) {
    over_sweep<ScoreKind::kFloat32>(y_true, y_score, sample_weight, options, swept.rows, visit);
  } else {
    over_sweep<ScoreKind::kFloat64>(y_true, y_score, sample_weight, options, swept.rows, visit);
  }
  return swept;
}

}  // namespace confmat
