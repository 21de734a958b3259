// Adds rows to tables of bins, a table a thread, and keeps the bins in use.
#include "confmat/tally/sweep_binned.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/base/wide.hpp"
#include "confmat/scores/given_edges.hpp"
#include "sweep_bin_scores.hpp"
#include "sweep_bin_table.hpp"
#include "sweep_few.hpp"
#include "sweep_source.hpp"

namespace confmat {
namespace {

template <class Weight>
struct SumOf {
  using Type = UInt128;
};
template <>
struct SumOf<Unweighted> {
  using Type = std::uint64_t;
};
template <>
struct SumOf<double> {
  using Type = WeightedSum2;
};

template <class Weight>
using Table = BinTable<typename SumOf<Weight>::Type>;

// Counts of one part take half the room, so that more of them are in the cache.
template <class Weight>
using PartTable =
    std::conditional_t<std::is_same_v<Weight, Unweighted>, BinTable<std::uint32_t>, Table<Weight>>;

// Sums of floats could depend on their grouping: rows are summed in parts of this size, and these
// in order, whatever the threads. Others do not: a thread keeps its own as long as they fit, and
// small parts leave no thread without work.
constexpr std::int64_t kPart = std::int64_t{1} << 18;
constexpr std::int64_t kPartOfFloats = std::int64_t{1} << 22;
constexpr std::int64_t kMostKept = UINT32_MAX - kPart;

// The parts of the rows, shared by the threads, and what these have together.
template <class Weight, class Bins>
class Adding {
 public:
  using Key = typename Bins::Key;

  Adding(const SweepJob& job, std::int64_t rows, const Bins& bins, SweptRows& swept)
      : source_(job, 0, swept),
        bins_(bins),
        rows_(rows),
        parts_((rows + kRows - 1) / kRows),
        total_(bins.size()),
        scores_(bins.size(), single_),
        errors_(static_cast<std::size_t>(parts_) + 1) {}

  void run(int threads) {
    const auto others = std::min<std::int64_t>(thread_count(threads, rows_), parts_) - 1;
    run_on_threads(static_cast<int>(others), [&]() noexcept { add_parts(); });
    for (const std::exception_ptr& error : errors_) {
      if (error != nullptr) std::rethrow_exception(error);
    }
  }

  [[nodiscard]] const Table<Weight>& total() const noexcept { return total_; }
  // None: a bin holds more than one.
  [[nodiscard]] const BinScores<Key>* scores() const noexcept {
    return single_ ? &scores_ : nullptr;
  }

 private:
  static constexpr bool kInOrder = std::is_same_v<Weight, double>;
  static constexpr std::int64_t kRows = kInOrder ? kPartOfFloats : kPart;  // of a part

  void add_parts() noexcept {
    try {
      PartTable<Weight> table(bins_.size());
      BinScores<Key> scores(bins_.size(), single_);
      if constexpr (!kInOrder) table.expect(rows_);
      std::int64_t kept = 0;  // rows in the table
      for (std::int64_t part = next_.fetch_add(1); part < parts_; part = next_.fetch_add(1)) {
        const std::int64_t first = part * kRows;
        const std::int64_t last = std::min(rows_, first + kRows);
        if constexpr (kInOrder) table.expect(last - first);
        add(part, first, last, table, scores);
        kept += last - first;
        if constexpr (kInOrder) {
          while (turn_.load(std::memory_order_acquire) != part) std::this_thread::yield();
          table.move_to(total_);
          turn_.store(part + 1, std::memory_order_release);
        } else if (kept > kMostKept) {
          move_to_total(table);
          kept = 0;
        }
      }
      if constexpr (!kInOrder) move_to_total(table);
      const std::lock_guard lock(mutex_);
      scores.add_to(scores_);
    } catch (...) {  // before a part was taken
      const std::lock_guard lock(mutex_);
      errors_.back() = std::current_exception();
    }
  }

  void move_to_total(PartTable<Weight>& table) {
    const std::lock_guard lock(mutex_);
    table.move_to(total_);
  }

  void add(std::int64_t part, std::int64_t first, std::int64_t last, PartTable<Weight>& table,
           BinScores<Key>& scores) noexcept {
    try {
      source_.rows(first, last, false, [&](const auto& block) {
        if (!scores.single()) return table.add(bins_, block, [](auto, auto) {});
        Key other = 0;
        table.add(bins_, block, [&](std::size_t bin, Key key) {
          other |= scores.of(bin) ^ key;  // almost always nothing, so no branch
        });
        if (other != 0) scores.add(bins_, block);
      });
    } catch (...) {
      errors_[static_cast<std::size_t>(part)] = std::current_exception();
    }
  }

