// The view of a table under which formulas give their gradient by the cells. A formula is a
// function of n, of the trace and of a few sums over classes or cells: inside a sum its terms carry
// their derivatives by the cell and its margins, which are kept; outside, a sum is one variable
// more.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/metrics/dual.hpp"
#include "confmat/metrics/view.hpp"

namespace confmat::metrics {

inline constexpr std::size_t kMostSums = 8;  // of a formula
// A cell and the row, the column and the diagonal of its two classes; of one class those of the
// first of the two. Then n, the trace and the sums.
enum Axis : std::size_t {
  kAxisCell,
  kAxisRow,
  kAxisCol,
  kAxisDiag,
  kAxisOtherRow,
  kAxisOtherCol,
  kAxisOtherDiag,
  kTermAxes,
  kAxisN = kTermAxes,
  kAxisTrace,
  kAxisSum,
  kAxes = kAxisSum + kMostSums,
};
using Slope = Dual<kAxes>;
// What a term has of its own cell and classes: a third of the work where it captures nothing.
using Term = Dual<kTermAxes>;

// Derivatives by the rows, columns and diagonal of each class, and by each cell, where there are
// such.
struct TableSlopes {
  std::vector<double> row, col, diag, cells;

  explicit TableSlopes(std::size_t k) : row(k, 0.0), col(k, 0.0), diag(k, 0.0) {}
};

using SharedSlopes = std::shared_ptr<const TableSlopes>;

// What a place in the formulas gave, as if its sums were the first ones.
struct KnownSlopes {
  Slope value;
  std::vector<SharedSlopes> sums;
};

// Needs: of->has_table().
struct GradientView {
  Margins* of;
  Slope n, trace;
  double k;
  double ln2 = std::numbers::ln2;
  double single;
  std::optional<double> undefined;
  mutable std::vector<SharedSlopes> sums;

  explicit GradientView(Margins& margins)
      : of(&margins),
        n(Slope::variable(margins.n, kAxisN)),
        trace(Slope::variable(margins.trace, kAxisTrace)),
        k(static_cast<double>(margins.k)),
        single(1.0 / margins.scale) {}

  std::size_t size() const { return static_cast<std::size_t>(of->k); }

  ClassOf<Term> at(std::size_t i, bool is_other = false) const {
    const std::size_t first = is_other ? kAxisOtherRow : kAxisRow;
    return {Term::variable(of->row[i], first), Term::variable(of->col[i], first + 1),
            Term::variable(of->diag[i], first + 2)};
  }

  // The value of a sum whose terms these are, as a variable. `total` has slopes by what the terms
  // capture.
  Slope summed(Slope total, TableSlopes slopes) const;
  // `value` and the sums from `first` on, of which alone it is made; and the same once more.
  KnownSlopes since(std::size_t first, const Slope& value) const;
  Slope again(const KnownSlopes& known) const;

