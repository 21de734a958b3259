// Reads the text of a formula and runs its steps over a stack.
#include "confmat/metrics/own_formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/metrics/text_view.hpp"
#include "name_text.hpp"
#include "nan.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostDepth = 64;

// Powers, for which rows have no word of this kind.
double raised(double x, double y) { return std::isnan(x + y) ? kNan : std::pow(x, y); }

ClassSlope raised(const ClassSlope& x, const ClassSlope& y) {
  const double value = raised(x.value, y.value);
  const double by_x = y.value == 0.0 ? 0.0 : y.value * std::pow(x.value, y.value - 1.0);
  ClassSlope out = chained(value, x, by_x);
  // The logarithm of a base of 0 counts where the exponent moves alone.
  const bool moves = std::ranges::any_of(y.slopes, [](double slope) { return slope != 0.0; });
  if (!moves) return out;
  const double by_y = x.value == 0.0 ? 0.0 : value * std::log(x.value);
  return chained(value, x, by_x, y, by_y);
}

double finite(double x) { return x - x == 0.0 ? x : kNan; }
ClassSlope finite(ClassSlope x) {
  x.value = finite(x.value);
  return x;
}

}  // namespace

OwnFormula::Step OwnFormula::step_of(std::string_view word) {
  static constexpr std::pair<std::string_view, Op> kWords[] = {
      {"tp", Op::kTp},     {"fp", Op::kFp},         {"fn", Op::kFn},      {"tn", Op::kTn},
      {"+", Op::kAdd},     {"-", Op::kSubtract},    {"*", Op::kMultiply}, {"/", Op::kDivide},
      {"**", Op::kRaise},  {"square", Op::kSquare}, {"neg", Op::kNegate}, {"abs", Op::kMagnitude},
      {"sqrt", Op::kRoot}, {"log", Op::kLn}};
  for (const auto& [known, op] : kWords) {
    if (known == word) return {op};
  }
  const auto number = number_in(word);
  if (number && std::isfinite(*number)) return {Op::kNumber, *number};
  throw InputError("the formula has a step " + quoted(word) + " that is not known");
}

std::size_t OwnFormula::taken_by(Op op) {
  if (op <= Op::kNumber) return 0;
  return op <= Op::kRaise ? 2 : 1;
}

OwnFormula::OwnFormula(std::string_view text) {
  std::size_t depth = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const Step step = step_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (steps_.size() == kMostSteps) {
      throw InputError("the formula has more than " + std::to_string(kMostSteps) + " steps");
    }
    const std::size_t taken = taken_by(step.op);
    if (depth < taken) throw InputError("the formula has an operation without its numbers");
    depth += 1 - taken;
    if (depth > kMostDepth) {
      throw InputError("the formula nests more than " + std::to_string(kMostDepth) + " deep");
    }
    steps_.push_back(step);
  }
  if (depth != 1) throw InputError("the formula does not end in one number");
}

// One step after the other over a block of classes, so that loops become vectors.
// `load(cell, i)` is a cell of a class: tp, fp, fn and tn are 0 to 3.
template <std::size_t kLanes, class N, class Load>
void OwnFormula::run(std::size_t lanes, const Load& load, N* out) const {
  N stack[kMostDepth][kLanes];
  std::size_t depth = 0;
  for (const Step& step : steps_) {
    depth += 1 - taken_by(step.op);
    N* const x = stack[depth - 1];
    const N* const y = x + kLanes;
    const auto each = [&](const auto& compute) {
      for (std::size_t i = 0; i < lanes; ++i) x[i] = finite(compute(i));
    };
    switch (step.op) {
      case Op::kTp:
      case Op::kFp:
      case Op::kFn:
      case Op::kTn:
        each([&](std::size_t i) { return load(static_cast<std::size_t>(step.op), i); });
        break;
      case Op::kNumber:
        each([&](std::size_t) { return N(step.number); });
        break;
      case Op::kAdd:
        each([&](std::size_t i) { return x[i] + y[i]; });
        break;
      case Op::kSubtract:
        each([&](std::size_t i) { return x[i] - y[i]; });
        break;
      case Op::kMultiply:
        each([&](std::size_t i) { return x[i] * y[i]; });
        break;
      case Op::kDivide:
        each([&](std::size_t i) { return x[i] / y[i]; });
        break;
      case Op::kRaise:
        each([&](std::size_t i) { return raised(x[i], y[i]); });
        break;
      case Op::kSquare:
        each([&](std::size_t i) { return x[i] * x[i]; });
        break;
      case Op::kNegate:
        each([&](std::size_t i) { return -x[i]; });
        break;
      case Op::kMagnitude:
        each([&](std::size_t i) { return magnitude(x[i]); });
        break;
      case Op::kRoot:
        each([&](std::size_t i) { return root(x[i]); });
        break;
      case Op::kLn:
        each([&](std::size_t i) { return ln(x[i]); });
        break;
    }
  }
  std::copy_n(stack[0], lanes, out);
}

