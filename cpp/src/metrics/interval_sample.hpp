// The rows of a table as a sample: the variance that a gradient gives, and what rates count.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "confmat/metrics/gradient.hpp"
#include "confmat/metrics/intervals.hpp"

namespace confmat::metrics {

// The cells of a table as doubles, and the variance that a gradient by them gives.
class Sample {
 public:
  explicit Sample(const Table& table)
      : table_(table), squares_(table.squares), size_(static_cast<std::size_t>(table.k)) {
    held_ = table.is_sparse ? static_cast<std::size_t>(table.filled) : size_ * size_;
  }

  [[nodiscard]] std::size_t held() const { return held_; }
  [[nodiscard]] std::size_t place(std::size_t at) const {
    return table_.is_sparse ? static_cast<std::size_t>(table_.places[at]) : at;
  }
  [[nodiscard]] double cell(std::size_t at) const {
    return table_.counts != nullptr ? static_cast<double>(table_.counts[at]) : table_.weights[at];
  }
  [[nodiscard]] double square(std::size_t at) const {
    return squares_ == nullptr ? cell(at) : squares_[at];
  }

  // The sum of all squared weights.
  [[nodiscard]] double square_total() const {
    double out = 0.0;
    for (std::size_t at = 0; at < held_; ++at) out += square(at);
    return out;
  }

  // Sum of w^2 (g - mean g)^2, of a dense table; 0 where that is nothing but rounding, nan where a
  // slope is.
  [[nodiscard]] double variance(const CellSlopes& slopes, double value) {
    constexpr double kNoise = 1e-10;
    load_filled();
    std::vector<double> line(size_), of_filled;
    of_filled.reserve(filled_.size());
    double steepest = 0.0, turn = 0.0, widest = 0.0, out = 0.0;
    auto next = filled_.begin();
    for (std::size_t i = 0; i < size_; ++i) {
      slopes.load_line(i, line.data());
      steepest = std::max(steepest, largest(line));
      for (; next != filled_.end() && next->row == i; ++next) {
        turn += next->cell * line[next->column];
        of_filled.push_back(line[next->column]);
      }
    }
    const double mean = turn / filled_total_;
    for (std::size_t at = 0; at < filled_.size(); ++at) {
      const double gap = of_filled[at] - mean;
      widest = std::max(widest, std::fabs(gap));
      out += filled_[at].square * gap * gap;
    }
    if (std::isnan(out)) return out;
    return widest > kNoise * std::max(steepest, std::fabs(value) / filled_total_) ? out : 0.0;
  }

  // Whether all rows of a true class that occurs are in one cell, so that none of its spread is
  // seen.
  [[nodiscard]] bool has_certain_class() const {
    for (std::size_t i = 0; i < size_; ++i) {
      double all = 0.0, most = 0.0;
      for (std::size_t j = 0; j < size_; ++j) {
        all += cell(i * size_ + j);
        most = std::max(most, cell(i * size_ + j));
      }
      if (all > 0.0 && most == all) return true;
    }
    return false;
  }

  // tn, fp, fn and tp of a class, as a table of two classes.
  void against_rest(std::size_t positive, double (&cells)[4], double (&squares)[4]) const {
    for (std::size_t at = 0; at < held_; ++at) {
      const std::size_t i = place(at) / size_, j = place(at) % size_;
      const std::size_t to = (i == positive ? 2U : 0U) + (j == positive ? 1U : 0U);
      cells[to] += cell(at);
      squares[to] += square(at);
    }
  }

  [[nodiscard]] RateWeights weights_of(const Rate& rate, std::int64_t pos) const {
    RateWeights out;
    const auto positive = static_cast<std::size_t>(pos);
    for (std::size_t at = 0; at < held_; ++at) {
      const std::size_t i = place(at) / size_, j = place(at) % size_;
      unsigned bit = 0;
      if (rate.of_all) {
        bit = (i == j) == rate.right ? 3U : 2U;
      } else {
        const unsigned four = i == positive ? (j == positive ? 0U : 2U) : (j == positive ? 1U : 3U);
        bit = (rate.numerator >> four & 1U) | (rate.denominator >> four & 1U) << 1U;
      }
      if ((bit & 2U) != 0) {
        out.whole += cell(at);
        out.whole_square += square(at);
      }
      if ((bit & 1U) != 0) {
        out.part += cell(at);
        out.part_square += square(at);
      }
    }
    return out;
  }

  // The same cells and z^2 rows more, spread over those of classes that occur, each of the mean
  // weight of a row.
  void smoothed(double rows, const std::vector<std::uint8_t>& occurs, std::vector<double>& cells,
                std::vector<double>& squares) const {
    double total = 0.0, square_total = 0.0, classes = 0.0;
    for (std::size_t at = 0; at < held_; ++at) {
      total += cell(at);
      square_total += square(at);
    }
    for (const std::uint8_t one : occurs) classes += one;
    const double unit = square_total / total;
    const double more = rows / (classes * classes);
    cells.resize(held_);
    squares.resize(held_);
    for (std::size_t at = 0; at < held_; ++at) {
      const bool both = occurs[at / size_] != 0 && occurs[at % size_] != 0;
      cells[at] = cell(at) + (both ? more * unit : 0.0);
      squares[at] = square(at) + (both ? more * unit * unit : 0.0);
    }
  }

 private:
  // Of the sizes of numbers, by four at a time.
  static double largest(const std::vector<double>& numbers) {
    double most[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= numbers.size(); i += 4) {
      for (std::size_t at = 0; at < 4; ++at) {
        most[at] = std::max(most[at], std::fabs(numbers[i + at]));
      }
    }
    for (; i < numbers.size(); ++i) most[0] = std::max(most[0], std::fabs(numbers[i]));
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  }

  struct Cell {
    std::uint32_t row, column;
    double cell, square;
  };
  // Once: a test of each cell for each slope would cost more than the rest of the work.
  void load_filled() {
    if (!filled_.empty()) return;
    filled_total_ = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        const std::size_t at = i * size_ + j;
        if (!(cell(at) > 0.0)) continue;
        filled_.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), cell(at), square(at)});
        filled_total_ += cell(at);
      }
    }
  }

  Table table_;
  const double* squares_;
  std::size_t size_, held_ = 0;
  std::vector<Cell> filled_;
  double filled_total_ = 0.0;
};

// Of how many rows a rate is; with weights, of how many in effect.
inline double rows_of(const RateWeights& of, bool weighted) {
  return weighted ? effective_rows(of) : of.whole;
}

// What a number counts if it is a rate of the rows as they are: of all classes, unsmoothed.
std::optional<Rate> rate_in(const Ask& ask, const Options& options);

}  // namespace confmat::metrics
