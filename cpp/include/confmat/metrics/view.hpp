// What formulas see: the four cells of a class against the rest, or a whole table with `t.n`,
// `t.trace`, `t.k` and sums over its classes and cells. The number type decides what a formula
// gives: a value from counts or doubles, or its own text (text_view.hpp).
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <numbers>
#include <optional>
#include <type_traits>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/margins.hpp"
#include "confmat/metrics/number.hpp"
#include "confmat/metrics/parts.hpp"

namespace confmat::metrics {

template <class T>
struct Cells {
  T tp, fp, fn, tn;
};

template <class T>
struct ClassOf {
  T row, col, diag;
};

template <class T, class Gap>
struct CellOf {
  T cell, row, col;  // the margins are those of the cell's row and column
  Gap gap;           // |i - j|
  ClassOf<T> i, j;
};

using Weighed = Count<1, Whole>;

// How many classes: what its products with counts are depends on these.
template <class T>
struct ClassesOf {
  using Type = double;
  static Type of(std::int64_t k) { return static_cast<double>(k); }
};
template <class Int>
struct ClassesOf<Count<1, Int>> {
  using Type = Count<0, Int>;
  static Type of(std::int64_t k) { return Type(Int(k)); }
};

// T is double, Count<1> or Weighed.
template <class T>
struct TableView {
  Margins* of;
  T n, trace, single;  // `single`: one row
  typename ClassesOf<T>::Type k;
  double ln2 = std::numbers::ln2;
  std::optional<double> undefined;

  explicit TableView(Margins& margins) : of(&margins), k(ClassesOf<T>::of(margins.k)) {
    if constexpr (std::same_as<T, double>) {
      n = margins.n;
      trace = margins.trace;
      single = 1.0 / margins.scale;
    } else if constexpr (std::same_as<T, Weighed>) {
      n = T(margins.whole()->n);
      trace = T(margins.whole()->trace);
      single = T(margins.whole()->single);
    } else {
      n = T(margins.n_count);
      trace = T(margins.trace_count);
      single = T(1);
    }
  }

  ClassOf<T> at(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    if constexpr (std::same_as<T, double>) {
      return {of->row[at], of->col[at], of->diag[at]};
    } else if constexpr (std::same_as<T, Weighed>) {
      const WholeTable& whole = *of->whole();
      return {T(whole.row[at]), T(whole.col[at]), T(whole.tp[at])};
    } else {
      return {T(of->row_count[at]), T(of->col_count[at]), T(of->diag_count[at])};
    }
  }

