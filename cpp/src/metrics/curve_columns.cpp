// Sums along the entries of a sweep, and their ratios.
#include "confmat/metrics/curve_columns.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"

namespace confmat::metrics {
namespace {

// So many numbers, written by fill(first, last, numbers) stretch by stretch.
template <class T, class Fill>
SharedArray<T> filled(std::size_t size, const Fill& fill) {
  Pages<T> numbers(size);
  T* const to = numbers.data();
  for (const auto [first, last] : Strides(size)) fill(first, last, to);
  return shared_pages(std::move(numbers));
}

// The numbers, after `before` where there is an origin.
template <class T>
SharedArray<T> after(bool origin, T before, const SharedArray<T>& numbers) {
  if (!origin) return numbers;
  const T* const from = numbers.data();
  return filled<T>(numbers.size() + 1, [=](std::size_t first, std::size_t last, T* to) {
    for (std::size_t i = first; i < last; ++i) to[i] = i == 0 ? before : from[i - 1];
  });
}

// Sums up to each of the amounts, after 0 where there is an origin.
template <class Sum, class T>
SharedArray<Sum> summed(bool origin, const SharedArray<T>& amounts) {
  const T* const from = amounts.data();
  const std::size_t skip = origin ? 1 : 0;
  Sum sum = 0;
  return filled<Sum>(amounts.size() + skip, [&](std::size_t first, std::size_t last, Sum* to) {
    for (std::size_t i = first; i < last; ++i) {
      if (i >= skip) sum += static_cast<Sum>(from[i - skip]);
      to[i] = sum;
    }
  });
}

TotalArray totals(bool origin, const AmountArray& amounts) {
  return std::visit(
      [&]<class Array>(const Array& of) -> TotalArray {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return summed<double>(origin, of.leads);
        } else {
          return summed<std::int64_t>(origin, of);
        }
      },
      amounts);
}

ScoreArray thresholds(bool origin, const Sweep& sweep) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (!sweep.is_exact) {
    return after(origin, kInf, SharedArray<double>(sweep.grid.lower(sweep.bins.view())));
  }
  return std::visit(
      [&]<class T>(const SharedArray<T>& scores) -> ScoreArray {
        return after(origin, static_cast<T>(kInf), scores);
      },
      sweep.scores);
}

// Each number over the last of them.
template <class T>
SharedArray<double> shares(const SharedArray<T>& totals) {
  const T* const from = totals.data();
  const double all = totals.empty() ? 0 : static_cast<double>(from[totals.size() - 1]);
  return filled<double>(totals.size(), [=](std::size_t first, std::size_t last, double* to) {
    for (std::size_t i = first; i < last; ++i) to[i] = static_cast<double>(from[i]) / all;
  });
}

template <class T>
SharedArray<double> precisions(const SharedArray<T>& tp, const SharedArray<T>& fp) {
  return filled<double>(tp.size(), [&, tp = tp.data(), fp = fp.data()](
                                       std::size_t first, std::size_t last, double* to) {
    for (std::size_t i = first; i < last; ++i) {
      to[i] = static_cast<double>(tp[i]) / static_cast<double>(tp[i] + fp[i]);
    }
  });
}

}  // namespace

CurveColumns roc_columns(const Sweep& sweep) {
  CurveColumns out{.thresholds = thresholds(true, sweep),
                   .tp = totals(true, sweep.positives),
                   .fp = totals(true, sweep.negatives),
                   .x = {},
                   .y = {}};
  const auto share = [](const auto& of) { return shares(of); };
  out.x = std::visit(share, out.fp);
  out.y = std::visit(share, out.tp);
  return out;
}

CurveColumns pr_columns(const Sweep& sweep) {
  CurveColumns out{.thresholds = thresholds(false, sweep),
                   .tp = totals(false, sweep.positives),
                   .fp = totals(false, sweep.negatives),
                   .x = {},
                   .y = {}};
  std::visit(
      [&]<class T>(const SharedArray<T>& tp) {
        out.x = shares(tp);
        out.y = precisions(tp, std::get<SharedArray<T>>(out.fp));
      },
      out.tp);
  return out;
}

}  // namespace confmat::metrics