template <class T>
void OwnFormula::values(Columns<T> cells, std::size_t count, double* out) const {
  constexpr std::size_t kLanes = 32;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const T* const from[] = {cells.tp + first, cells.fp + first, cells.fn + first,
                             cells.tn + first};
    const auto load = [&](std::size_t cell, std::size_t i) {
      return static_cast<double>(from[cell][i]);
    };
    run<kLanes>(std::min(kLanes, count - first), load, out + first);
  }
}
template void OwnFormula::values(Columns<double>, std::size_t, double*) const;
template void OwnFormula::values(Columns<std::int64_t>, std::size_t, double*) const;

void OwnFormula::slopes(Columns<double> cells, std::size_t count, ClassSlope* out) const {
  const double* const from[] = {cells.tp, cells.fp, cells.fn, cells.tn};
  for (std::size_t i = 0; i < count; ++i) {
    const auto load = [&](std::size_t cell, std::size_t) {
      return ClassSlope::variable(from[cell][i], cell);
    };
    run<1>(1, load, out + i);
  }
}

Text OwnFormula::text() const {
  const Cells<Text> cells = text_cells();
  std::vector<Text> stack;
  for (const Step& step : steps_) {
    const auto written = [&](Text x, Text y) {
      switch (step.op) {
        case Op::kTp:
          return cells.tp;
        case Op::kFp:
          return cells.fp;
        case Op::kFn:
          return cells.fn;
        case Op::kTn:
          return cells.tn;
        case Op::kNumber:
          return Trace::number(step.number);
        case Op::kAdd:
          return x + y;
        case Op::kSubtract:
          return x - y;
        case Op::kMultiply:
          return x * y;
        case Op::kDivide:
          return x / y;
        case Op::kRaise:
          return metrics::raised(x, y);
        case Op::kSquare:
          return x * x;
        case Op::kNegate:
          return -x;
        case Op::kMagnitude:
          return magnitude(x);
        case Op::kRoot:
          return root(x);
        case Op::kLn:
          break;
      }
      return ln(x);
    };
    const std::size_t left = stack.size() - taken_by(step.op);
    stack.resize(left + 2);
    stack[left] = written(stack[left], stack[left + 1]);
    stack.resize(left + 1);
  }
  return stack[0];
}

bool OwnFormula::is_rational() const {
  return std::ranges::none_of(
      steps_, [](const Step& step) { return step.op == Op::kRaise || step.op >= Op::kMagnitude; });
}

// By the power of the cells that each number grows with; none where it mixes several.
bool OwnFormula::is_of_shares() const {
  using Power = std::optional<double>;
  std::vector<Power> stack;
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    const Op op = steps_[at].op;
    const std::size_t left = stack.size() - taken_by(op);
    stack.resize(left + 2);
    const Power x = stack[left], y = stack[left + 1];
    const bool both = x && y;
    Power power = x;
    switch (op) {
      case Op::kTp:
      case Op::kFp:
      case Op::kFn:
      case Op::kTn:
        power = 1.0;
        break;
      case Op::kNumber:
        power = 0.0;
        break;
      case Op::kAdd:
      case Op::kSubtract:
        if (x != y) power.reset();
        break;
      case Op::kMultiply:
        power = both ? Power(*x + *y) : std::nullopt;
        break;
      case Op::kDivide:
        power = both ? Power(*x - *y) : std::nullopt;
        break;
      case Op::kRaise:
        if (steps_[at - 1].op == Op::kNumber && x) {
          power = *x * steps_[at - 1].number;
        } else if (x != 0.0 || y != 0.0) {
          power.reset();
        }
        break;
      case Op::kSquare:
        if (x) power = 2.0 * *x;
        break;
      case Op::kRoot:
        if (x) power = 0.5 * *x;
        break;
      case Op::kLn:
        if (x != 0.0) power.reset();
        break;
      case Op::kNegate:
      case Op::kMagnitude:
        break;
    }
    stack.resize(left + 1);
    stack[left] = power;
  }
  return stack[0] == 0.0;
}

}  // namespace confmat::metrics
