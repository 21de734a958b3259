// Keys that grow from batch to batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "confmat/tally/group_keys.hpp"

namespace confmat {

// All values of a key that is a window.
inline Labels values_in_window(const GroupKey& key) {
  Labels out;
  out.ints.resize(key.size);
  std::iota(out.ints.begin(), out.ints.end(), key.base);
  return out;
}

// The key that has the values of both. nullopt: there are too many.
inline std::optional<GroupKey> united(const GroupKey& known, GroupKey&& fresh) {
  if (known.size == 0) return std::move(fresh);
  if (fresh.size == 0) {
    GroupKey out = known;
    out.values = fresh.values;
    return out;
  }
  if (known.listed.kind != fresh.listed.kind) return std::nullopt;
  const auto ends = [](const GroupKey& key) {
    if (key.set) return std::pair(key.listed.ints.front(), key.listed.ints.back());
    return std::pair(key.base, key.base + (std::int64_t{key.size} - 1));
  };
  const bool are_texts = known.listed.kind == Labels::Kind::kText;
  std::int64_t first = 0;
  std::uint64_t last = UINT64_MAX;  // from the first
  if (!are_texts) {
    first = std::min(ends(known).first, ends(fresh).first);
    last = static_cast<std::uint64_t>(std::max(ends(known).second, ends(fresh).second)) -
           static_cast<std::uint64_t>(first);
  }
  const auto can_list = [](const GroupKey& key) { return key.set || key.size <= kAlwaysWindow; };
  if (last >= static_cast<std::uint64_t>(kAlwaysWindow) && can_list(known) && can_list(fresh)) {
    const Labels one = known.set ? known.listed : values_in_window(known);
    const Labels two = fresh.set ? std::move(fresh.listed) : values_in_window(fresh);
    Labels both;
    both.kind = one.kind;
    std::ranges::set_union(one.texts, two.texts, std::back_inserter(both.texts));
    std::ranges::set_union(one.ints, two.ints, std::back_inserter(both.ints));
    if (both.size() <= kMostListed) return listed_key(fresh.values, std::move(both));
  }
  if (last >= (std::uint64_t{1} << 31U)) return std::nullopt;
  GroupKey out;
  out.values = fresh.values;
  out.base = first;
  out.size = static_cast<std::uint32_t>(last + 1);
  return out;
}

// Where each number of a key is among those of a wider one; of null at the end.
inline std::vector<std::size_t> key_places(const GroupKey& from, const GroupKey& to) {
  const auto place = [](const auto& values, const auto& value) {
    return static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin());
  };
  std::vector<std::size_t> out(from.size);
  for (std::uint32_t i = 0; i < from.size; ++i) {
    if (from.listed.kind == Labels::Kind::kText) {
      out[i] = place(to.listed.texts, from.listed.texts[i]);
      continue;
    }
    const std::int64_t value = from.set ? from.listed.ints[i] : from.base + std::int64_t{i};
    out[i] = to.set ? place(to.listed.ints, value) : static_cast<std::size_t>(value - to.base);
  }
  out.push_back(to.outside());
  out.push_back(to.null());
  return out;
}

// The keys that have the values of some, where there are any, and of the columns. nullopt: there
// are too many, or values that no key holds.
inline std::optional<std::vector<GroupKey>> wider_keys(std::span<const GroupKey> known,
                                                       std::span<const Chunks> columns,
                                                       int threads) {
  std::vector<GroupKey> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto fresh = group_key(columns[i], threads);
    if (fresh && !known.empty()) fresh = united(known[i], std::move(*fresh));
    if (!fresh) return std::nullopt;
    out.push_back(std::move(*fresh));
  }
  return out;
}

}  // namespace confmat
