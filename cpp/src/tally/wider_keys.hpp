// Keys that grow from batch to batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "confmat/tally/group_keys.hpp"

namespace confmat {

inline constexpr std::ptrdiff_t kMostKeyTexts = std::ptrdiff_t{1} << 14;

// The key that has the values of both. nullopt: there are too many.
inline std::optional<GroupKey> united(const GroupKey& known, GroupKey&& fresh) {
  const bool are_texts = known.set.has_value() || fresh.set.has_value();
  if (known.size == 0) return std::move(fresh);
  if (fresh.size == 0) {
    GroupKey out = known;
    out.values = fresh.values;
    return out;
  }
  if (known.set.has_value() != fresh.set.has_value()) return std::nullopt;
  if (are_texts) {
    GroupKey out;
    out.values = fresh.values;
    std::ranges::set_union(known.texts, fresh.texts, std::back_inserter(out.texts));
    if (std::ssize(out.texts) > kMostKeyTexts) return std::nullopt;
    out.size = static_cast<std::uint32_t>(out.texts.size());
    Labels labels;
    labels.kind = Labels::Kind::kText;
    labels.texts = out.texts;
    out.set = fixed_classes(labels);
    return out;
  }
  const std::int64_t first = std::min(known.base, fresh.base);
  const std::int64_t last = std::max(known.base + (std::int64_t{known.size} - 1),
                                     fresh.base + (std::int64_t{fresh.size} - 1));
  const std::uint64_t width = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (width >= (std::uint64_t{1} << 31U)) return std::nullopt;
  fresh.base = first;
  fresh.size = static_cast<std::uint32_t>(width + 1);
  return std::move(fresh);
}

// Where each number of a key is among those of a wider one; of null at the end.
inline std::vector<std::size_t> key_places(const GroupKey& from, const GroupKey& to) {
  std::vector<std::size_t> out(from.size);
  for (std::uint32_t i = 0; i < from.size; ++i) {
    out[i] = from.set ? static_cast<std::size_t>(std::ranges::lower_bound(to.texts, from.texts[i]) -
                                                 to.texts.begin())
                      : static_cast<std::size_t>(from.base - to.base) + i;
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
