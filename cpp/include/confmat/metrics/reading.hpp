// Reads a traced formula with the numbers of a table, to find the denominator that is 0.
// Slow, and only for reasons: values never come from here.
#pragma once

#include <array>
#include <span>
#include <string>

#include "confmat/metrics/margins.hpp"
#include "confmat/metrics/text.hpp"

namespace confmat::metrics {

class Reading {
 public:
  // `of` may be null when the formula has no sums.
  Reading(const Trace& trace, Margins* of, std::span<const double> params);
  // From here on every step without a finite value counts, not 0 / 0 alone.
  void require_finite() { finite_ = true; }

  void set(Slot slot, double value) { slots_[static_cast<std::size_t>(slot)] = value; }
  double read(int id);
  // "tp + fp = 0", or empty when no denominator was 0. Where all have to be finite also
  // "ln(tp) is not finite".
  const std::string& zero() const { return zero_; }

 private:
  double read_node(const Node& node);
  double over_classes(const Node& node);
  double over_cells(const Node& node);
  double over_filled(const Node& node);
  double term(const Node& node, std::int64_t i, std::int64_t j, double cell);
  int zero_factor(int id);
  double quotient(const Node& node);

  const Trace& trace_;
  Margins* of_;
  std::array<double, static_cast<std::size_t>(Slot::kSlots)> slots_;
  std::string zero_;
  bool finite_ = false;
};

}  // namespace confmat::metrics
