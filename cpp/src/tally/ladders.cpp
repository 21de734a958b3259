// Sorts the members of each class by their probability, and drops the others between them.
#include "confmat/tally/ladders.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"
#include "ladder_others.hpp"
#include "ladder_wins.hpp"
#include "probability_block.hpp"
#include "row_parts.hpp"
#include "rows_by_class.hpp"

namespace confmat {
namespace {

template <class Amount>
Rungs<Amount> rungs_of(const ProbabilityTable& table, const RowsByClass& by_class, std::size_t i) {
  std::vector<typename Rungs<Amount>::Member> members;
  const std::size_t start = by_class.start[i];
  const std::size_t n = by_class.start[i + 1] - start;
  members.reserve(n);
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t at = first; at < last; ++at) {
      const std::size_t row = by_class.rows[start + at];
      const auto amount = amount_of<Amount>(table, row);
      if (amount == 0) continue;
      members.emplace_back(float_value(table.columns[i], static_cast<std::int64_t>(row)), amount);
    }
  }
  return Rungs<Amount>(std::move(members));
}

// A few columns at a time: their values share cache lines in a table that lies row after row.
template <class Amount>
void fill_columns(const ProbabilityTable& table, std::size_t first, std::span<Rungs<Amount>> rungs,
                  std::span<WinSums<Amount>> wins, bool fill) {
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  ProbabilityBlock block(table.columns.subspan(first, rungs.size()));
  std::vector<Others<Amount>> others;
  others.reserve(rungs.size());
  for (std::size_t c = 0; c < rungs.size(); ++c) {
    others.emplace_back(table, static_cast<std::size_t>(block.most_rows()), rungs[c], wins[c],
                        fill);
  }
  const StopSign sign;
  for (std::int64_t row = 0; row < rows;) {
    sign.obey();
    const std::int64_t n = std::min(block.most_rows(), rows - row);
    const double* p = block.columns(row, static_cast<std::size_t>(n));
    for (std::size_t c = 0; c < rungs.size(); ++c, p += n) {
      others[c].add(first + c, {p, static_cast<std::size_t>(n)}, static_cast<std::size_t>(row));
    }
    row += n;
  }
  for (Others<Amount>& of_class : others) of_class.look_up();
}

void append(const Ladders& part, Ladders& out) {
  const std::int64_t before = out.offsets.back();
  for (std::size_t i = 1; i < part.offsets.size(); ++i) {
    out.offsets.push_back(before + part.offsets[i]);
  }
  for (const auto field : {&Ladders::scores, &Ladders::members, &Ladders::others, &Ladders::between,
                           &Ladders::lowest, &Ladders::below, &Ladders::lowest_below}) {
    (out.*field).insert((out.*field).end(), (part.*field).begin(), (part.*field).end());
  }
}

template <class Amount>
Wins ladders_of(const ProbabilityTable& table, Ladders* ladders, int threads) {
  constexpr std::size_t kTogether = 8;
  const std::size_t k = table.columns.size();
  const auto workers = static_cast<std::size_t>(threads);
  const std::size_t together = std::clamp((k + workers - 1) / workers, std::size_t{1}, kTogether);
  const std::size_t groups = (k + together - 1) / together;
  const RowsByClass by_class(table.classes, k);
  Wins out;
  std::vector<Ladders> parts(ladders == nullptr ? 0 : groups);
  if constexpr (std::is_same_v<Amount, double>) {
    out.weighted.resize(k * k);
  } else {
    out.exact.resize(k * k);
  }
  for_each_task(static_cast<std::int64_t>(groups), threads, [&] {
    return [&](std::int64_t task) {
      const auto group = static_cast<std::size_t>(task);
      const std::size_t first = group * together;
      const std::size_t n = std::min(together, k - first);
      std::vector<Rungs<Amount>> rungs;
      rungs.reserve(n);
      for (std::size_t c = 0; c < n; ++c) {
        rungs.push_back(rungs_of<Amount>(table, by_class, first + c));
      }
      std::vector<WinSums<Amount>> wins(n, WinSums<Amount>(k));
      fill_columns<Amount>(table, first, rungs, wins, ladders != nullptr);
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t j = 0; j < k; ++j) {
          const std::size_t cell = (first + c) * k + j;
          if constexpr (std::is_same_v<Amount, double>) {
            out.weighted[cell] = wins[c][j].value();
          } else {
            out.exact[cell] = wins[c][j];
          }
        }
        if (ladders != nullptr) rungs[c].write(parts[group]);
      }
    };
  });
  for (const Ladders& part : parts) append(part, *ladders);
  return out;
}

