// Brings sets of labels into another form, and into the order that tables show.
#include "confmat/state/label_sets.hpp"

#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

constexpr std::uint32_t kNoLabel = UINT32_MAX;  // behind all labels

}  // namespace

std::size_t LabelSets::n_members() const {
  if (listed_) return members_.size();
  std::size_t found = 0;
  for (const std::uint8_t byte : bits_.view()) found += static_cast<unsigned>(std::popcount(byte));
  return found;
}

LabelSets LabelSets::in_form(bool listed, std::size_t n_labels) const {
  if (listed == listed_ && (listed || bytes_of(n_labels) == bytes_)) return *this;
  LabelSetsBuilder out(listed, n_labels);
  out.reserve(n_, listed ? n_members() : 0);
  for (const auto [first, last] : Strides(n_)) {
    for (std::size_t i = first; i < last; ++i) {
      out.begin();
      each(i, [&](std::size_t label) { out.add_label(label); });
    }
  }
  return out.take();
}

std::vector<std::uint32_t> by_first_labels(const LabelSets& sets) {
  const LabelSets listed = sets.in_form(true, 0);
  struct Entry {
    std::uint64_t head;
    std::uint32_t set;
  };
  std::vector<Entry> entries(listed.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const SetMembers set = listed.members(i);
    const std::uint64_t first = set.empty() ? kNoLabel : set[0];
    entries[i] = {first << 32U | (set.size() > 1 ? set[1] : kNoLabel),
                  static_cast<std::uint32_t>(i)};
  }
  const StopSign sign;
  std::uint32_t asked = 0;
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    if ((++asked & 0xFFFFU) == 0) sign.obey();
    if (a.head != b.head) return a.head < b.head;
    const SetMembers one = listed.members(a.set), other = listed.members(b.set);
    const auto [i, j] = std::ranges::mismatch(one, other);
    return i != one.end() && (j == other.end() || *i < *j);
  });
  std::vector<std::uint32_t> out(entries.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = entries[i].set;
  return out;
}

}  // namespace confmat
