// Draws of whole tables: n rows fall into cells, each cell with its share. Prepared once and drawn
// from many times, also by several threads.
// Cost of a draw: about 1.5 ns a row where cells hold few rows, else 30 ns a filled cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/base/random.hpp"

namespace confmat {

class Multinomial {
 public:
  // Shares are those of the counts, n their sum. Needs: counts are not negative, and their sum is
  // at most 2^62.
  template <class T>
  static Multinomial of_counts(std::span<const T> counts);
  // Shares are those of the numbers, n is `total`. Needs: these are finite and not negative.
  static Multinomial of_shares(std::span<const double> numbers, std::int64_t total);

  [[nodiscard]] std::int64_t total() const noexcept { return total_; }
  [[nodiscard]] std::size_t filled() const noexcept { return places_.size(); }

  // Into out[i] how many of `n` rows fall into cell i. Cells that hold nothing are not written.
  // Needs: n is from 0 to 2^62; 0 where no cell is filled.
  template <class T>
  void draw(Random& random, std::int64_t n, T* out) const;
  template <class T>
  void draw(Random& random, T* out) const {
    draw(random, total_, out);
  }

 private:
  // Filled cells [first, last), and their share of the rows of this and of later blocks. Each row
  // of them is in `cell_of_row_` from `rows_at` on where they are few; none: cells are drawn in
  // turn, by their shares of the rows of this and of later cells of the block.
  struct Block {
    std::size_t first = 0, last = 0;
    double share = 1.0;
    bool by_rows = false;
    bool is_plain = false;  // each cell has one row
    std::uint32_t rows = 0;
    std::size_t rows_at = 0;
  };
  static constexpr std::size_t kBlock = 2048;    // cells
  static constexpr std::int64_t kRowsEach = 32;  // of a cell, up to which rows are drawn

  template <class T>
  void draw_rows(Random& random, const Block& block, std::int64_t n, T* out) const;
  template <class T>
  void draw_cells(Random& random, const Block& block, std::int64_t n, T* out) const;

  std::int64_t total_ = 0;
  std::vector<std::uint32_t> places_;  // of filled cells
  std::vector<double> shares_;
  std::vector<std::uint16_t> cell_of_row_;
  std::vector<Block> blocks_;
};

}  // namespace confmat
