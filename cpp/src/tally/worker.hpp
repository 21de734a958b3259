// One thread's share of a count: walks its rows block by block and fills tables of cells. When the
// classes change a new table begins; the tables are brought together by label at the end.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <vector>

#include "confmat/batch/cursor.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/code_histogram.hpp"
#include "confmat/tally/count.hpp"
#include "confmat/tally/discovery.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "confmat/tally/weight_table.hpp"

namespace confmat {

struct Job {
  Chunks y_true;
  Chunks y_pred;
  Chunks sample_weight;
  const char* pred_argument = "y_pred";  // what errors call them
  Labels::Kind kind = Labels::Kind::kInt;
  const ClassSet* fixed = nullptr;  // null: discover
  WeightWindow window = {};         // in which tables of float weights begin
  std::int64_t max_bytes = 0;       // of one table
  std::int64_t most_classes = 0;    // of one table
  std::int64_t threads = 1;         // whose tables share max_bytes
};

// Thrown where labels are found that no table of this job has room for, or weights that no table
// of so many classes suits.
struct TooManyClasses : std::exception {};

// A finished table: (classes + 2)^2 cells. Class c is the label base + c of a window, or the
// label number c of the set the worker ended with.
template <class Cell>
struct Part {
  bool is_window = false;
  std::int64_t base = 0;
  std::uint32_t classes = 0;
  std::vector<Cell> cells;
};

// The rows of a table of weights are counted apart from its cells.
struct NoWeight {};
template <class Cell>
struct WeightOf {
  using Type = typename Cell::Weight;
};
template <>
struct WeightOf<RowCell> {
  using Type = NoWeight;
};

// Bytes of a cell while rows are counted.
template <class Cell>
inline constexpr std::int64_t kBytesOf = sizeof(Cell);
template <>
inline constexpr std::int64_t kBytesOf<FloatWeightCell> = WeightTable::kCellBytes;
// The same where they are weighed against sorting the rows, which is dearer with float weights.
template <class Cell>
inline constexpr std::int64_t kBytesWorth = kBytesOf<Cell>;
template <>
inline constexpr std::int64_t kBytesWorth<FloatWeightCell> = 60;  // measured

template <class Cell>
class Worker {
 public:
  explicit Worker(const Job& job)
      : job_(job),
        truth_("y_true", scratch_),
        prediction_(job.pred_argument, scratch_),
        weight_(scratch_) {}

  // The readers hold the address of the scratch memory.
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Needs: first < last.
  void run(std::int64_t first, std::int64_t last);

  std::vector<Part<Cell>> parts;
  ClassSet set;  // the last one, when labels were discovered
  std::int64_t n_dropped = 0;
  std::int64_t n_other = 0;
  Outsider outsider;

 private:
  static constexpr bool kWeighted = !std::is_same_v<Cell, RowCell>;
  static constexpr bool kFloats = std::is_same_v<Cell, FloatWeightCell>;
  static constexpr std::int64_t kCellBytes = kBytesOf<Cell>;
  using Weight = typename WeightOf<Cell>::Type;

  struct Buffers {
    alignas(64) std::uint16_t truth[kBlock];  // classes, 8 or 16 bits
    alignas(64) std::uint16_t prediction[kBlock];
    alignas(64) std::uint32_t codes[kWeighted && !kFloats ? 1 : kBlock];
    alignas(64) Weight weights[kWeighted ? kBlock : 1];
  };

  // Where a column stands.
  struct Side {
    ClassReader* reader;
    Cursor cursor;
    const Column* chunk = nullptr;  // the one the reader was started with
  };

  [[nodiscard]] const ClassSet& classes() const noexcept {
    return job_.fixed != nullptr ? *job_.fixed : discovery_->set();
  }
  // Weighted cells are found by row and column: 16 bits for all.
  [[nodiscard]] ClassWidth width() const noexcept {
    return kWeighted ? kClass16 : classes().width();
  }
  [[nodiscard]] std::uint32_t class_at(const std::uint16_t* buffer, std::size_t i) const noexcept {
    return confmat::class_at(buffer, i, width());
  }

  void follow(Side& side);
  void restart(Side& side);
  void learn(Side& truth, Side& prediction, std::size_t n);
  bool learn_labels(const Side& side, std::size_t n, const std::uint16_t* buffer);
  void note_outsider(const Side& truth, const Side& prediction, std::size_t n);
  void count_rows(const Side& truth, const Side& prediction, std::size_t n);
  void count_weights(const Side& truth, const Side& prediction, const Cursor& weight,
                     std::size_t n);
  void add_to_table(const Side& truth, const Side& prediction, const Cursor& weight, std::size_t n);
  void begin_part();
  void add_rows_apart(const std::int64_t* rows, std::uint32_t k);
  void finish_part();

  const Job& job_;
  Scratch scratch_;
  ClassReader truth_;
  ClassReader prediction_;
  WeightReader weight_;
  std::unique_ptr<Discovery> discovery_;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<CodeHistogram> histogram_;
  std::unique_ptr<WeightTable> table_;  // instead of cells_, of float weights
  std::vector<Cell> cells_;
  Budget budget_;
  bool has_part_ = false;
  bool is_narrow_ = false;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::int64_t row_ = 0;      // first row of the current block
  std::int64_t learned_ = 0;  // values of the block that were learned from
};

extern template class Worker<RowCell>;
extern template class Worker<IntWeightCell>;
extern template class Worker<FloatWeightCell>;

}  // namespace confmat
