// The rows of a sweep, block by block: a key, a class and a weight each; rows that do not count are
// left out and told apart by the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "sweep_partition.hpp"
#include "sweep_scores.hpp"

namespace confmat {

struct SweepJob {
  Chunks y_true;
  Chunks y_score;
  Chunks sample_weight;
  const ClassSet* classes = nullptr;  // at most two
  std::uint8_t flip = 0;              // 1: class 0 is the positive one
  bool nan_drop = false;
  const char* score_argument = "y_score";  // what errors call the scores
  bool tells_places = false;               // of the rows of a block, and of those left out
  std::int64_t rows_before = 0;            // of other columns: messages count them
};

// A row that does not count, by its place in the block that was read.
struct LeftOut {
  std::uint16_t at;
  bool is_nan;
};
static_assert(kBlock <= 1U << 16U);

// A row of a class that is not in the set; thrown.
struct Stranger : std::exception {
  std::int64_t row = 0;
  Labels label;  // its class
};

// One thread's walk over rows first ... last - 1. Throws InputError and Stranger.
template <class Key, class Weight>
class RowReader {
 public:
  RowReader(const SweepJob& job, std::int64_t first, std::int64_t last);
  // The readers hold the address of the scratch memory.
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  // The next block, which may be empty; false at the end.
  bool next(RowBlock<Key, Weight>& block);

  // Of the block that next() gave, if the job asks for places. Where all rows read count there are
  // neither.
  [[nodiscard]] std::span<const std::uint16_t> places() const noexcept { return places_; }
  [[nodiscard]] std::span<const LeftOut> left_out() const noexcept { return left_out_; }

  std::int64_t n_dropped = 0;
  std::int64_t n_nan = 0;
  bool idle_positive = false;  // a positive row of weight 0

 private:
  static constexpr bool kWeighted = !std::is_same_v<Weight, Unweighted>;
  // Weights are read beside classes of 16 bits.
  using Class = std::conditional_t<kWeighted, std::uint16_t, std::uint8_t>;

  void follow_chunks();
  void drop_unscored(std::size_t n);
  [[nodiscard]] bool has_weight(std::size_t i) const;
  bool read_weights(std::size_t n);
  std::size_t keep_rows(std::size_t n);
  [[noreturn]] void fail_stranger(std::size_t i) const;

  const SweepJob& job_;
  Scratch scratch_;
  ClassReader truth_;
  WeightReader weight_;
  ScoreReader<Key> score_;
  Cursor truth_at_;
  Cursor score_at_;
  Cursor weight_at_;
  const Column* truth_chunk_ = nullptr;
  const Column* score_chunk_ = nullptr;
  const Column* weight_chunk_ = nullptr;
  std::int64_t row_;
  std::int64_t last_;
  Key keys_[kBlock];
  Class classes_[kBlock];
  std::uint8_t positive_[kBlock];
  Weight weights_[kWeighted ? kBlock : 1];
  std::vector<std::uint16_t> places_;
  std::vector<LeftOut> left_out_;
  std::vector<std::uint16_t> nans_;  // of those left out
};

// The keys of scores alone, for rows first ... last - 1; nulls and nans are left out.
template <class Key, class Visit>
void read_keys(Chunks y_score, std::int64_t first, std::int64_t last, Visit&& visit) {
  ScoreReader<Key> reader;
  Cursor cursor(y_score, first);
  const Column* chunk = nullptr;
  Key keys[kBlock];
  while (first < last) {
    const std::int64_t n =
        std::min({static_cast<std::int64_t>(kBlock), last - first, cursor.left()});
    auto kept = static_cast<std::size_t>(n);
    if (chunk != &cursor.chunk()) {
      chunk = &cursor.chunk();
      reader.start(*chunk, first - cursor.at());
    }
    if (!reader.read(cursor.at(), kept, keys)) {
      kept = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t at = cursor.at() + i;
        keys[kept] = keys[i];
        kept += chunk->valid(at) && !reader.is_nan(at);
      }
    }
    visit(keys, kept);
    cursor.advance(n);
    first += n;
  }
}

extern template class RowReader<std::uint32_t, Unweighted>;
extern template class RowReader<std::uint32_t, std::uint64_t>;
extern template class RowReader<std::uint32_t, double>;
extern template class RowReader<std::uint64_t, Unweighted>;
extern template class RowReader<std::uint64_t, std::uint64_t>;
extern template class RowReader<std::uint64_t, double>;

}  // namespace confmat
