// Looks every row up in a table over the values of its keys; where a row has none of them, learns
// it, and looks again.
#include "confmat/tally/slice_numbers.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "key_slots.hpp"
#include "short_ranges.hpp"
#include "wider_keys.hpp"

namespace confmat {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::int64_t kMostSlots = std::int64_t{1} << 24;

// What one thread met that has no number yet.
class Met {
 public:
  bool other_value = false;
  std::vector<std::uint32_t> slots;  // each once

  void add(std::uint32_t slot, std::size_t n_slots) {
    if (seen_.empty()) seen_.resize(n_slots);
    if (!seen_[slot]) slots.push_back(slot);
    seen_[slot] = true;
  }

 private:
  std::vector<bool> seen_;
};

// Numbers rows first ... last - 1.
Met number_range(std::span<const GroupKey> keys, const std::vector<std::uint32_t>& slices,
                 std::int64_t first, std::int64_t last, std::uint32_t* out) {
  Met met;
  Scratch scratch;
  KeySlots reader(keys, first, scratch);
  std::vector<std::uint32_t> slots(kBlock);
  for (std::int64_t row = first; row < last;) {
    const std::int64_t n = std::min({static_cast<std::int64_t>(kBlock), last - row, reader.left()});
    const auto size = static_cast<std::size_t>(n);
    if (reader.read(size, slots.data())) {
      met.other_value = true;
      return met;
    }
    std::uint32_t unknown = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t slice = slices[slots[i]];
      unknown |= static_cast<std::uint32_t>(slice == kNone);
      out[row + static_cast<std::int64_t>(i)] = slice;
    }
    for (std::size_t i = 0; i < size && unknown != 0; ++i) {
      if (slices[slots[i]] == kNone) met.add(slots[i], slices.size());
    }
    reader.advance(n);
    row += n;
  }
  return met;
}

}  // namespace

bool SliceNumbers::of_rows(std::span<const Chunks> keys, std::uint32_t* out) {
  const std::int64_t rows = total_length(keys.front());
  for (const Chunks key : keys) require_equal_lengths(rows, "by", total_length(key), "by");
  if (!keys_.empty() && keys_.size() != keys.size()) {
    throw InputError("`by` has " + std::to_string(keys.size()) + " keys, and had " +
                     std::to_string(keys_.size()));
  }
  bool readable = !keys_.empty();
  for (std::size_t i = 0; readable && i < keys.size(); ++i) {
    readable = can_read(keys_[i], keys[i]);
    keys_[i].values = keys[i];
  }
  if (readable && number(rows, out)) return true;
  return learn(keys) && number(rows, out);
}

// False where a key has a value that is not known.
bool SliceNumbers::number(std::int64_t rows, std::uint32_t* out) {
  const int threads = thread_count(threads_, rows);
  for (;;) {
    std::vector<Met> met(static_cast<std::size_t>(short_ranges(rows)));
    over_short_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
      met[static_cast<std::size_t>(part)] = number_range(keys_, slices_, first, last, out);
    });
    std::vector<std::uint32_t> slots;
    for (const Met& one : met) {
      if (one.other_value) return false;
      slots.insert(slots.end(), one.slots.begin(), one.slots.end());
    }
    if (slots.empty()) return true;
    add_slots(std::move(slots));
  }
}

void SliceNumbers::add_slots(std::vector<std::uint32_t>&& slots) {
  std::ranges::sort(slots);
  slots.erase(std::ranges::unique(slots).begin(), slots.end());
  for (const std::uint32_t slot : slots) {
    slices_[slot] = static_cast<std::uint32_t>(size_++);
    std::uint32_t left = slot;
    for (std::size_t at = keys_.size(); at-- > 0;) {
      const auto count = static_cast<std::uint32_t>(keys_[at].numbers());
      values_[at].push_back(left % count);
      left /= count;
    }
  }
}

std::uint32_t SliceNumbers::slot_of(std::size_t slice) const noexcept {
  std::uint32_t slot = 0;
  for (std::size_t at = 0; at < keys_.size(); ++at) {
    slot = slot * static_cast<std::uint32_t>(keys_[at].numbers()) + values_[at][slice];
  }
  return slot;
}

// Widens the keys to what the batch has; false where that is too much.
bool SliceNumbers::learn(std::span<const Chunks> keys) {
  std::optional<std::vector<GroupKey>> wider = wider_keys(keys_, keys, threads_);
  if (!wider) return false;
  std::int64_t slots = 1;
  for (const GroupKey& key : *wider) {
    if (key.numbers() > kMostSlots / slots) return false;
    slots *= key.numbers();
  }
  std::vector<std::uint32_t> slices(static_cast<std::size_t>(slots), kNone);
  values_.resize(keys.size());
  for (std::size_t at = 0; at < keys_.size(); ++at) {
    const std::vector<std::size_t> places = key_places(keys_[at], (*wider)[at]);
    for (std::uint32_t& value : values_[at]) value = static_cast<std::uint32_t>(places[value]);
  }
  keys_ = std::move(*wider);
  slices_ = std::move(slices);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
    slices_[slot_of(i)] = static_cast<std::uint32_t>(i);
  }
  return true;
}

}  // namespace confmat
