// Which bin between given bounds a score lies in.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "confmat/scores/bin_map.hpp"
#include "confmat/scores/score_key.hpp"

namespace confmat {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of the least score of this type that is not below a bound.
template <class Key>
Key key_not_below(double bound) noexcept {
  using Score = decltype(score_of(Key{}));
  const auto near = static_cast<Score>(bound);
  return score_key(static_cast<double>(near) < bound
                       ? std::nextafter(near, std::numeric_limits<Score>::infinity())
                       : near);
}

// Bins between given bounds. Few of them are all compared; of more a table over the leading bits,
// or over equal parts of the length, tells almost all of it: whichever leaves fewer to look at.
template <class KeyType>
class GivenEdges {
 public:
  using Key = KeyType;
  static constexpr bool kFindsTogether = true;  // sooner than one by one

  // Needs: edges that increase; not empty; finite.
  explicit GivenEdges(std::span<const double> edges) : edges_(edges) {
    for (const double edge : edges) keys_.push_back(key_not_below<Key>(edge));
    first_score_ = static_cast<double>(score_of(keys_.front()));
    const double length = static_cast<double>(score_of(keys_.back())) - first_score_;
    const std::uint64_t cells = std::clamp<std::uint64_t>(edges.size() * 16, 256, kMostCells);
    const auto width =
        static_cast<unsigned>(std::bit_width(static_cast<Key>(keys_.back() - keys_.front())));
    const auto wanted = static_cast<unsigned>(std::bit_width(cells));
    shift_ = width > wanted ? width - wanted : 0;
    const std::size_t most_by_bits = fill();
    const double scale = static_cast<double>(cells) / length;
    if (most_by_bits == 1 || !(scale > 0 && scale < kInfinity)) return;
    scale_ = scale;
    if (fill() <= most_by_bits) return;
    scale_ = 0;
    fill();
  }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.size() + 1; }

  // How many edges are not above the key.
  [[nodiscard]] std::size_t bin(Key key) const noexcept {
    const std::size_t cell = cell_of(key);
    std::size_t at = first_[cell];  // that many are below the cell, and the next one may lie in it
    std::size_t n = first_[cell + 1] - at;
    for (; n > 1; n -= n / 2) at += keys_[at + n / 2 - 1] <= key ? n / 2 : 0;
    return at + (keys_[at] <= key ? 1 : 0);
  }

  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    if (keys_.size() > kFewEdges) return each_bin(*this, keys, n, out);
    for (std::size_t i = 0; i < n; ++i) out[i] = 0;
    for (const Key edge : keys_) {
      for (std::size_t i = 0; i < n; ++i) out[i] += keys[i] >= edge ? 1 : 0;
    }
  }

  [[nodiscard]] double lower(std::size_t bin) const noexcept {
    if (bin == 0) return -kInfinity;
    return bin <= edges_.size() ? edges_[bin - 1] : kInfinity;
  }

 private:
  static constexpr std::uint64_t kMostCells = std::uint64_t{1} << 16U;
  static constexpr std::size_t kFewEdges = sizeof(Key) == 4 ? 32 : 12;

  // Rises with the key; the last edge lies in the last cell, as does all above it.
  [[nodiscard]] std::size_t cell_of(Key key) const noexcept {
    const Key inside = std::clamp(key, keys_.front(), keys_.back());
    if (scale_ == 0) return static_cast<std::size_t>((inside - keys_.front()) >> shift_);
    return static_cast<std::size_t>((static_cast<double>(score_of(inside)) - first_score_) *
                                    scale_);
  }

  // Returns how many edges a cell has at most.
  std::size_t fill() {
    first_.assign(cell_of(keys_.back()) + 2, 0);
    for (const Key key : keys_) ++first_[cell_of(key) + 1];
    const std::size_t most = *std::max_element(first_.begin(), first_.end());
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    return most;
  }

  std::span<const double> edges_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> first_;  // of each cell: the edges below it
  unsigned shift_ = 0;
  double first_score_ = 0;
  double scale_ = 0;  // cells to the length of 1; 0: cells are of leading bits
};

}  // namespace confmat