  const ColumnSource<Key, Weight> source_;
  const Bins& bins_;
  std::int64_t rows_;
  std::int64_t parts_;
  Table<Weight> total_;
  std::atomic<bool> single_{true};
  BinScores<Key> scores_;
  std::vector<std::exception_ptr> errors_;  // one for each part, one for memory
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> turn_{0};
  std::mutex mutex_;
};

// The bins that hold something, descending.
template <class Sum>
BinnedState used_bins(const BinTable<Sum>& table) {
  using Tally = decltype(tally_of(table.of(0, 0)));
  const std::size_t n = table.used();
  BinnedState state{.bins = Pages<std::uint32_t>(n), .positives = {}, .negatives = {}};
  Pages<Tally> positives(n);
  Pages<Tally> negatives(n);
  std::size_t at = n;
  table.for_each_used([&](std::size_t bin) {
    --at;
    state.bins[at] = static_cast<std::uint32_t>(bin);
    negatives[at] = tally_of(table.of(bin, 0));
    positives[at] = tally_of(table.of(bin, 1));
  });
  if constexpr (std::is_same_v<Tally, double>) {
    for (const auto* side : {&positives, &negatives}) {
      const auto weights = side->span();
      require_weight_sum(std::accumulate(weights.begin(), weights.end(), 0.0));
    }
    state.positive_squares = Pages<double>(n);
    state.negative_squares = Pages<double>(n);
    at = n;
    table.for_each_used([&](std::size_t bin) {
      --at;
      state.negative_squares[at] = table.squares_of(bin, 0);
      state.positive_squares[at] = table.squares_of(bin, 1);
    });
  } else {
    std::int64_t total = 0;
    for (const auto* side : {&positives, &negatives}) add_counts(side->span(), total);
  }
  state.positives = std::move(positives);
  state.negatives = std::move(negatives);
  return state;
}

// The scores of these bins, descending.
template <class Sum, class Key>
Scores scores_of(const BinTable<Sum>& table, const BinScores<Key>& scores, ScoreKind kind) {
  Scores found = Pages<float>();
  if (kind == ScoreKind::kFloat64) found = Pages<double>();
  const auto fill = [&]<class Score>(Pages<Score>& pages) {
    std::size_t at = table.used();
    pages = Pages<Score>(at);
    table.for_each_used(
        [&](std::size_t bin) { pages[--at] = static_cast<Score>(score_of(scores.of(bin))); });
  };
  std::visit(fill, found);
  return found;
}

template <class Sum>
bool only_negatives(const BinTable<Sum>& table) noexcept {
  bool positive = false;
  table.for_each_used([&](std::size_t bin) { positive |= table.of(bin, 1) != 0; });
  return !positive && table.used() > 0;
}

void require_edges(std::span<const double> edges) {
  if (edges.size() > kMostEdges) {
    throw InputError("`bins` has " + std::to_string(edges.size()) +
                     " edges; at most 2^20 are possible");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!std::isfinite(edges[i])) {
      throw InputError("`bins`: edge " + std::to_string(i) + " is not finite");
    }
    if (i > 0 && !(edges[i - 1] < edges[i])) {
      throw InputError("`bins`: edge " + std::to_string(i) + " is not above the one before it");
    }
  }
}

}  // namespace

SweptBins sweep_binned(Chunks y_true, Chunks y_score, Chunks sample_weight, const Binning& binning,
                       const SweepOptions& options) {
  require_edges(binning.edges);
  const ScoreKind kind = score_kind(y_score, options.score_argument);
  SweptBins swept;
  swept.of_float64 = kind == ScoreKind::kFloat64;
  const std::int64_t rows = total_length(y_true);
  // Sums of float weights would be rounded twice.
  if (rows <= kFewRows && binning.edges.empty() && sample_weight.empty()) {
    return few_binned(y_true, y_score, binning.map, options);
  }
  const auto run = [&]<class Bins>(const Bins& bins) {
    constexpr auto kKeys =
        sizeof(typename Bins::Key) == 4 ? ScoreKind::kFloat32 : ScoreKind::kFloat64;
    over_sweep<kKeys>(y_true, y_score, sample_weight, options, swept.rows,
                      [&](auto /*key*/, auto weight, const SweepJob& job) {
                        Adding<decltype(weight), Bins> adding(job, rows, bins, swept.rows);
                        adding.run(options.threads);
                        swept.state = used_bins(adding.total());
                        if (adding.scores() != nullptr) {
                          swept.state.scores = scores_of(adding.total(), *adding.scores(), kind);
                        }
                        return only_negatives(adding.total()) && !swept.rows.idle_positive;
                      });
  };
  const auto run_of = [&]<class Key>(Key) {
    if (binning.edges.empty()) return binning.map.bins<Key>(run);
    run(GivenEdges<Key>(binning.edges));
  };
  if (key_kind(y_score) == ScoreKind::kFloat32) {
    run_of(std::uint32_t{});
  } else {
    run_of(std::uint64_t{});
  }
  return swept;
}

}  // namespace confmat
