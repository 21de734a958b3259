// The sweep of one group of rows, given as keys: memory is kept from group to group.
// Cost: a plain sort for few rows; a partition by score on all threads for very many.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "confmat/tally/score_key.hpp"

namespace confmat {

// One object serves one thread. `Score` is float or double; keys are those of score_key.hpp.
template <class Score>
class GroupSweep {
 public:
  using Key = KeyOf<Score>;

  // Valid until the next call.
  template <class Tally>
  struct Runs {
    std::span<const Score> scores;  // distinct, descending
    std::span<const Tally> positives;
    std::span<const Tally> negatives;
  };

  GroupSweep();
  ~GroupSweep();
  GroupSweep(GroupSweep&&) noexcept;
  GroupSweep& operator=(GroupSweep&&) noexcept;

  // `positive`: keys.size() bytes, 0 or 1. `threads`: 0 for one per core; more than one only work
  // on groups of many rows. Needs: no key of a nan; fewer than 2^32 keys.
  Runs<std::uint32_t> counts(std::span<const Key> keys, const std::uint8_t* positive,
                             int threads = 1);

  // Weights are summed in row order. Needs: finite weights; rows of weight 0 give entries of 0.
  Runs<double> weights(std::span<const Key> keys, const std::uint8_t* positive,
                       const double* weights, int threads = 1);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace confmat
