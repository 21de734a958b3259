// Which bin between given bounds a score lies in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "confmat/scores/bin_map.hpp"
#include "confmat/scores/score_key.hpp"

namespace confmat {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Bins between given bounds. A table over the leading bits tells almost all of it.
class GivenEdges {
 public:
  using Key = std::uint64_t;

  // Needs: edges that increase; not empty.
  explicit GivenEdges(std::span<const double> edges) : edges_(edges) {
    for (const double edge : edges) keys_.push_back(score_key(edge));
    const std::uint64_t cells = std::clamp<std::uint64_t>(edges.size() * 16, 256, kMostCells);
    const auto width = static_cast<unsigned>(std::bit_width(keys_.back() - keys_.front()));
    const auto wanted = static_cast<unsigned>(std::bit_width(cells));
    shift_ = width > wanted ? width - wanted : 0;
    first_.resize(static_cast<std::size_t>((keys_.back() - keys_.front()) >> shift_) + 2);
    std::size_t edge = 0;
    for (std::size_t cell = 0; cell < first_.size(); ++cell) {
      while (edge < keys_.size() && ((keys_[edge] - keys_.front()) >> shift_) < cell) ++edge;
      first_[cell] = static_cast<std::uint32_t>(edge);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.size() + 1; }

  // How many edges are not above the key.
  [[nodiscard]] std::size_t bin(Key key) const noexcept {
    const Key inside = std::clamp(key, keys_.front(), keys_.back());
    const std::size_t cell = static_cast<std::size_t>((inside - keys_.front()) >> shift_);
    std::size_t at = first_[cell];  // that many are below the cell
    std::size_t n = first_[cell + 1] - at;
    for (; n > 1; n -= n / 2) at += keys_[at + n / 2 - 1] <= key ? n / 2 : 0;
    return n == 0 ? at : at + (keys_[at] <= key ? 1 : 0);
  }

  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    each_bin(*this, keys, n, out);
  }

  [[nodiscard]] double lower(std::size_t bin) const noexcept {
    if (bin == 0) return -kInfinity;
    return bin <= edges_.size() ? edges_[bin - 1] : kInfinity;
  }

 private:
  static constexpr std::uint64_t kMostCells = std::uint64_t{1} << 16U;

  std::span<const double> edges_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> first_;  // of each cell: the edges below it
  unsigned shift_ = 0;
};

}  // namespace confmat
