// Entries that belong to groups, and their sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/state/entry_sums.hpp"

namespace confmat {

class EntryGroups {
 public:
  // each(visit) calls visit(entry, group), the same at both times. Needs: fewer than 2^32 entries.
  template <class Each>
  EntryGroups(std::size_t groups, const Each& each) : bounds_(groups + 1) {
    each([&](std::size_t, std::size_t group) { ++bounds_[group]; });
    std::partial_sum(bounds_.begin(), bounds_.end(), bounds_.begin());
    entries_.resize(bounds_.back());
    each([&](std::size_t entry, std::size_t group) {
      entries_[--bounds_[group]] = static_cast<std::uint32_t>(entry);
    });
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t group) const noexcept {
    return std::span(entries_).subspan(bounds_[group], bounds_[group + 1] - bounds_[group]);
  }
  // Adds the entries of a group.
  void add_to(ExactTotal& total, const ExactSums& from, std::size_t group) const {
    for (const std::uint32_t entry : of(group)) total.add(from, entry);
  }

 private:
  std::vector<std::size_t> bounds_;  // where each group begins
  std::vector<std::uint32_t> entries_;
};

// The sums of the entries of each group, of which there are n; `each` as above. Needs: the total is
// in range.
template <class Each>
EntrySums grouped(const EntrySums& of, std::size_t n, const Each& each) {
  EntrySums out;
  out.has_floats = of.has_floats;
  out.has_squares = of.has_squares;
  if (!of.has_floats) {
    std::vector<std::int64_t> counts(n);
    each([&](std::size_t entry, std::size_t group) { counts[group] += of.counts[entry]; });
    out.counts = std::move(counts);
  }
  if (!of.has_floats && !of.has_squares) return out;
  const EntryGroups of_groups(n, each);
  const auto summed = [&](const ExactSums& from) {
    ExactSumsBuilder sums;
    sums.reserve(n);
    ExactTotal total;
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t group = first; group < last; ++group) {
        if (of_groups.of(group).empty()) {
          sums.add(0.0);
          continue;
        }
        total.clear();
        of_groups.add_to(total, from, group);
        sums.add(total);
      }
    }
    return sums.take();
  };
  if (of.has_floats) out.weights = summed(of.weights);
  if (of.has_squares) out.squares = summed(of.squares);
  return out;
}

}  // namespace confmat
