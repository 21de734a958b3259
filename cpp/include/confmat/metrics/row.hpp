// One metric is one row: facts and one generic formula. `binary`, `overall` and `pairs` turn the
// formula into plain function pointers for counts, doubles, derivatives and text, so only the
// source that holds a row pays for its templates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "confmat/kernels/wide_loop.hpp"
#include "confmat/metrics/function.hpp"
#include "confmat/metrics/gradient_view.hpp"
#include "confmat/metrics/param.hpp"
#include "confmat/metrics/text_view.hpp"
#include "confmat/metrics/two_classes.hpp"

namespace confmat::metrics {

enum class Better : std::uint8_t { kHigher, kLower, kNeither };

enum class Average : std::uint8_t {
  kNone,
  kMacro,
  kMicro,
  kWeighted,
  kOvo,
  kHarmonic,
  kGeometric,
  kQuadratic,
  kMin,
  kMax,
  kPower,  // with an exponent, behind the parameters of what is averaged
};

// How the value of two classes of given sizes moves with tp and fp. Where a class is undefined, at
// most at the ends of the curve, the value may be any other.
enum class Shape : std::uint8_t {
  kMonotone,     // one way as rows become right: tp up, fp down
  kLinear,       // in tp and fp
  kAssociation,  // `lo` where tp and fp are the same share of their classes, never less beyond
  kDome,         // over a box of them: least in a corner, and nowhere more than three times as far
                 // above that as in the middle
  kFree,         // otherwise
};

constexpr unsigned bit(Average average) { return 1u << static_cast<unsigned>(average); }
constexpr unsigned kNoAverage = 0;
constexpr unsigned kUnpooled = bit(Average::kMacro) | bit(Average::kWeighted) | bit(Average::kOvo);
constexpr unsigned kListed = kUnpooled | bit(Average::kMicro);

struct RowFacts {
  std::string_view name;
  std::string_view aliases = "";  // separated by spaces; "f2(2)" also binds parameters
  std::string_view symbol = "";
  double lo = 0.0;
  double hi = 1.0;
  Better better = Better::kHigher;
  std::string_view summary = "";
  std::string_view of_two = "";      // LaTeX, where the formula of two classes is another one
  std::string_view undefined = "";   // else read off the denominators of the formula
  std::string_view reference = "";   // a key of references.hpp
  Params params = {};                // what the formula takes after the table
  std::string_view one_of_two = "";  // of two classes it has the value of this metric of either
  std::string_view stem = "";        // what averages are called after, if not the name
  std::string_view of_one = "";      // those of the aliases that averages are not called after
  std::string_view of_many = "";     // what is asked of many classes before the macro average
  std::string_view unaveraged = "";  // why it has no averages; else it is a size
  std::string_view transpose = "";   // "=": itself
  std::string_view swap = "";        // "=": itself
  bool perfect = true;
  bool scale = true;
  bool relabel = true;
  bool over_support = false;  // a share of the support: weighted by it, a share of all rows
  bool ordered = false;       // classes keep their positions, absent ones included
  bool fourfold = false;      // multiplies up to 4 k^2 n^2: of large counts in doubles
  bool over_classes = false;  // made of means over the classes
  bool degenerate = false;    // 0 with a reason when a class is on one side only
  bool decomposed = false;    // needs all cells, empty or not, and O(k^3) operations on them
  bool edges = false;         // undefined where a cell is 0, or anywhere of the caller's formula
  bool own = false;           // of the caller's formula: what is not finite is undefined
  bool rational = true;       // of such a formula: a quotient of polynomials
  int min_classes = 1;
  Shape shape = Shape::kMonotone;
  unsigned averages = kListed;
};

enum class Kind : std::uint8_t { kBinary, kOverall, kPairs, kAveraged };

template <class T>
using Column =
    Function<void(Columns<T> cells, std::size_t count, const double* params, double* out)>;
template <class T>
using Value = double (*)(const TableView<T>& table, const double* params);
using Post = double (*)(double mean, double used);
// By tp, fp, fn and tn.
using ClassSlope = Dual<4>;
using ClassSlopes =
    Function<void(Columns<double> cells, std::size_t count, const double* params, ClassSlope* out)>;
using WholeSlope = Slope (*)(const GradientView& table, const double* params);
using PostSlope = Dual<1> (*)(Dual<1> mean, double used);
using Written = Function<Text()>;

struct Row {
  RowFacts facts;
  Kind kind = Kind::kBinary;
  Average average = Average::kNone;  // of an averaged row, as is `base`
  // The formula subtracts what may be nearly equal, as its trace says: weights then go through
  // whole numbers.
  bool subtracts = false;
  Column<double> column = nullptr;  // also the form of a K x K row for two classes, if it has one
  Column<std::int64_t> column_counts = nullptr;
  Column<Whole> column_weights = nullptr;
  // Of a K x K row without a form for two classes: its own formula, of many tables of counts.
  Column<double> two_classes = nullptr;
  Column<std::int64_t> two_classes_counts = nullptr;
  Value<double> whole = nullptr;
  Value<Count<1>> whole_counts = nullptr;
  Value<Weighed> whole_weights = nullptr;
  ClassSlopes class_slopes = nullptr;  // as `column`
  WholeSlope whole_slope = nullptr;
  Written text = nullptr;
  Written text_two = nullptr;
  std::string_view base = "";
  Post post = nullptr;
  PostSlope post_slope = nullptr;
  Text (*text_post)(Text mean, Text used) = nullptr;
};

template <class F, class Argument, class P>
auto apply(F formula, const Argument& argument, const P* params) {
  if constexpr (std::is_invocable_v<F, Argument>) {
    return formula(argument);
  } else if constexpr (std::is_invocable_v<F, Argument, P>) {
    return formula(argument, params[0]);
  } else {
    return formula(argument, params[0], params[1]);
  }
}

template <class F>
void column_of(Columns<double> c, std::size_t count, const double* params, double* out) {
  wide_loop([=] {
    for (std::size_t i = 0; i < count; ++i) {
      const Cells<double> cells{c.tp[i], c.fp[i], c.fn[i], c.tn[i]};
      out[i] = apply(F{}, cells, params);
    }
  });
}

template <class F>
void column_counts_of(Columns<std::int64_t> c, std::size_t count, const double* params,
                      double* out) {
  using N = Count<1>;
  for (std::size_t i = 0; i < count; ++i) {
    const Cells<N> cells{N(c.tp[i]), N(c.fp[i]), N(c.fn[i]), N(c.tn[i])};
    out[i] = real(apply(F{}, cells, params));
  }
}

template <class F>
void column_weights_of(Columns<Whole> c, std::size_t count, const double* params, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const Cells<Weighed> cells{Weighed(c.tp[i]), Weighed(c.fp[i]), Weighed(c.fn[i]),
                               Weighed(c.tn[i])};
    out[i] = real(apply(F{}, cells, params));
  }
}

