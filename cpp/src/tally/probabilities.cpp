// Checks rows of probabilities block by block, and adds their sums.
#include "confmat/tally/probabilities.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/weight_sum.hpp"
#include "probability_block.hpp"
#include "probability_columns.hpp"
#include "probability_row.hpp"
#include "row_parts.hpp"

namespace confmat {
namespace {

// Says why a row holds no probabilities; a nan is no score either.
InputError flaw(const double* p, std::size_t k, std::int64_t row, double sum, double tolerance) {
  std::size_t first = k;
  for (std::size_t j = k; j-- > 0;) {
    if (std::isnan(p[j])) {
      throw InputError("`scores` holds nan", row,
                       " of column " + std::to_string(j) + "; wanted numbers");
    }
    if (!(p[j] >= 0 && p[j] <= 1)) first = j;
  }
  if (first < k) {
    return {"`scores` holds " + shown_number(p[first]), row,
            " of column " + std::to_string(first) + "; wanted probabilities, from 0 to 1"};
  }
  return {"`scores` has the sum " + shown_number(sum), row,
          "; wanted 1 within " + shown_number(tolerance) +
              "; divide each row by its sum: cm.multiclass_sweep and cm.multiclass_metrics do with "
              "normalize=True, elsewhere pl.col(names) / pl.sum_horizontal(names) does, of a "
              "column of lists pl.col(name) / pl.col(name).list.sum(), of arrays "
              "pl.col(name) / pl.col(name).arr.sum()"};
}

// What one range of rows adds up: exact sums, and of vectors those of twice the precision, which
// are the same in any order of the rows once they are rounded.
class PartOfRows {
 public:
  PartOfRows(const ProbabilityTable& table, const ProbabilityOptions& options)
      : table_(table), options_(options), block_(table.columns), k_(table.columns.size()) {
    class_weights.resize(k_);
    ranks.resize(kTies * k_);
    rows_of_class_.resize(k_);
    rows_of_rank_.resize(k_);
    if (options.soft) soft.resize(k_ * k_);
  }

  void run(std::int64_t first, std::int64_t last) {
    switch (k_) {  // few columns: loops that the compiler unrolls
      case 2:
        return rows<2>(first, last);
      case 3:
        return rows<3>(first, last);
      case 4:
        return rows<4>(first, last);
      case 5:
        return rows<5>(first, last);
      case 6:
        return rows<6>(first, last);
      case 8:
        return rows<8>(first, last);
      case 10:
        return rows<10>(first, last);
      default:
        return rows<0>(first, last);
    }
  }

  std::int64_t n_rows = 0;
  std::int64_t n_clipped = 0;
  bool infinite = false;
  ExactSum weight;
  ExactSum log_loss;
  ExactSum brier;
  std::vector<Sum2> class_weights;
  std::vector<Sum2> ranks;
  std::vector<Sum2> soft;
  std::string not_probabilities;

 private:
  // kColumns: how many there are, or 0 for any number.
  template <std::size_t kColumns>
  void rows(std::int64_t first, std::int64_t last) {
    const std::size_t k = kColumns == 0 ? k_ : kColumns;
    const StopSign sign;
    for (std::int64_t row = first; row < last;) {
      sign.obey();
      std::int64_t n = std::min(block_.most_rows(), last - row);
      if constexpr (kColumns > 0) {
        n = std::min(n, static_cast<std::int64_t>(ColumnSums<kColumns>::kMost));
        if (add_columns<kColumns>(row, static_cast<std::size_t>(n))) {
          row += n;
          continue;
        }
      }
      double* values = block_.rows(row, static_cast<std::size_t>(n));
      for (std::int64_t r = 0; r < n; ++r) {
        const std::size_t truth = table_.classes[static_cast<std::size_t>(row + r)];
        if (truth < k) add(values + static_cast<std::size_t>(r) * k, k, truth, row + r);
      }
      row += n;
    }
    if (table_.weights.empty()) add_counts();
  }

