// Sums of the gaps between ordered classes: of cells, of pairs of margins, of pairs of ratings.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "confmat/metrics/gradient_view.hpp"
#include "confmat/metrics/text_view.hpp"

namespace confmat::metrics {

// Over all cells, gap^kPower C.
template <int kPower, class View>
auto gaps_seen(const View& t) {
  return sum_filled(t, [](auto x) {
    if constexpr (kPower == 1) {
      return x.gap * x.cell;
    } else {
      return square(x.gap) * x.cell;
    }
  });
}

// As gaps_of_ratings(), from the margins alone. |i - j| is how many bounds between neighbours lie
// between them; (i - j)^2 is multiplied out around the middle, where little cancels.
template <int kPower, class T>
auto gaps_of_margins(const TableView<T>& t) {
  const std::int64_t k = t.of->k;
  const auto ratings = [&t](std::int64_t i) {
    const ClassOf<T> at = t.at(i);
    return at.row + at.col;
  };
  if constexpr (kPower == 1) {
    std::vector<T> behind(static_cast<std::size_t>(k));
    T sum{};
    for (std::int64_t i = k; i-- > 0; sum = sum + ratings(i)) {
      behind[static_cast<std::size_t>(i)] = sum;
    }
    sum = T{};
    decltype(sum * sum) total{};
    for (std::int64_t i = 0; i < k; ++i) {
      sum = sum + ratings(i);
      total = total + 2 * (sum * behind[static_cast<std::size_t>(i)]);
    }
    return total;
  } else {
    using Place = std::conditional_t<std::same_as<T, double>, double, std::int64_t>;
    double middle = 0.0;
    for (std::int64_t i = 0; i < k; ++i) middle += static_cast<double>(i) * real(ratings(i));
    middle = std::round(middle / (2 * real(t.n)));
    T all{}, near{}, squares{};
    for (std::int64_t i = 0; i < k; ++i) {
      const auto from = static_cast<Place>(i) - static_cast<Place>(middle);
      all = all + ratings(i);
      near = near + from * ratings(i);
      squares = squares + (from * from) * ratings(i);
    }
    return 2 * (all * squares - near * near);
  }
}

// Over all pairs of ratings of either side, gap^kPower: what chance alone disagrees.
template <int kPower, class View>
auto gaps_of_ratings(const View& t) {
  const auto pair = [](auto x) {
    const auto both = (x.i.row + x.i.col) * (x.j.row + x.j.col);
    if constexpr (kPower == 1) {
      return x.gap * both;
    } else {
      return square(x.gap) * both;
    }
  };
  if constexpr (std::is_same_v<View, TextView>) {
    return sum_filled(t, pair);
  } else {
    if constexpr (!std::is_same_v<View, GradientView>) {
      if (t.of->is_sparse()) return gaps_of_margins<kPower>(t);
    }
    return sum_pairs<false>(t, pair);
  }
}

}  // namespace confmat::metrics
