// Reads blocks of the weight column as checked numbers: finite and not negative. Integers are
// summed as such, or are doubles up to 2^53, where every integer is one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/place.hpp"

namespace confmat {

enum class WeightKind : std::uint8_t { kNone, kInt, kFloat };

// kNone without chunks; kFloat when some chunk holds floats. Throws InputError: texts.
WeightKind weight_kind(Chunks sample_weight);

class WeightReader {
 public:
  explicit WeightReader(Scratch& scratch) noexcept : scratch_(scratch) {}

  void start(const Column& chunk, std::int64_t first_row) noexcept {
    chunk_ = &chunk;
    place_ = {"sample_weight", first_row};
  }

  // Weights of rows at ... at + n - 1; a null weight makes the row's true class `null`. The weight
  // of a row with a null class is not looked at. Throws InputError naming the first bad weight and
  // row.
  template <class Weight, class Class>
  void read(std::int64_t at, std::size_t n, Weight* weights, Class* truth, const Class* prediction,
            Class null);

  // The same values, whatever nulls hide; whether all of them are weights. Needs: n <= kBlock.
  template <class Weight>
  bool plain(std::int64_t at, std::size_t n, Weight* weights);
  // One of them. Throws InputError: it is none. Needs: no null.
  template <class Weight>
  Weight checked(std::int64_t at) const;

 private:
  Scratch& scratch_;
  const Column* chunk_ = nullptr;
  Place place_;
};

}  // namespace confmat
