// Sorts the labels of several sets, and places each.
#include "label_union.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {
namespace {

// Keys stand in the order of the labels; those of texts may be equal where the texts are not.
struct KeyedText {
  std::uint64_t key;
  std::uint32_t set;
  std::uint32_t number;
};

std::uint64_t key_of(std::int64_t label) noexcept {
  return static_cast<std::uint64_t>(label) ^ (std::uint64_t{1} << 63U);
}

// The eight bytes behind the first `skip`, as a number that grows with them.
std::uint64_t key_of(std::string_view text, std::size_t skip) noexcept {
  std::uint64_t key = 0;
  for (std::size_t i = skip; i < skip + 8; ++i) {
    key = key << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return key;
}

std::size_t common_start(std::string_view one, std::string_view two) noexcept {
  const auto ends = std::mismatch(one.begin(), one.end(), two.begin(), two.end());
  return static_cast<std::size_t>(ends.first - one.begin());
}

// A comparison that may be interrupted.
template <class Less>
class Stoppable {
 public:
  explicit Stoppable(const Less& less) : less_(less) {}
  bool operator()(const KeyedText& one, const KeyedText& two) const {
    if ((++*asked_ & 0xFFFFU) == 0) sign_.obey();
    return less_(one, two);
  }
  void count_in(std::uint32_t& asked) { asked_ = &asked; }

 private:
  const Less& less_;
  std::uint32_t* asked_ = nullptr;
  StopSign sign_;
};

// Sorts runs that lie one behind the other, each on a thread, and merges them.
template <class SortRun, class Less>
void sort_runs(std::vector<KeyedText>& entries, std::vector<std::size_t> bounds,
               const SortRun& sort, const Less& less) {
  const auto runs = static_cast<int>(bounds.size()) - 1;
  const auto at = [&](std::size_t i) {
    return entries.begin() + static_cast<std::ptrdiff_t>(bounds[i]);
  };
  const int threads = thread_count(runs, std::ssize(entries));
  for_each_part(runs, threads, [&](int run) {
    const auto i = static_cast<std::size_t>(run);
    std::vector<KeyedText> here(at(i), at(i + 1));
    sort(here);
    std::ranges::copy(here, at(i));
  });
  std::uint32_t asked = 0;
  while (bounds.size() > 2) {
    Stoppable<Less> stoppable(less);
    stoppable.count_in(asked);
    std::vector<std::size_t> wider{0};
    for (std::size_t i = 0; i + 2 < bounds.size(); i += 2) {
      std::inplace_merge(at(i), at(i + 1), at(i + 2), stoppable);
      wider.push_back(bounds[i + 2]);
    }
    if (wider.back() != bounds.back()) wider.push_back(bounds.back());
    bounds = std::move(wider);
  }
}

// Gives equal labels, which lie together, one place; `add(entry)` takes the first of each.
template <class Same, class Add>
void rank(const std::vector<KeyedText>& entries, LabelUnion& out, const Same& same,
          const Add& add) {
  std::uint32_t place = 0;
  for (const auto [first, last] : Strides(entries.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const KeyedText& entry = entries[i];
      if (i > 0 && !same(entries[i - 1], entry)) ++place;
      if (i == 0 || !same(entries[i - 1], entry)) add(entry);
      out.ranks[entry.set][entry.number] = place;
    }
  }
}

}  // namespace

LabelUnion unite(Labels::Kind kind, const std::vector<LabelsOf>& sets) {
  LabelUnion out;
  out.labels.kind = kind;
  const bool texts = kind == Labels::Kind::kText;
  const auto text_of = [&](const KeyedText& entry) -> const std::string& {
    return sets[entry.set].set->texts.texts()[entry.number];
  };
  std::vector<KeyedText> entries;
  std::vector<std::size_t> bounds{0};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::uint32_t size = sets[s].set->size();
    out.ranks.emplace_back(size);
    for (std::uint32_t number = 0; number < size; ++number) {
      if ((*sets[s].present)[number] == 0) continue;
      const std::uint64_t key = texts ? 0 : key_of(sets[s].set->ints.values()[number]);
      entries.push_back({key, static_cast<std::uint32_t>(s), number});
    }
    bounds.push_back(entries.size());
  }
  if (entries.empty()) return out;
  if (!texts) {
    sort_runs(
        entries, std::move(bounds),
        [](std::vector<KeyedText>& run) {
          std::vector<KeyedText> scratch;
          sort_records(run, scratch, [](const KeyedText& entry) { return entry.key; });
        },
        [](const KeyedText& one, const KeyedText& two) { return one.key < two.key; });
    rank(
        entries, out, [](const KeyedText& one, const KeyedText& two) { return one.key == two.key; },
        [&](const KeyedText& entry) {
          out.labels.ints.push_back(sets[entry.set].set->ints.values()[entry.number]);
        });
    return out;
  }
  const std::string& first_text = text_of(entries[0]);
  std::size_t skip = first_text.size();
  for (const KeyedText& entry : entries)
    skip = std::min(skip, common_start(first_text, text_of(entry)));
  for (KeyedText& entry : entries) entry.key = key_of(text_of(entry), skip);
  const auto less = [&](const KeyedText& one, const KeyedText& two) {
    return one.key != two.key ? one.key < two.key : text_of(one) < text_of(two);
  };
  sort_runs(
      entries, std::move(bounds),
      [&](std::vector<KeyedText>& run) {
        std::uint32_t asked = 0;
        Stoppable<decltype(less)> stoppable(less);
        stoppable.count_in(asked);
        std::sort(run.begin(), run.end(), stoppable);
      },
      less);
  rank(
      entries, out,
      [&](const KeyedText& one, const KeyedText& two) {
        return one.key == two.key && text_of(one) == text_of(two);
      },
      [&](const KeyedText& entry) { out.labels.texts.push_back(text_of(entry)); });
  return out;
}

}  // namespace confmat