template <class Amount>
Rungs<Amount> pooled_rungs(const ProbabilityTable& table) {
  std::vector<typename Rungs<Amount>::Member> members;
  members.reserve(table.classes.size());
  for (const auto [first, last] : Strides(table.classes.size())) {
    for (std::size_t row = first; row < last; ++row) {
      const std::uint16_t truth = table.classes[row];
      if (!is_class(truth, table.columns.size())) continue;
      const auto amount = amount_of<Amount>(table, row);
      if (amount == 0) continue;
      members.emplace_back(float_value(table.columns[truth], static_cast<std::int64_t>(row)),
                           amount);
    }
  }
  return Rungs<Amount>(std::move(members));
}

template <class Amount>
void fill_pooled(const ProbabilityTable& table, std::int64_t first, std::int64_t last,
                 Rungs<Amount>& rungs) {
  const std::size_t k = table.columns.size();
  ProbabilityBlock block(table.columns);
  WinSums<Amount> wins(k);
  Others<Amount> others(table, static_cast<std::size_t>(block.most_rows()), rungs, wins, true);
  const StopSign sign;
  for (std::int64_t row = first; row < last;) {
    sign.obey();
    const std::int64_t n = std::min(block.most_rows(), last - row);
    const double* p = block.columns(row, static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < k; ++i, p += n) {
      others.add(i, {p, static_cast<std::size_t>(n)}, static_cast<std::size_t>(row));
    }
    row += n;
  }
  others.look_up();
}

template <class Amount>
Ladders pooled(const ProbabilityTable& table, int threads) {
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  Rungs<Amount> all = pooled_rungs<Amount>(table);
  Ladders out;
  if (all.empty()) {
    all.write(out);
    return out;
  }
  const Rungs<Amount> fresh = all;
  std::mutex merging;
  // Counts may be merged in any order; weights are added up by one thread.
  const int parts = std::is_same_v<Amount, double> ? 1 : threads;
  over_parts(parts, parts, rows, [&](int, std::int64_t first, std::int64_t last) {
    Rungs<Amount> mine = fresh;
    fill_pooled(table, first, last, mine);
    const std::lock_guard lock(merging);
    all.merge(mine);
  });
  all.write(out);
  return out;
}

int threads_of(const ProbabilityTable& table, int asked) {
  const std::size_t rows = table.classes.size();
  if (rows > UINT32_MAX) {
    throw InputError("`scores` has " + std::to_string(rows) +
                     " rows; at most 4294967295 can be ranked");
  }
  return thread_count(asked, static_cast<std::int64_t>(rows * table.columns.size()));
}

}  // namespace

Wins class_ladders(const ProbabilityTable& table, Ladders* ladders, int threads) {
  const int most = threads_of(table, threads);
  if (ladders == nullptr && table.weights.empty()) return {count_wins(table, most), {}};
  return table.weights.empty() ? ladders_of<std::uint64_t>(table, ladders, most)
                               : ladders_of<double>(table, ladders, most);
}

Ladders pooled_ladder(const ProbabilityTable& table, int threads) {
  const int most = threads_of(table, threads);
  return table.weights.empty() ? pooled<std::uint64_t>(table, most) : pooled<double>(table, most);
}

}  // namespace confmat
