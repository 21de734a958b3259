// Rows by the sizes of their sets: how many labels both have, the true one, the predicted one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "distinct_sets.hpp"

namespace confmat {

class ListedSizes {
 public:
  void add(std::size_t shared, std::size_t truth, std::size_t prediction, std::int64_t rows = 1) {
    const std::array<std::uint64_t, 2> key{shared, std::uint64_t{truth} << 32U | prediction};
    if (key != last_ || counts_.empty()) {
      last_ = key;
      at_ = sizes_.number_of(key.data());
      if (at_ == counts_.size()) counts_.push_back(0);
    }
    counts_[at_] += rows;
  }
  void add(const ListedSizes& other) {
    for (std::size_t i = 0; i < other.counts_.size(); ++i) {
      const auto [shared, truth, prediction] = other.at(i);
      add(shared, truth, prediction, other.counts_[i]);
    }
  }
  // By threes, ascending, and the rows of each.
  [[nodiscard]] std::pair<std::vector<std::uint32_t>, std::vector<std::int64_t>> take() const {
    std::vector<std::size_t> order(counts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [this](std::size_t i) { return at(i); });
    std::pair<std::vector<std::uint32_t>, std::vector<std::int64_t>> out;
    for (const std::size_t i : order) {
      const auto sizes = at(i);
      out.first.insert(out.first.end(), sizes.begin(), sizes.end());
      out.second.push_back(counts_[i]);
    }
    return out;
  }

 private:
  [[nodiscard]] std::array<std::uint32_t, 3> at(std::size_t i) const noexcept {
    const auto key = sizes_.at(i);
    return {static_cast<std::uint32_t>(key[0]), static_cast<std::uint32_t>(key[1] >> 32U),
            static_cast<std::uint32_t>(key[1])};
  }

  DistinctSets sizes_{2};
  std::vector<std::int64_t> counts_;
  std::array<std::uint64_t, 2> last_{};
  std::size_t at_ = 0;
};

}  // namespace confmat
