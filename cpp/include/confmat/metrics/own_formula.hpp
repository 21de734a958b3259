// A formula over the cells of one class that came as text, in postfix order: "tp tp fp + /".
// Values, derivatives and what is printed come from the same steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "confmat/metrics/row.hpp"

namespace confmat::metrics {

class OwnFormula {
 public:
  // Throws InputError for a text that is no formula, or one that is too long or nests too deep.
  explicit OwnFormula(std::string_view text);

  // What is not a finite number, at any step, is nan from there on.
  template <class T>
  void values(Columns<T> cells, std::size_t count, double* out) const;
  void slopes(Columns<double> cells, std::size_t count, ClassSlope* out) const;
  Text text() const;
  // Whether it is the same where every cell is multiplied.
  bool is_of_shares() const;
  // Whether it is a quotient of polynomials, which is one formula everywhere.
  bool is_rational() const;

 private:
  enum class Op : std::uint8_t {
    kTp,
    kFp,
    kFn,
    kTn,
    kNumber,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRaise,
    kSquare,
    kNegate,
    kMagnitude,
    kRoot,
    kLn,
  };
  struct Step {
    Op op;
    double number = 0.0;
  };

  static Step step_of(std::string_view word);
  static std::size_t taken_by(Op op);
  template <std::size_t kLanes, class N, class Load>
  void run(std::size_t lanes, const Load& load, N* out) const;

  std::vector<Step> steps_;
};

}  // namespace confmat::metrics
