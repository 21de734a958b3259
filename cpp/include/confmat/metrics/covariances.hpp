// Sums of squared covariances of the classes as indicator vectors, of which correlations of vectors
// are made: those of truth and prediction, and those of one side with itself. All are times n^4.
#pragma once

#include <type_traits>

#include "confmat/metrics/gradient_view.hpp"
#include "confmat/metrics/text_view.hpp"

namespace confmat::metrics {

// Over all cells, the squares of n C - r c.
template <class View>
auto squared_covariances(const View& t) {
  const auto all = [&t](auto x) { return square(t.n * x.cell - x.row * x.col); };
  if constexpr (std::is_same_v<View, TextView>) {
    return sum_filled(t, all);
  } else {
    if constexpr (!std::is_same_v<View, GradientView>) {
      if (t.of->is_sparse()) {
        // An empty cell has r c alone; those of all cells are a product of sums.
        const auto beyond = sum_filled(t, [&](auto x) {
          const auto lone = x.row * x.col;
          return real(all(x)) - real(square(lone));
        });
        return beyond + real(sum(t, [](auto k) { return square(k.row); })) *
                            real(sum(t, [](auto k) { return square(k.col); }));
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
