// Looks whether lists ascend, and sorts those that do not.
#include "ascending_lists.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {
namespace {

bool ascend(const SetLists& lists, std::int64_t first, std::int64_t last) {
  bool all = true;
  for (std::int64_t row = first; row < last; ++row) {
    const auto list = lists.of(row);
    for (std::size_t i = 1; i < list.size(); ++i) all &= list[i - 1] < list[i];
  }
  return all;
}

void sort_list(std::span<std::uint32_t> list) {
  constexpr std::size_t kFew = 16;
  if (list.size() > kFew) {
    std::ranges::sort(list);
    return;
  }
  for (std::size_t i = 1; i < list.size(); ++i) {
    const std::uint32_t label = list[i];
    std::size_t at = i;
    for (; at > 0 && list[at - 1] > label; --at) list[at] = list[at - 1];
    list[at] = label;
  }
}

}  // namespace

AscendingLists::AscendingLists(const SetLists& lists, int parts) : lists_(lists) {
  std::atomic<bool> all = true;
  over_ranges(parts, std::ssize(lists.ends), [&](int, std::int64_t first, std::int64_t last) {
    const StopSign sign;
    constexpr std::int64_t kStride = std::int64_t{1} << 12;
    for (std::int64_t from = first; from < last && all; from += kStride) {
      sign.obey();
      if (!ascend(lists, from, std::min(from + kStride, last))) all = false;
    }
  });
  if (!all) copy(lists, parts);
}

void AscendingLists::copy(const SetLists& from, int parts) {
  labels_ = Pages<std::uint32_t>(from.labels.size());
  ends_ = Pages<std::int64_t>(from.ends.size());
  struct Range {
    std::int64_t first, last;  // rows
    std::int64_t begin, end;   // of their labels
  };
  std::vector<Range> ranges(static_cast<std::size_t>(parts));
  over_ranges(parts, std::ssize(from.ends), [&](int part, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = first == 0 ? 0 : from.ends[static_cast<std::size_t>(first - 1)];
    std::uint32_t* to = labels_.data() + begin;
    const StopSign sign;
    for (std::int64_t row = first; row < last; ++row) {
      if ((row & 0xFFF) == 0) sign.obey();
      const auto list = from.of(row);
      const std::span copied(to, list.size());
      std::ranges::copy(list, to);
      sort_list(copied);
      to += std::ranges::unique(copied).begin() - copied.begin();
      ends_[static_cast<std::size_t>(row)] = to - labels_.data();
    }
    ranges[static_cast<std::size_t>(part)] = {first, last, begin, to - labels_.data()};
  });
  std::int64_t end = 0;  // those of a part follow those of the part before, of which some went
  for (const auto [first, last, begin, to] : ranges) {
    const std::int64_t shift = begin - end;
    end = to - shift;
    if (shift == 0) continue;
    std::copy(labels_.data() + begin, labels_.data() + to, labels_.data() + begin - shift);
    for (std::int64_t row = first; row < last; ++row) ends_[static_cast<std::size_t>(row)] -= shift;
  }
  lists_ = {labels_.span().first(static_cast<std::size_t>(end)), ends_.span()};
}

}  // namespace confmat