  Slope wrong() const { return n - trace; }
  Slope det() const;
  Slope root_of_det() const;
  Slope log_abs_det() const;
  Slope power_det(double p) const;
  Slope canonical_correlation() const;
  // dE of the eigenvalues of B that are positive.
  Slope of_eigenvalues(double value, const std::vector<double>& slopes) const;
};

// Moves what a term says of its class or cell into `kept`; the rest stays.
template <std::size_t N>
void keep(Dual<N>& term, TableSlopes& kept, std::size_t i) {
  auto& s = term.slopes;
  kept.row[i] += s[kAxisRow];
  kept.col[i] += s[kAxisCol];
  kept.diag[i] += s[kAxisDiag];
  s[kAxisRow] = s[kAxisCol] = s[kAxisDiag] = 0.0;
}
template <std::size_t N>
void keep(Dual<N>& term, TableSlopes& kept, std::size_t i, std::size_t j) {
  auto& s = term.slopes;
  kept.cells[i * kept.row.size() + j] += s[kAxisCell];
  keep(term, kept, i);
  kept.row[j] += s[kAxisOtherRow];
  kept.col[j] += s[kAxisOtherCol];
  kept.diag[j] += s[kAxisOtherDiag];
  s[kAxisCell] = s[kAxisOtherRow] = s[kAxisOtherCol] = s[kAxisOtherDiag] = 0.0;
}

// A term is of no more variables than it captures, and may be a constant.
template <class T>
using TermOf = std::conditional_t<std::is_same_v<T, Slope>, Slope, Term>;
// What is left of a term once it is kept.
inline void add(Slope& total, const Slope& part) { total = total + part; }
inline void add(Slope& total, const Term& part) { total.value += part.value; }

template <class F>
Slope sum(const GradientView& t, F term) {
  TableSlopes kept(t.size());
  Slope total;
  for (std::size_t i = 0; i < t.size(); ++i) {
    TermOf<decltype(term(t.at(i)))> part = term(t.at(i));
    keep(part, kept, i);
    add(total, part);
  }
  return t.summed(total, std::move(kept));
}

template <bool kOffOnly, class F>
Slope sum_pairs(const GradientView& t, F term) {
  const std::size_t k = t.size();
  TableSlopes kept(k);
  kept.cells.assign(k * k, 0.0);
  const double* cell = t.of->cells();
  Slope total;
  for (std::size_t i = 0; i < k; ++i) {
    obey_between_rows(k);
    const ClassOf<Term> row = t.at(i);
    for (std::size_t j = 0; j < k; ++j) {
      if (kOffOnly && i == j) continue;
      const ClassOf<Term> col = t.at(j, true);
      const auto gap = static_cast<double>(i < j ? j - i : i - j);
      const Term here = Term::variable(cell[i * k + j], kAxisCell);
      const CellOf<Term, double> x{here, row.row, col.col, gap, row, col};
      TermOf<decltype(term(x))> part = term(x);
      keep(part, kept, i, j);
      add(total, part);
    }
  }
  return t.summed(total, std::move(kept));
}
template <class F>
Slope sum_filled(const GradientView& t, F term) {
  return sum_pairs<false>(t, term);
}
template <class F>
Slope sum_off(const GradientView& t, F term) {
  return sum_pairs<true>(t, term);
}
template <class F, class Empty>
Slope sum_cells(const GradientView& t, F term, Empty) {
  return sum_pairs<false>(t, term);
}
template <int kPower>
Slope sum_gaps(const GradientView& t) {
  return sum_pairs<false>(
      t, [](auto x) { return (kPower == 1 ? x.gap : x.gap * x.gap) * (x.row * x.col); });
}

// The term of the first class where it is the most, or the least.
template <class F, class Beats>
Slope extreme(const GradientView& t, F term, Beats beats) {
  std::size_t best = 0;
  Slope found = term(t.at(0));
  for (std::size_t i = 1; i < t.size(); ++i) {
    const Slope next = term(t.at(i));
    if (!beats(next, found)) continue;
    found = next;
    best = i;
  }
  TableSlopes kept(t.size());
  keep(found, kept, best);
  return t.summed(found, std::move(kept));
}
template <class F>
Slope max_of(const GradientView& t, F term) {
  return extreme(t, term, [](const Slope& x, const Slope& y) { return y < x; });
}
template <class F>
Slope min_of(const GradientView& t, F term) {
  return extreme(t, term, [](const Slope& x, const Slope& y) { return x < y; });
}

// The first of the largest cells counts.
template <bool kRows>
Slope sum_of_most(const GradientView& t) {
  const std::size_t k = t.size();
  TableSlopes kept(k);
  kept.cells.assign(k * k, 0.0);
  const double* cell = t.of->cells();
  double total = 0.0;
  for (std::size_t a = 0; a < k; ++a) {
    const auto at = [a, k](std::size_t b) { return kRows ? a * k + b : b * k + a; };
    std::size_t best = at(0);
    for (std::size_t b = 1; b < k; ++b) {
      if (cell[best] < cell[at(b)]) best = at(b);
    }
    total += cell[best];
    kept.cells[best] = 1.0;
  }
  return t.summed(Slope(total), std::move(kept));
}
inline Slope most_of_rows(const GradientView& t) { return sum_of_most<true>(t); }
inline Slope most_of_cols(const GradientView& t) { return sum_of_most<false>(t); }

// compute(), once for each table and place in the formulas.
template <class F>
Slope once(const GradientView& t, F compute) {
  static constexpr char kPlace = 0;  // its address is that of F
  if (const KnownSlopes* known = t.of->known_slopes(&kPlace)) return t.again(*known);
  const std::size_t first = t.sums.size();
  const Slope value = compute();
  t.of->keep_slopes(&kPlace, t.since(first, value));
  return value;
}

template <class F>
Slope mean_of(const GradientView& t, F term) {
  TableSlopes kept(t.size());
  Slope total;
  double used = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    Slope part = term(t.at(i));
    if (std::isnan(part.value)) part = Slope(t.undefined.value_or(part.value));
    if (std::isnan(part.value)) continue;
    keep(part, kept, i);
    total = total + part;
    used += 1.0;
  }
  return t.summed(total, std::move(kept)) / used;
}

template <class F>
Slope sum_shares(const GradientView& t, F term) {
  using Share = Dual<1>;
  const auto shares = t.of->eigen_shares();
  double total = 0.0;
  double turn = 0.0;
  std::vector<double> slopes;
  for (const double share : shares) {
    const Share one = term(Share::variable(share, 0));
    total += one.value;
    turn += share * one.slopes[0];
    slopes.push_back(one.slopes[0]);
  }
  // Shares are eigenvalues over their sum.
  double whole = 0.0;
  for (const double eta : t.of->eigenvalues()) whole += eta > 0.0 ? eta : 0.0;
  for (double& slope : slopes) slope = (slope - turn) / whole;
  return t.of_eigenvalues(total, slopes);
}

template <std::size_t N>
Dual<N> x_ln_x(const Dual<N>& x) {
  return x.value == 0.0 ? Dual<N>() : chained(x_ln_x(x.value), x, std::log(x.value) + 1.0);
}

}  // namespace confmat::metrics
