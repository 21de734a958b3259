// Two sparse matrices cell by cell: the places that either of them holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace confmat {

struct SparsePlaces {
  std::vector<std::int64_t> both;
  // For each place of the one and of the other, where it is among `both`.
  std::vector<std::int64_t> of_one, of_other;
};

// Needs: places that ascend, each once.
SparsePlaces unite_places(std::span<const std::int64_t> one, std::span<const std::int64_t> other);

}  // namespace confmat
