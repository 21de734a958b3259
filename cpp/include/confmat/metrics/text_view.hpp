// The table that formulas see when they are written down.
#pragma once

#include "confmat/metrics/text.hpp"
#include "confmat/metrics/view.hpp"

namespace confmat::metrics {

// The twin of TableView that writes formulas down.
struct TextView {
  Text n, trace, k, ln2, single;

  TextView();
  Text wrong() const { return n - trace; }
  Text det() const;
  Text root_of_det() const;
  Text log_abs_det() const;
  Text power_det(Text p) const;
  Text canonical_correlation() const;
};

Cells<Text> text_cells();
ClassOf<Text> text_class();
CellOf<Text, Text> text_cell();
Text text_share();

template <class F>
Text sum(const TextView&, F term) {
  return Trace::node(Op::kSumClasses, term(text_class()));
}
template <class F>
Text sum_filled(const TextView&, F term) {
  return Trace::node(Op::kSumCells, term(text_cell()));
}
template <class F, class Empty>
Text sum_cells(const TextView& t, F term, Empty) {
  return sum_filled(t, term);
}
template <int kPower>
Text sum_gaps(const TextView& t) {
  return sum_filled(t,
                    [](auto x) { return (kPower == 1 ? x.gap : square(x.gap)) * (x.row * x.col); });
}
template <class F>
Text sum_off(const TextView&, F term) {
  return Trace::node(Op::kSumOff, term(text_cell()));
}
Text most_of_rows(const TextView& t);
Text most_of_cols(const TextView& t);
template <class F>
Text once(const TextView&, F compute) {
  return compute();
}
template <class F>
Text max_of(const TextView&, F term) {
  return Trace::node(Op::kMaxClasses, term(text_class()));
}
template <class F>
Text min_of(const TextView&, F term) {
  return Trace::node(Op::kMinClasses, term(text_class()));
}
template <class F>
Text mean_of(const TextView&, F term) {
  return Trace::node(Op::kMeanClasses, term(text_class()));
}
template <class F>
Text sum_shares(const TextView&, F term) {
  return Trace::node(Op::kSumShares, term(text_share()));
}

}  // namespace confmat::metrics
