// Adds the tables of groups along the keys that are given up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

GroupTables roll_up(const GroupTables& finer, std::span<const GroupKey> keys,
                    std::span<const std::size_t> kept) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const auto groups = static_cast<std::size_t>(finer.groups);
  std::vector<std::uint32_t> codes(groups);
  std::size_t most = 1;
  for (const std::size_t key : kept) {
    const auto numbers = static_cast<std::uint32_t>(keys[key].numbers());
    most *= numbers;
    const std::vector<std::uint32_t>& of_key = finer.numbers[key];
    for (std::size_t g = 0; g < groups; ++g) codes[g] = codes[g] * numbers + of_key[g];
  }
  std::vector<std::uint32_t> places(most, kNone);
  for (const std::uint32_t code : codes) places[code] = 0;
  if (kept.empty()) places[0] = 0;
  GroupTables out;
  out.side = finer.side;
  for (std::uint32_t& place : places) {
    if (place != kNone) place = static_cast<std::uint32_t>(out.groups++);
  }
  const auto cells = static_cast<std::size_t>(finer.side * finer.side);
  out.cells.resize(static_cast<std::size_t>(out.groups) * cells);
  out.numbers.resize(keys.size());
  for (const std::size_t key : kept) {
    out.numbers[key].resize(static_cast<std::size_t>(out.groups));
    for (std::size_t g = 0; g < groups; ++g) {
      out.numbers[key][places[codes[g]]] = finer.numbers[key][g];
    }
  }
  for (const auto [first, last] : Strides(groups)) {
    for (std::size_t g = first; g < last; ++g) {
      const std::int64_t* const from = finer.cells.data() + g * cells;
      std::int64_t* const to = out.cells.data() + places[codes[g]] * cells;
      for (std::size_t i = 0; i < cells; ++i) to[i] += from[i];
    }
  }
  return out;
}

}  // namespace confmat