  // Adds a block of rows without weights; false, and nothing is added, where one of them is not
  // plain: without a class, or without probabilities.
  template <std::size_t kColumns>
  bool add_columns(std::int64_t row, std::size_t n) {
    if (!table_.weights.empty() || !soft.empty() || !not_probabilities.empty()) return false;
    const std::uint16_t* const classes = table_.classes.data() + row;
    std::uint16_t most = 0;
    for (std::size_t r = 0; r < n; ++r) most = std::max(most, classes[r]);
    if (most >= kColumns) return false;
    const double* const columns = block_.columns<kColumns>(row, n);
    const ColumnSums<kColumns> rows(columns, n, classes);
    if (!rows.good(options_.tolerance)) return false;
    n_rows += static_cast<std::int64_t>(n);
    std::array<double, ColumnSums<kColumns>::kMost> terms;
    rows.rank(terms.data());
    for (std::size_t r = 0; r < n; ++r) {
      if (terms[r] < ColumnSums<kColumns>::kTied) {
        ++rows_of_class_[classes[r]];
        ++rows_of_rank_[static_cast<std::size_t>(terms[r])];
      } else {
        std::array<double, kColumns> p;
        for (std::size_t j = 0; j < kColumns; ++j) p[j] = columns[j * n + r];
        add_rank(rank_of(p.data(), kColumns, classes[r]), kColumns, classes[r], 1.0);
      }
    }
    std::int64_t clipped = 0;
    for (std::size_t r = 0; r < n; ++r) {
      clipped += rows.own[r] < options_.clip ? 1 : 0;
      terms[r] = std::clamp(rows.own[r], options_.clip, 1 - options_.clip);
    }
    n_clipped += clipped;
    bool endless = false;
    for (std::size_t r = 0; r < n; ++r) {
      endless |= terms[r] == 0;
      terms[r] = terms[r] == 0 ? 0.0 : -std::log(terms[r]);
    }
    infinite |= endless;
    log_loss.add(std::span(terms).first(n));
    rows.squares(terms.data());
    brier.add(std::span(terms).first(n));
    return true;
  }

  void add_rank(const Rank& rank, std::size_t k, std::size_t truth, double w) {
    weight.add(w);
    class_weights[truth].add(w);
    for (std::size_t ties = 0; ties < kTies; ++ties) {
      ranks[ties * k + rank.of(static_cast<Ties>(ties))].add(w);
    }
  }

  [[gnu::always_inline]] void add(double* p, std::size_t k, std::size_t truth, std::int64_t row) {
    const RowSum all = sum_of_row(p, k);
    if (!all.in_range || !(std::abs(all.sum - 1) <= options_.tolerance)) {
      const bool first = not_probabilities.empty();
      if (first || std::isnan(all.sum)) {
        const InputError why = flaw(p, k, row, all.sum, options_.tolerance);
        if (first) not_probabilities = why.what();
      }
    }
    const double w = table_.weights.empty() ? 1.0 : table_.weights[static_cast<std::size_t>(row)];
    const double own = p[truth];
    ++n_rows;
    const Rank rank = rank_of(p, k, truth);
    if (table_.weights.empty() && rank.before + rank.after == 0) {
      ++rows_of_class_[truth];
      ++rows_of_rank_[rank.above];
    } else {
      add_rank(rank, k, truth, w);
    }
    if (!not_probabilities.empty()) return;
    if (own < options_.clip) ++n_clipped;
    const double moved = std::clamp(own, options_.clip, 1 - options_.clip);
    if (w > 0) add_to(log_loss, -w * std::log(moved));
    if (!soft.empty()) {
      Sum2* cells = soft.data() + truth * k;
      for (std::size_t j = 0; j < k; ++j) cells[j].add(w * p[j]);
    }
    p[truth] = 1 - own;  // the squares then are those of the errors
    add_to(brier, w * sum_of_squares(p, k));
  }