  // Of doubles, the cells off the diagonal summed.
  T wrong() const {
    if constexpr (std::same_as<T, double>) {
      return of->wrong();
    } else {
      return n - trace;
    }
  }
  double det() const { return of->det().det.value(); }
  double root_of_det() const {
    const linalg::Det& found = of->det().det;
    return found.sign() * std::exp(found.log_abs() / static_cast<double>(of->k - 1));
  }
  double log_abs_det() const { return of->log_abs_det(); }
  double power_det(double p) const { return of->power_det(p).det.value(); }
  double canonical_correlation() const { return of->canonical_correlation(); }
};

template <class T, class F>
auto sum(const TableView<T>& t, F term) {
  decltype(term(t.at(0))) total{};
  for (std::int64_t i = 0; i < t.of->k; ++i) total = total + term(t.at(i));
  return total;
}

// Calls walk(cell), where cell(i) is one of all k * k cells.
template <class T, class Walk>
auto over_cells(const TableView<T>& t, Walk walk) {
  if constexpr (std::same_as<T, double>) {
    return walk([cells = t.of->cells()](std::size_t i) { return cells[i]; });
  } else if constexpr (std::same_as<T, Weighed>) {
    if (t.of->kit != Kit::kReal) {
      return walk([cells = t.of->cell_counts()](std::size_t i) { return T(Whole(cells[i])); });
    }
    return walk([cells = t.of->whole_cells()](std::size_t i) { return T(cells[i]); });
  } else {
    return walk([cells = t.of->cell_counts()](std::size_t i) { return T(cells[i]); });
  }
}

template <bool kOffOnly, class T, class F>
auto sum_pairs(const TableView<T>& t, F term) {
  using Gap = std::conditional_t<std::same_as<T, double>, double, std::int64_t>;
  const std::int64_t k = t.of->k;
  using Sum = decltype(term(CellOf<T, Gap>{}));
  return over_cells(t, [&](auto cell) {
    return sum_parts<Sum>(static_cast<std::size_t>(k), [&](std::size_t first, std::size_t last) {
      Sum total{};
      for (auto i = static_cast<std::int64_t>(first); i < static_cast<std::int64_t>(last); ++i) {
        obey_between_rows(static_cast<std::size_t>(k));
        const ClassOf<T> row = t.at(i);
        for (std::int64_t j = 0; j < k; ++j) {
          if (kOffOnly && i == j) continue;
          const ClassOf<T> col = t.at(j);
          const auto gap = static_cast<Gap>(i < j ? j - i : i - j);
          const auto at = static_cast<std::size_t>(i * k + j);
          const CellOf<T, Gap> x{cell(at), row.row, col.col, gap, row, col};
          total = total + term(x);
        }
      }
      return total;
    });
  });
}

// Of a sparse table only the cells that hold something.
template <bool kOffOnly, class T, class F>
auto sum_held(const TableView<T>& t, F term) {
  if constexpr (std::same_as<T, Weighed>) {
    return sum_pairs<kOffOnly>(t, term);
  } else {
    if (!t.of->is_sparse()) return sum_pairs<kOffOnly>(t, term);
    using Gap = std::conditional_t<std::same_as<T, double>, double, std::int64_t>;
    using Sum = decltype(term(CellOf<T, Gap>{}));
    const Filled& filled = t.of->filled();
    const auto* cell = [&t] {
      if constexpr (std::same_as<T, double>) {
        return t.of->filled_cells();
      } else {
        return t.of->filled_counts();
      }
    }();
    const auto k = static_cast<std::size_t>(t.of->k);
    return sum_parts<Sum>(k, [&](std::size_t first, std::size_t last) {
      Sum total{};
      for (std::size_t i = first; i < last; ++i) {
        obey_between_rows(k);
        const ClassOf<T> row = t.at(static_cast<std::int64_t>(i));
        for (std::size_t at = filled.starts[i]; at < filled.starts[i + 1]; ++at) {
          const std::size_t j = filled.columns[at];
          if (kOffOnly && i == j) continue;
          const ClassOf<T> col = t.at(static_cast<std::int64_t>(j));
          const auto gap = static_cast<Gap>(i < j ? j - i : i - j);
          total = total + term(CellOf<T, Gap>{T(cell[at]), row.row, col.col, gap, row, col});
        }
      }
      return total;
    });
  }
}

// Needs: the term of an empty cell is 0.
template <class T, class F>
auto sum_filled(const TableView<T>& t, F term) {
  return sum_held<false>(t, term);
}
template <class T, class F>
auto sum_off(const TableView<T>& t, F term) {
  return sum_held<true>(t, term);
}

// `of_empty` gives the terms of empty cells from the sum of their products of margins: these are
// taken together, so that a list of cells has the bits of a table, and a part of its classes, too.
template <class T, class F, class Empty>
auto sum_cells(const TableView<T>& t, F term, Empty of_empty) {
  const auto of_filled = [&term](const auto& x) {
    return real(x.cell) == 0.0 ? decltype(term(x)){} : term(x);
  };
  const auto filled = sum_held<false>(t, of_filled);
  if constexpr (std::same_as<T, double>) {
    return filled + of_empty(t.of->empty_margins());
  } else {
    if constexpr (std::same_as<T, Count<1>>) {
      if (t.of->is_sparse()) return filled + of_empty(Count<2>(t.of->empty_margin_counts()));
    }
    return filled + of_empty(sum_pairs<false>(t, [](const auto& x) {
             const auto margins = x.row * x.col;
             return real(x.cell) == 0.0 ? margins : decltype(margins){};
           }));
  }
}

// Over all cells, gap^kPower row col.
template <int kPower, class T>
auto sum_gaps(const TableView<T>& t) {
  if constexpr (std::same_as<T, double>) {
    if (t.of->is_sparse()) return t.of->margins_by_gaps(kPower);
  } else if constexpr (std::same_as<T, Count<1>>) {
    if (t.of->is_sparse()) return Count<2>(t.of->margin_counts_by_gaps(kPower));
  }
  return sum_pairs<false>(t, [](auto x) {
    if constexpr (kPower == 1) {
      return x.gap * (x.row * x.col);
    } else {
      return square(x.gap) * (x.row * x.col);
    }
  });
}

template <class T, class F>
auto max_of(const TableView<T>& t, F term) {
  auto best = term(t.at(0));
  for (std::int64_t i = 1; i < t.of->k; ++i) {
    const auto next = term(t.at(i));
    if (best < next) best = next;
  }
  return best;
}
template <class T, class F>
auto min_of(const TableView<T>& t, F term) {
  auto best = term(t.at(0));
  for (std::int64_t i = 1; i < t.of->k; ++i) {
    const auto next = term(t.at(i));
    if (next < best) best = next;
  }
  return best;
}

// The largest cell of each row, or of each column, summed.
template <bool kRows, class T>
T sum_of_most(const TableView<T>& t) {
  const auto k = static_cast<std::size_t>(t.of->k);
  std::vector<T> most(k);
  const auto meet = [&most](std::size_t i, std::size_t j, const T& cell) {
    T& best = most[kRows ? i : j];
    if (best < cell) best = cell;
  };
  bool is_met = false;
  if constexpr (!std::same_as<T, Weighed>) {
    is_met = t.of->is_sparse();
    if (is_met) {
      const Filled& filled = t.of->filled();
      const auto* cell = [&t] {
        if constexpr (std::same_as<T, double>) {
          return t.of->filled_cells();
        } else {
          return t.of->filled_counts();
        }
      }();
      for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t at = filled.starts[i]; at < filled.starts[i + 1]; ++at) {
          meet(i, filled.columns[at], T(cell[at]));
        }
      }
    }
  }
  if (!is_met) {
    over_cells(t, [&](auto cell) {
      for (std::size_t i = 0; i < k; ++i) {
        obey_between_rows(k);
        for (std::size_t j = 0; j < k; ++j) meet(i, j, cell(i * k + j));
      }
    });
  }
  T total{};
  for (const T& each : most) total = total + each;
  return total;
}
template <class T>
T most_of_rows(const TableView<T>& t) {
  return sum_of_most<true>(t);
}
template <class T>
T most_of_cols(const TableView<T>& t) {
  return sum_of_most<false>(t);
}

// compute(), once for each table and place in the formulas.
template <class T, class F>
double once(const TableView<T>& t, F compute) {
  static constexpr char kPlace = 0;  // its address is that of F
  return t.of->remembered(&kPlace, compute);
}

// The mean over the classes where the term is defined, or after `undefined` has replaced it.
template <class T, class F>
double mean_of(const TableView<T>& t, F term) {
  double total = 0.0;
  double used = 0.0;
  for (std::int64_t i = 0; i < t.of->k; ++i) {
    double value = term(t.at(i));
    if (std::isnan(value)) value = t.undefined.value_or(value);
    if (std::isnan(value)) continue;
    total += value;
    used += 1.0;
  }
  return total / used;
}

template <class T, class F>
double sum_shares(const TableView<T>& t, F term) {
  double total = 0.0;
  for (const double share : t.of->eigen_shares()) total += term(share);
  return total;
}

}  // namespace confmat::metrics