template <class F>
void class_slopes_of(Columns<double> c, std::size_t count, const double* params, ClassSlope* out) {
  using N = ClassSlope;
  wide_loop([=] {
    for (std::size_t i = 0; i < count; ++i) {
      const Cells<N> cells{N::variable(c.tp[i], 0), N::variable(c.fp[i], 1),
                           N::variable(c.fn[i], 2), N::variable(c.tn[i], 3)};
      out[i] = apply(F{}, cells, params);
    }
  });
}

template <class F>
Slope whole_slope_of(const GradientView& table, const double* params) {
  return apply(F{}, table, params);
}

template <class F, class T>
double whole_of(const TableView<T>& table, const double* params) {
  return real(apply(F{}, table, params));
}

// While one lives, formulas are written with the parameters of this row. (Facts hold literals.)
struct ParamScope {
  explicit ParamScope(const RowFacts& facts);
};
std::array<Text, kMostParams> param_texts();

template <class F>
Text text_of_cells() {
  return apply(F{}, text_cells(), param_texts().data());
}
template <class F>
Text text_of_table() {
  return apply(F{}, TextView{}, param_texts().data());
}
template <class F>
Text text_of_post(Text mean, Text used) {
  return F{}(mean, used);
}
template <class F>
double value_of_post(double mean, double used) {
  return F{}(mean, used);
}
template <class F>
Dual<1> slope_of_post(Dual<1> mean, double used) {
  return F{}(mean, used);
}

template <class F>
consteval Row binary(RowFacts facts, F) {
  Row row;
  row.kind = Kind::kBinary;
  row.facts = facts;
  row.column = column_of<F>;
  row.column_counts = column_counts_of<F>;
  row.column_weights = column_weights_of<F>;
  row.class_slopes = class_slopes_of<F>;
  row.text = text_of_cells<F>;
  return row;
}

// The same cells, read as pairs of rows: together or apart in truth and in prediction.
template <class F>
consteval Row pairs(RowFacts facts, F formula) {
  Row row = binary(facts, formula);
  row.kind = Kind::kPairs;
  row.facts.averages = kNoAverage;
  return row;
}

template <class F>
consteval Row overall(RowFacts facts, F) {
  Row row;
  row.kind = Kind::kOverall;
  row.facts = facts;
  row.facts.averages = kNoAverage;
  row.whole = whole_of<F, double>;
  row.whole_counts = whole_of<F, Count<1>>;
  row.whole_weights = whole_of<F, Weighed>;
  row.whole_slope = whole_slope_of<F>;
  row.text = text_of_table<F>;
  return row;
}

// Of a formula that sees the margins and the diagonal alone.
template <class F>
consteval Row of_margins(RowFacts facts, F formula) {
  Row row = overall(facts, formula);
  row.two_classes = column_of<OfTwoClasses<F>>;
  row.two_classes_counts = column_counts_of<OfTwoClasses<F>>;
  return row;
}

// With a form of its own for two classes, where the general one would lose digits or definedness.
template <class F, class Two>
consteval Row overall(RowFacts facts, F formula, Two) {
  Row row = overall(facts, formula);
  row.column = column_of<Two>;
  row.column_counts = column_counts_of<Two>;
  row.column_weights = column_weights_of<Two>;
  row.class_slopes = class_slopes_of<Two>;
  row.text_two = text_of_cells<Two>;
  return row;
}

consteval Row averaged(RowFacts facts, std::string_view base, Average average) {
  Row row;
  row.kind = Kind::kAveraged;
  row.facts = facts;
  row.facts.averages = kNoAverage;
  row.base = base;
  row.average = average;
  return row;
}

template <class F>
consteval Row averaged(RowFacts facts, std::string_view base, Average average, F) {
  Row row = averaged(facts, base, average);
  row.post = value_of_post<F>;
  row.post_slope = slope_of_post<F>;
  row.text_post = text_of_post<F>;
  return row;
}

// The families, one source each.
std::span<const Row> ratio_rows();
std::span<const Row> class_rows();
std::span<const Row> agreement_rows();
std::span<const Row> association_rows();
std::span<const Row> diagnostic_rows();
std::span<const Row> overlap_rows();
std::span<const Row> size_rows();
std::span<const Row> spectral_rows();
std::span<const Row> information_rows();
std::span<const Row> pair_rows();

}  // namespace confmat::metrics
