// Metrics of many tables of two classes, side by side: formulas run over columns of their cells.
// Each value has the bits that values() gives for its table alone.
// Cost: 1 to 3 ns a metric and table; metrics without a form for two classes, some 100 ns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {

// Used again and again by one thread.
class TwoClassTables {
 public:
  // Whether numbers can be had so: no ends of intervals, cells as they are, both classes.
  static bool serve(std::span<const Ask> asks, const Options& options);

  // Needs: serve(asks, options), and that the asks outlive it.
  TwoClassTables(std::span<const Ask> asks, const Options& options);
  TwoClassTables(const TwoClassTables&) = delete;
  TwoClassTables& operator=(const TwoClassTables&) = delete;
  TwoClassTables(TwoClassTables&&) noexcept;
  TwoClassTables& operator=(TwoClassTables&&) noexcept;
  ~TwoClassTables();

  [[nodiscard]] bool is_full() const noexcept;
  // [[tn, fp], [fn, tp]], the second class being the positive one. False, and nothing is done: no
  // row is of one of the classes, or there are more than 2^24. Needs: it is not full.
  bool add(const std::int64_t* cells);
  // Leaves a place: the values there mean nothing. Needs: it is not full.
  void skip() noexcept;

  // The values of the tables in the order in which they were added: out[m * stride + i] of ask m.
  // Then there are none.
  void take(double* out, std::size_t stride);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace confmat::metrics
