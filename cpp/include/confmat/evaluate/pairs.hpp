// Label pairs of one group whose labels are not known beforehand, as they travel through a plan:
//   Int32 (Booleans), UInt32, UInt64, Int128: two signed halves, truth above prediction;
//   Binary: LabelForm, weight (8 bytes, if weighted), length of the truth (4 bytes, if not an
//   integer or Boolean), truth, prediction; integers and Booleans as 8 bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "confmat/batch/column.hpp"
#include "confmat/evaluate/group.hpp"

namespace confmat {

struct Int128Bits {
  std::uint64_t low;
  std::uint64_t high;
};

enum class LabelForm : std::uint8_t { kInteger, kText, kBoolean };

// Collects the pairs of one group after the other. Reused: it allocates only for more distinct
// pairs than it has seen.
class PairTally {
 public:
  explicit PairTally(bool weighted);
  ~PairTally();

  void add(std::uint32_t pair) {
    add_ints(static_cast<std::int16_t>(pair >> 16), static_cast<std::int16_t>(pair & 0xFFFF));
  }
  void add(std::uint64_t pair) {
    add_ints(static_cast<std::int32_t>(pair >> 32), static_cast<std::int32_t>(pair & 0xFFFFFFFF));
  }
  void add(Int128Bits pair) {
    add_ints(static_cast<std::int64_t>(pair.high), static_cast<std::int64_t>(pair.low));
  }
  // As add() for each of them; fast for many small labels.
  template <class Word>
  void add_run(std::span<const Word> pairs);
  void add_binary(std::string_view pair);  // throws StateError for malformed bytes
  // The labels are Booleans: every group has both of them.
  void set_boolean() noexcept;
  void add_null() { ++n_dropped_; }
  // Everything that `other` has counted. Needs: no weights.
  void add(const PairTally& other);

  // The table of what was added; starts anew. Needs: the bytes given to add_binary() still live.
  GroupTable take();

 private:
  struct Impl;
  void add_ints(std::int64_t y_true, std::int64_t y_pred, std::int64_t rows = 1);

  std::unique_ptr<Impl> impl_;
  std::int64_t n_dropped_ = 0;
};

// Truth, prediction and weight as Binary (see above). `weight` is ignored unless weighted.
void append_binary_pair(std::string& out, bool weighted, double weight, LabelForm form,
                        std::string_view y_true, std::string_view y_pred);

}  // namespace confmat
