// Chooses the form in which sets are saved, by the sets alone: that of equal states is the same.
#include "saved_label_sets.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/batch/class_set.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

// Bits of a few labels stay bits, as states had these when they had no lists.
bool may_be_lists(std::size_t n_sets, std::size_t n_labels) noexcept {
  constexpr std::size_t kLargeBits = std::size_t{64} << 20U;
  return n_labels > kMostClasses || n_sets * LabelSets::bytes_of(n_labels) > kLargeBits;
}

LabelSets take_bits(ByteReader& reader, std::size_t n, std::size_t n_labels) {
  const std::size_t bytes = LabelSets::bytes_of(n_labels);
  require_left(reader, n, std::max<std::size_t>(bytes, 1));
  LabelSets out(take_array<std::uint8_t>(reader, n * bytes), bytes, n);
  const std::size_t used = n_labels % 8;
  for (const auto [first, last] : Strides(used == 0 ? 0 : n)) {
    for (std::size_t i = first; i < last; ++i) {
      if ((out.bits(i).back() >> used) != 0) refuse_sets("a set with a label beyond the last");
    }
  }
  return out;
}

LabelSets take_lists(ByteReader& reader, std::size_t n, std::size_t n_labels, unsigned width) {
  if (!is_width(width)) refuse_sets("the width of the sizes of sets");
  std::vector<std::uint64_t> ends = take_numbers<std::uint64_t>(reader, n, width);
  std::uint64_t end = 0;
  for (std::uint64_t& size : ends) {
    if (size > n_labels) refuse_sets("the size of a set");
    size = end += size;
  }
  LabelSets out(take_numbers<std::uint32_t>(reader, end, narrowest(n_labels)), std::move(ends));
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      const SetMembers set = out.members(i);
      if (!set.empty() && set.back() >= n_labels) refuse_sets("a set with a label beyond the last");
      if (std::ranges::adjacent_find(set, std::greater_equal()) != set.end()) {
        refuse_sets("the order of the labels of a set");
      }
    }
  }
  return out;
}

}  // namespace

void refuse_sets(const char* what) {
  throw StateError(std::string("not what rows with sets of labels give: ") + what);
}

SavedSets::SavedSets(const LabelSets& sets, std::size_t n_labels)
    : sets_(sets), n_labels_(n_labels) {
  const std::size_t n = sets.size();
  if (!may_be_lists(n, n_labels)) return;
  sizes_.reserve(n);
  std::uint64_t longest = 0;
  for (const auto [first, last] : Strides(n)) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint64_t size = 0;
      sets.each(i, [&](std::size_t) { ++size; });
      sizes_.push_back(size);
      longest = std::max(longest, size);
    }
  }
  const unsigned width = narrowest(longest);
  const std::size_t bytes = n * width + sets.n_members() * narrowest(n_labels);
  if (bytes < n * LabelSets::bytes_of(n_labels)) form_ = static_cast<std::uint8_t>(width);
}

void SavedSets::put(ByteWriter& out) const {
  if (form_ == 0) return put_array(out, sets_.in_form(false, n_labels_).all_bits().view());
  put_numbers(out, std::span<const std::uint64_t>(sizes_), form_);
  put_numbers(out, sets_.in_form(true, 0).all_members().view(), narrowest(n_labels_));
}

LabelSets take_label_sets(ByteReader& reader, std::size_t n, std::size_t n_labels,
                          std::uint8_t form) {
  const bool listed = form != 0;
  LabelSets out = listed ? take_lists(reader, n, n_labels, form) : take_bits(reader, n, n_labels);
  // Bits of no more labels may be of a state that was saved before there were lists.
  if ((listed || n_labels > kMostClasses) && SavedSets(out, n_labels).form() != form) {
    refuse_sets("the form of its sets");
  }
  return out;
}

}  // namespace confmat
