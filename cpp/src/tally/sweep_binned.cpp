#include "confmat/tally/sweep_binned.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
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
#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/base/wide.hpp"
#include "sweep_bin_table.hpp"
#include "sweep_bins.hpp"
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
  using Type = double;
};

template <class Weight>
using Table = BinTable<typename SumOf<Weight>::Type>;

// Sums of floats depend on their grouping: rows are summed in parts of this size, and these in
// order, whatever the threads.
constexpr std::int64_t kPart = std::int64_t{1} << 22;

// One thread's share of the parts, and what the threads have together.
template <class Weight, class Bins>
struct Adding {
  static constexpr bool kInOrder = std::is_same_v<Weight, double>;

  const ColumnSource<typename Bins::Key, Weight>& source;
  const Bins& bins;
  std::int64_t rows;
  std::int64_t parts;
  Table<Weight> total;
  std::vector<std::exception_ptr> errors;  // one for each part, one for memory
  std::atomic<std::int64_t> next;
  std::atomic<std::int64_t> turn;
  std::mutex mutex;

  void run() noexcept {
    try {
      Table<Weight> table(bins.size());
      for (std::int64_t part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) {
        add(part, table);
      }
      const std::lock_guard lock(mutex);
      table.move_to(total);
    } catch (...) {  // before a part was taken
      const std::lock_guard lock(mutex);
      errors.back() = std::current_exception();
    }
  }

  void add(std::int64_t part, Table<Weight>& table) noexcept {
    try {
      source.rows(part * kPart, std::min(rows, (part + 1) * kPart), false,
                  [&](const auto& block) { table.add(bins, block); });
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
    }
    if constexpr (kInOrder) {
      while (turn.load(std::memory_order_acquire) != part) std::this_thread::yield();
      table.move_to(total);
      turn.store(part + 1, std::memory_order_release);
    }
  }
};

template <class Weight, class Bins>
Table<Weight> add_rows(const SweepJob& job, std::int64_t rows, const Bins& bins, int threads,
                       SweptRows& swept) {
  const ColumnSource<typename Bins::Key, Weight> source(job, 0, swept);
  const std::int64_t parts = (rows + kPart - 1) / kPart;
  Adding<Weight, Bins> adding{source,
                              bins,
                              rows,
                              parts,
                              Table<Weight>(bins.size()),
                              std::vector<std::exception_ptr>(static_cast<std::size_t>(parts) + 1),
                              {},
                              {},
                              {}};
  const auto others = std::min<std::int64_t>(thread_count(threads, rows), parts) - 1;
  run_on_threads(static_cast<int>(others), [&]() noexcept { adding.run(); });
  for (const std::exception_ptr& error : adding.errors) {
    if (error != nullptr) std::rethrow_exception(error);
  }
  return std::move(adding.total);
}

template <class Sum>
auto tally_of(Sum sum) noexcept {
  if constexpr (std::is_same_v<Sum, std::uint64_t>) {
    return sum;
  } else {
    return static_cast<double>(sum);
  }
}

// The bins that hold something, descending.
template <class Sum, class Bins>
BinnedState state_of(const BinTable<Sum>& table, const Bins& bins) {
  using Tally = decltype(tally_of(Sum{}));
  const auto used = [&](std::size_t bin) { return table.of(bin, 0) != 0 || table.of(bin, 1) != 0; };
  std::size_t n = 0;
  for (std::size_t bin = table.low(); bin < table.end(); ++bin) n += used(bin) ? 1U : 0U;
  BinnedState state{Pages<double>(n), Pages<double>(n), {}, {}};
  Pages<Tally> positives(n);
  Pages<Tally> negatives(n);
  for (std::size_t bin = table.low(), at = n; at > 0; ++bin) {
    if (!used(bin)) continue;
    --at;
    state.lower[at] = bins.lower(bin);
    state.upper[at] = bins.lower(bin + 1);
    negatives[at] = tally_of(table.of(bin, 0));
    positives[at] = tally_of(table.of(bin, 1));
  }
  if constexpr (std::is_same_v<Tally, double>) {
    for (const auto* side : {&positives, &negatives}) {
      const auto weights = side->span();
      require_weight_sum(std::accumulate(weights.begin(), weights.end(), 0.0));
    }
  }
  state.positives = std::move(positives);
  state.negatives = std::move(negatives);
  return state;
}

template <class Sum>
bool only_negatives(const BinTable<Sum>& table) noexcept {
  bool negative = false;
  for (std::size_t bin = table.low(); bin < table.end(); ++bin) {
    if (table.of(bin, 1) != 0) return false;
    negative |= table.of(bin, 0) != 0;
  }
  return negative;
}

void require_binning(const Binning& binning) {
  if (!binning.edges.empty()) {
    if (binning.edges.size() > kMostEdges) {
      throw InputError("`bins` has " + std::to_string(binning.edges.size()) +
                       " edges; at most 2^20 are possible");
    }
    for (std::size_t i = 0; i < binning.edges.size(); ++i) {
      if (!std::isfinite(binning.edges[i])) {
        throw InputError("`bins`: edge " + std::to_string(i) + " is not finite");
      }
      if (i > 0 && !(binning.edges[i - 1] < binning.edges[i])) {
        throw InputError("`bins`: edge " + std::to_string(i) + " is not above the one before it");
      }
    }
    return;
  }
  if (binning.bins < 2 || binning.bins > kMostBins || !std::has_single_bit(binning.bins)) {
    throw InputError("`bins` is " + std::to_string(binning.bins) +
                     "; wanted a power of two from 2 to 65536, or edges");
  }
}

}  // namespace

SweptBins sweep_binned(Chunks y_true, Chunks y_score, Chunks sample_weight, const Binning& binning,
                       const SweepOptions& options) {
  require_binning(binning);
  static_cast<void>(score_kind(y_score));  // numbers
  SweptBins swept;
  const std::int64_t rows = total_length(y_true);
  const auto run = [&]<class Bins>(const Bins& bins) {
    constexpr auto kKeys =
        sizeof(typename Bins::Key) == 4 ? ScoreKind::kFloat32 : ScoreKind::kFloat64;
    over_sweep<kKeys>(y_true, y_score, sample_weight, options, swept.rows,
                      [&](auto /*key*/, auto weight, const SweepJob& job) {
                        const auto table = add_rows<decltype(weight)>(job, rows, bins,
                                                                      options.threads, swept.rows);
                        swept.state = state_of(table, bins);
                        return only_negatives(table);
                      });
  };
  if (binning.edges.empty()) {
    run(LeadingBits(binning.bins));
  } else {
    run(GivenEdges(binning.edges));
  }
  return swept;
}

}  // namespace confmat
