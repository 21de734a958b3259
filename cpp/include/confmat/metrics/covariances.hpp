// Sums of squared covariances of the classes as indicator vectors, of which correlations of vectors
// are made: those of truth and prediction, and those of one side with itself. All are times n^4.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/metrics/gradient_view.hpp"
#include "confmat/metrics/text_view.hpp"

namespace confmat::metrics {

// Over the empty cells of a list, the squares of r c.
inline double empty_squares(const Margins& of) {
  Sum2 all, total;
  for (const double c : of.col) all.add(c * c);
  for (std::size_t i = 0; i < of.row.size(); ++i) {
    obey_between_rows(of.row.size());
    Sum2 rest = all;
    for (std::size_t at = of.filled().starts[i]; at < of.filled().starts[i + 1]; ++at) {
      const double c = of.col[of.filled().columns[at]];
      rest.add(-(c * c));
    }
    total.add(of.row[i] * of.row[i] * std::max(rest.value(), 0.0));
  }
  return total.value();
}

// Over all cells, the squares of n C - r c.
template <class View>
auto squared_covariances(const View& t) {
  const auto all = [&t](auto x) { return square(t.n * x.cell - x.row * x.col); };
  if constexpr (std::is_same_v<View, TextView>) {
    return sum_filled(t, all);
  } else {
    if constexpr (!std::is_same_v<View, GradientView> &&
                  !std::is_same_v<View, TableView<Weighed>>) {
      if (t.of->is_sparse()) {
        return sum_filled(t, [&](auto x) { return real(all(x)); }) + empty_squares(*t.of);
      }
    }
    return sum_pairs<false>(t, all);
  }
}

// Of one side, whose sizes of classes `size` gives. A variance is r (n - r), a covariance -r_i r_j:
// sums of squares, which do not cancel where one class is nearly all.
template <class View, class Size>
auto squared_own_covariances(const View& t, Size size) {
  const auto variances = sum(t, [&](auto k) { return square(size(k)) * square(t.n - size(k)); });
  const auto all = sum(t, [&](auto k) { return square(size(k)); });
  if constexpr (std::is_same_v<View, TextView>) {
    return variances + square(all) - sum(t, [&](auto k) { return square(square(size(k))); });
  } else {
    return variances + sum(t, [&](auto k) {
             const auto one = square(size(k));
             return one * (all - one);
           });
  }
}

}  // namespace confmat::metrics
