// What a formula over the margins of a table sees of two classes alone: no memory, so that a loop
// over many tables of two classes runs through columns of their cells.
#pragma once

#include "confmat/metrics/view.hpp"

namespace confmat::metrics {

// The twin of TableView. T is double, Count<1> or Weighed.
template <class T>
struct TwoClasses {
  ClassOf<T> one, two;
  T n, trace;
  typename ClassesOf<T>::Type k = ClassesOf<T>::of(2);

  explicit TwoClasses(const Cells<T>& c)
      : one{c.tp + c.fn, c.tp + c.fp, c.tp},
        two{c.tn + c.fp, c.tn + c.fn, c.tn},
        n(c.tp + c.fp + c.fn + c.tn),
        trace(c.tp + c.tn) {}
};

template <class T, class F>
auto sum(const TwoClasses<T>& t, F term) {
  return term(t.one) + term(t.two);
}
template <class T, class F>
auto max_of(const TwoClasses<T>& t, F term) {
  const auto one = term(t.one);
  const auto two = term(t.two);
  return one < two ? two : one;
}
template <class T, class F>
auto min_of(const TwoClasses<T>& t, F term) {
  const auto one = term(t.one);
  const auto two = term(t.two);
  return two < one ? two : one;
}

// A formula over a table as one over the cells of either of its two classes.
template <class F>
struct OfTwoClasses {
  template <class T>
  auto operator()(const Cells<T>& cells) const {
    return F{}(TwoClasses<T>(cells));
  }
};

}  // namespace confmat::metrics
