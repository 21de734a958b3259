// Looks all rows of other classes up among the members of each class, a stretch of rows at a time.
#include "ladder_wins.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"
#include "member_table.hpp"
#include "probability_block.hpp"
#include "rows_by_class.hpp"

namespace confmat {
namespace {

MemberTable table_of(const ProbabilityTable& table, const RowsByClass& by_class, std::size_t i) {
  std::vector<double> members;
  const std::size_t start = by_class.start[i];
  const std::size_t n = by_class.start[i + 1] - start;
  members.reserve(n);
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t at = first; at < last; ++at) {
      members.push_back(
          float_value(table.columns[i], static_cast<std::int64_t>(by_class.rows[start + at])));
    }
  }
  return MemberTable(std::move(members));
}

// Rows that are next to each other, and some columns that are: these share cache lines in a table
// that lies row after row.
class Stretch {
 public:
  Stretch(const ProbabilityTable& table, std::span<const MemberTable> members)
      : table_(table), members_(members), wins_(table.columns.size() + 1) {}

  // Adds the wins of classes first ... last - 1 over the rows from ... to - 1.
  void count(std::size_t first, std::size_t last, std::int64_t from, std::int64_t to,
             std::uint64_t* out) {
    const std::size_t k = table_.columns.size();
    ProbabilityBlock block(table_.columns.subspan(first, last - first));
    wins_.assign((last - first) * (k + 1), 0);
    for (std::int64_t row = from; row < to;) {
      const std::int64_t n = std::min(block.most_rows(), to - row);
      const double* scores = block.columns(row, static_cast<std::size_t>(n));
      for (std::size_t c = first; c < last; ++c, scores += n) {
        look_up(c, {scores, static_cast<std::size_t>(n)}, static_cast<std::size_t>(row),
                wins_.data() + (c - first) * (k + 1));
      }
      row += n;
    }
    for (std::size_t c = first; c < last; ++c) {
      for (std::size_t j = 0; j < k; ++j) {
        const std::uint64_t won = wins_[(c - first) * (k + 1) + j];
        if (won > 0) std::atomic_ref(out[c * k + j]) += won;
      }
    }
  }

 private:
  static constexpr std::size_t kMany = MemberTable::kMany;

  void look_up(std::size_t i, std::span<const double> scores, std::size_t row,
               std::uint64_t* wins) {
    const MemberTable& members = members_[i];
    if (members.empty()) return;
    const auto k = static_cast<std::uint16_t>(table_.columns.size());
    const std::uint16_t* const truths = table_.classes.data() + row;
    std::array<double, kMany> waiting;
    std::array<std::uint16_t, kMany> of;
    std::array<std::uint64_t, kMany> won;
    for (std::size_t first = 0; first < scores.size(); first += kMany) {
      const std::size_t end = std::min(first + kMany, scores.size());
      std::size_t n = 0;
      for (std::size_t at = first; at < end; ++at) {  // no jump: members are overwritten
        waiting[n] = scores[at];
        of[n] = std::min(truths[at], k);
        n += truths[at] != i;
      }
      members.wins(waiting.data(), n, won.data());
      for (std::size_t at = 0; at < n; ++at) wins[of[at]] += won[at];
    }
  }

  const ProbabilityTable& table_;
  std::span<const MemberTable> members_;
  std::vector<std::uint64_t> wins_;  // and of rows without a class, which count nowhere
};

}  // namespace

std::vector<std::uint64_t> count_wins(const ProbabilityTable& table, int threads) {
  constexpr std::int64_t kRows = std::int64_t{1} << 16;
  constexpr std::size_t kTogether = 8;
  constexpr std::size_t kInCache = std::size_t{1} << 17;  // members
  const std::size_t k = table.columns.size();
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  std::vector<MemberTable> members(k);
  {
    const RowsByClass by_class(table.classes, k);
    for_each_task(static_cast<std::int64_t>(k), threads, [&] {
      return [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        members[at] = table_of(table, by_class, at);
      };
    });
  }
  const std::size_t together =
      std::clamp(kInCache / (table.classes.size() / k + 1), std::size_t{1}, kTogether);
  const std::size_t groups = (k + together - 1) / together;
  const std::int64_t stretches = (rows + kRows - 1) / kRows;
  std::vector<std::uint64_t> wins(k * k);
  for_each_task(static_cast<std::int64_t>(groups) * stretches, threads, [&] {
    return [&, stretch = Stretch(table, members)](std::int64_t task) mutable {
      const auto first = static_cast<std::size_t>(task / stretches) * together;
      const std::int64_t from = task % stretches * kRows;
      stretch.count(first, std::min(first + together, k), from, std::min(from + kRows, rows),
                    wins.data());
    };
  });
  return wins;
}

}  // namespace confmat
