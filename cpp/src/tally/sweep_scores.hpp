// Blocks of a score column as keys (score_key.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/place.hpp"

namespace confmat {

enum class ScoreKind : std::uint8_t { kFloat32, kFloat64 };

// kFloat32 when every score is one. Throws InputError: no numbers.
ScoreKind score_kind(Chunks y_score, const char* argument = "y_score");

// The same, or kFloat32 when every score has the value of one.
ScoreKind key_kind(Chunks y_score);

// 32-bit keys are those of float32. Needs: they hold the scores.
// One reader serves one thread.
template <class Key>
class ScoreReader {
 public:
  void start(const Column& chunk, std::int64_t first_row,
             const char* argument = "y_score") noexcept {
    chunk_ = &chunk;
    place_ = {argument, first_row};
  }

  // Keys of rows at ... at + n - 1. Returns whether all of them are: false when a row may hold a
  // null, a nan or an integer that is no double. Needs: n <= kBlock.
  bool read(std::int64_t at, std::size_t n, Key* keys);

  // One row, for blocks with rows that may have no key. Needs: not null.
  [[nodiscard]] bool is_nan(std::int64_t at) const noexcept;
  void require_no_nan(std::int64_t at) const;  // throws InputError naming the row
  void require_exact(std::int64_t at) const;   // likewise, of integers

 private:
  const Column* chunk_ = nullptr;
  Place place_;
  Scratch scratch_;
};

extern template class ScoreReader<std::uint32_t>;
extern template class ScoreReader<std::uint64_t>;

}  // namespace confmat
