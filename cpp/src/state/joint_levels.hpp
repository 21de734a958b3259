// Cells of pairs of "unit" bins at the finest level where there are few of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/joint_scores.hpp"

namespace confmat {

// Distinct places, as long as they are few.
class FewPlaces {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Of so many that are asked for.
  explicit FewPlaces(std::size_t n)
      : slots_(std::bit_ceil(4 * std::clamp<std::size_t>(n, 1, kMostJointCells))),
        shift_(64 - std::countr_zero(slots_.size())) {}

  // How many came before the first of this one; kNone: there are too many.
  std::size_t operator()(std::int64_t place) {
    std::size_t at = (static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15U) >> shift_;
    while (slots_[at] != 0 && places_[slots_[at] - 1] != place) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at] == 0) {
      if (places_.size() == kMostJointCells) return kNone;
      places_.push_back(place);
      slots_[at] = static_cast<std::uint32_t>(places_.size());
    }
    return slots_[at] - 1;
  }
  [[nodiscard]] const std::vector<std::int64_t>& places() const noexcept { return places_; }

 private:
  std::vector<std::uint32_t> slots_;
  int shift_;
  std::vector<std::int64_t> places_;
};

// From cells of finest bins, or of those of a level, to those of a coarser one.
class Coarser {
 public:
  Coarser(unsigned from, unsigned to) noexcept
      : join_(from, to),
        from_(static_cast<std::int64_t>(unit_level(from).size)),
        to_(static_cast<std::int64_t>(unit_level(to).size)) {}

  [[nodiscard]] std::int64_t operator()(std::int64_t truth, std::uint32_t a,
                                        std::uint32_t b) const noexcept {
    return (truth * to_ + join_(a)) * to_ + join_(b);
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t place) const noexcept {
    return (*this)(place / from_ / from_, static_cast<std::uint32_t>(place / from_ % from_),
                   static_cast<std::uint32_t>(place % from_));
  }

 private:
  UnitJoin join_;
  std::int64_t from_, to_;
};

// The finest level from the given one on where there are few places, of n cells; `at(level)` gives
// a function from the number of a cell to its place there.
template <class At>
unsigned fitting_level(std::size_t n, unsigned level, const At& at) {
  if (n <= kMostJointCells) return level;
  const StopSign sign;
  for (; level < kMostUnitLevel; ++level) {
    const auto place_of = at(level);
    FewPlaces few(n);
    std::size_t i = 0;
    while (i < n && few(place_of(i)) != FewPlaces::kNone) {
      if ((++i & 0xFFFFU) == 0) sign.obey();
    }
    if (i == n) break;
  }
  return level;
}

template <class PlaceOf>
Joint cells_at(unsigned level, std::size_t n, const EntrySums& sums, const PlaceOf& place_of) {
  std::vector<JointEntry> entries;
  entries.reserve(n);
  for (std::size_t i = 0; i < n; ++i) entries.push_back({place_of(i), &sums, i});
  return joint_of(joint_bins(level), {}, std::move(entries), sums);
}

// The same, of counts whose places are few: without a sort of all. None: they are many.
template <class PlaceOf>
std::optional<Joint> few_cells_at(unsigned level, const EntrySums& sums, const PlaceOf& place_of) {
  FewPlaces few(sums.counts.size());
  std::vector<std::int64_t> totals;
  for (const auto [first, last] : Strides(sums.counts.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t at = few(place_of(i));
      if (at == FewPlaces::kNone) return std::nullopt;
      if (at == totals.size()) totals.push_back(0);
      if (__builtin_add_overflow(totals[at], sums.counts[i], &totals[at])) {
        throw InputError("the rows are more than 64-bit integers hold");
      }
    }
  }
  EntrySums joined;
  joined.counts = std::move(totals);
  const auto& places = few.places();
  return cells_at(level, places.size(), joined, [&](std::size_t i) { return places[i]; });
}

}  // namespace confmat
