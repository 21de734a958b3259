// Makes and encodes the states on every core.
#include "confmat/evaluate/slice_states.hpp"

#include <memory>
#include <span>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/count_state.hpp"
#include "confmat/state/counts.hpp"

namespace confmat {
namespace {

// Of the labels that rows of the slice have.
Counts state_of_found(std::span<const std::int64_t> cells, const Labels& labels) {
  const auto k = static_cast<std::size_t>(labels.size());
  const std::size_t side = k + 2;
  std::vector<std::size_t> present;
  GroupTable table;
  table.labels.kind = labels.kind;
  for (std::size_t i = 0; i < k; ++i) {
    bool occurs = false;
    for (std::size_t j = 0; j < k && !occurs; ++j) {
      occurs = cells[i * side + j] != 0 || cells[j * side + i] != 0;
    }
    if (!occurs) continue;
    present.push_back(i);
    table.labels.add(labels, i);
  }
  for (const std::size_t i : present) {
    for (const std::size_t j : present) table.counts.push_back(cells[i * side + j]);
  }
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const bool is_null = i == k + 1 || j == k + 1;
      (is_null ? table.totals.n_dropped : table.totals.n) += cells[i * side + j];
    }
  }
  return state_of(std::move(table));
}

// make(i): the state of each slice.
template <class Make>
std::vector<std::vector<std::uint8_t>> encoded(std::int64_t slices, const Make& make,
                                               const std::optional<Labels>& positive, int threads) {
  std::vector<std::vector<std::uint8_t>> out(static_cast<std::size_t>(slices));
  constexpr std::int64_t kWorthThreads = 1024;
  for_each_task(slices, slices < kWorthThreads ? 1 : core_count(threads), [&] {
    return [&](std::int64_t slice) {
      const auto at = static_cast<std::size_t>(slice);
      Counts state = make(at);
      if (positive) state = with_positive(std::move(state), *positive);
      out[at] = encode(state);
    };
  });
  return out;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> slice_states(const GroupTables& tables, const Labels& labels,
                                                    Origin origin,
                                                    const std::optional<Labels>& positive,
                                                    int threads) {
  const auto cells = static_cast<std::size_t>(tables.side * tables.side);
  const auto shared = std::make_shared<const LabelSet>(LabelSet{labels, origin, 0});
  const auto state = [&](std::size_t g) {
    const std::span<const std::int64_t> of_group(tables.cells.data() + g * cells, cells);
    return origin == Origin::kFound ? state_of_found(of_group, labels) : state_of(of_group, shared);
  };
  return encoded(tables.groups, state, positive, threads);
}

std::vector<std::vector<std::uint8_t>> slice_states(std::vector<Counts>&& states,
                                                    const std::optional<Labels>& positive,
                                                    int threads) {
  const auto state = [&](std::size_t at) { return std::move(states[at]); };
  return encoded(static_cast<std::int64_t>(states.size()), state, positive, threads);
}

}  // namespace confmat