  // Of rows that weigh 1 and tie with no column: whole numbers, as their sums would be.
  void add_counts() {
    for (std::size_t i = 0; i < k_; ++i) {
      weight.add(static_cast<double>(rows_of_class_[i]));
      class_weights[i].add(static_cast<double>(rows_of_class_[i]));
      for (std::size_t ties = 0; ties < kTies; ++ties) {
        ranks[ties * k_ + i].add(static_cast<double>(rows_of_rank_[i]));
      }
    }
  }

  void add_to(ExactSum& sum, double value) noexcept {
    if (std::isfinite(value)) {
      sum.add(value);
    } else {
      infinite = true;
    }
  }

  const ProbabilityTable& table_;
  const ProbabilityOptions& options_;
  ProbabilityBlock block_;
  std::size_t k_;
  std::vector<std::int64_t> rows_of_class_;
  std::vector<std::int64_t> rows_of_rank_;
};

void add_to(std::vector<Sum2>& sums, const std::vector<Sum2>& more) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(more[i]);
}

std::vector<double> rounded(const std::vector<Sum2>& sums) {
  std::vector<double> out;
  out.reserve(sums.size());
  for (const Sum2& sum : sums) out.push_back(sum.value());
  return out;
}

// Cut by the size of the work alone, so that sums do not depend on the threads at hand.
int parts_of(std::int64_t rows, std::int64_t k, bool soft) {
  constexpr std::int64_t kMostCells = std::int64_t{1} << 22;  // 64 MiB of soft matrices
  const std::int64_t by_memory = soft ? std::max<std::int64_t>(kMostCells / (k * k), 1) : 16;
  return static_cast<int>(
      std::clamp<std::int64_t>(rows * k >> 20, 1, std::min<std::int64_t>(by_memory, 16)));
}

}  // namespace

ProbabilitySums sum_probabilities(const ProbabilityTable& table,
                                  const ProbabilityOptions& options) {
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  const auto k = static_cast<std::int64_t>(table.columns.size());
  const int parts = parts_of(rows, k, options.soft);
  std::vector<PartOfRows> sums;
  sums.reserve(static_cast<std::size_t>(parts));
  for (int part = 0; part < parts; ++part) sums.emplace_back(table, options);
  over_parts(parts, threads_of_cells(options.threads, rows, k), rows,
             [&](int part, std::int64_t first, std::int64_t last) {
               sums[static_cast<std::size_t>(part)].run(first, last);
             });
  for (std::size_t part = 1; part < sums.size(); ++part) {
    sums[0].n_rows += sums[part].n_rows;
    if (sums[0].not_probabilities.empty()) {
      sums[0].not_probabilities = std::move(sums[part].not_probabilities);
    }
    sums[0].n_clipped += sums[part].n_clipped;
    sums[0].infinite = sums[0].infinite || sums[part].infinite;
    sums[0].weight.add(sums[part].weight);
    sums[0].log_loss.add(sums[part].log_loss);
    sums[0].brier.add(sums[part].brier);
    add_to(sums[0].class_weights, sums[part].class_weights);
    add_to(sums[0].ranks, sums[part].ranks);
    add_to(sums[0].soft, sums[part].soft);
  }
  PartOfRows& all = sums[0];
  ProbabilitySums out{.n_rows = all.n_rows,
                      .n_clipped = all.n_clipped,
                      .weight = all.weight.value(),
                      .log_loss = all.infinite ? std::numeric_limits<double>::infinity()
                                               : all.log_loss.value() + 0.0,
                      .brier = all.brier.value(),
                      .losses = {},
                      .class_weights = rounded(all.class_weights),
                      .ranks = rounded(all.ranks),
                      .soft = rounded(all.soft),
                      .not_probabilities = std::move(all.not_probabilities)};
  if (!table.weights.empty()) {
    for (const double sum : out.class_weights) require_weight_sum(sum);
  }
  all.log_loss.each_part([&](double part) { out.losses[0].push_back(part + 0.0); });
  all.brier.each_part([&](double part) { out.losses[1].push_back(part); });
  return out;
}

}  // namespace confmat
