// Keys of scores and classes that lie in memory, as a sweep. Reused by one thread: memory is kept
// between calls, that of very many rows aside.
// Cost: a sort by radix, some 3 ns a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

#include "confmat/scores/score_key.hpp"

namespace confmat {

// Key: std::uint32_t of floats, std::uint64_t of doubles.
template <class Key, bool kWeighted>
class KeySweep {
 public:
  struct Rows {
    std::size_t n = 0;  // below 2^32
    const Key* keys = nullptr;
    const std::uint8_t* positive = nullptr;  // 0 or 1
    const double* weights = nullptr;         // of rows with weights: finite, not negative
  };
  // What is at each distinct score, descending. Sums of weights are exact and rounded once.
  struct Runs {
    using Score = decltype(score_of(Key{}));
    using Tally = std::conditional_t<kWeighted, double, std::uint32_t>;
    std::size_t size = 0;
    const Score* scores = nullptr;
    const Tally* positives = nullptr;
    const Tally* negatives = nullptr;
    const double* positive_squares = nullptr;  // of weights
    const double* negative_squares = nullptr;
  };

  KeySweep();
  KeySweep(KeySweep&&) noexcept;
  KeySweep& operator=(KeySweep&&) noexcept;
  ~KeySweep();

  // Valid until the next call. `threads`: 1, or as for core_count() where the rows are worth it.
  // `dealt` is called where the rows are very many, and not read again: their memory may go.
  Runs run(const Rows& rows, int threads, const std::function<void()>& dealt);

  // Very many rows without weights that somebody else writes, some at a time, on any thread, the
  // same each time: those from `first` on.
  using Fill =
      std::function<void(std::size_t first, std::size_t n, Key* keys, std::uint8_t* positive)>;
  Runs run(std::size_t n, const Fill& fill, int threads)
    requires(!kWeighted);

 private:
  struct List;
  struct Found;
  std::unique_ptr<List> list_;
};

}  // namespace confmat
