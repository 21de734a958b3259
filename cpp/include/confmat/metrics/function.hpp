// A function that a row holds: of the sources, or one that reads the formula of a caller.
#pragma once

#include <cstddef>

namespace confmat::metrics {

class OwnFormula;

template <class>
class Function;

template <class Result, class... Arguments>
class Function<Result(Arguments...)> {
 public:
  using Plain = Result (*)(Arguments...);
  using OfFormula = Result (*)(const OwnFormula&, Arguments...);

  constexpr Function(std::nullptr_t) {}               // NOLINT: there is none
  constexpr Function(Plain plain) : plain_(plain) {}  // NOLINT: as a pointer is taken
  constexpr Function(OfFormula function, const OwnFormula* of) : of_formula_(function), of_(of) {}

  constexpr Result operator()(Arguments... arguments) const {
    return of_ == nullptr ? plain_(arguments...) : of_formula_(*of_, arguments...);
  }
  constexpr bool operator==(std::nullptr_t) const { return plain_ == nullptr && of_ == nullptr; }

 private:
  Plain plain_ = nullptr;
  OfFormula of_formula_ = nullptr;
  const OwnFormula* of_ = nullptr;
};

}  // namespace confmat::metrics
