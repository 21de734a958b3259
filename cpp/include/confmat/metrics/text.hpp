// The number kit that writes formulas down. Running a row's lambda on `Text` leaves a tree in the
// current `Trace`; the tree is printed as LaTeX or plain text, and read again with the numbers of
// a table when somebody asks why a value is undefined.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace confmat::metrics {

enum class Op : std::uint8_t {
  kLeaf,
  kNumber,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kTermRatio,
  kNegate,
  kRoot,
  kLn,
  kExp,
  kNormal,
  kPower,
  kSmaller,
  kLarger,
  kMagnitude,
  kSign,
  kSumClasses,
  kSumCells,
  kSumOff,
  kSumShares,
  kMeanClasses,
  kMaxClasses,
  kMinClasses,
};

// Which number of a table a leaf stands for; `kOpaque` has none that a reason would need.
enum class Slot : std::uint8_t {
  kTp,
  kFp,
  kFn,
  kTn,
  kTotal,
  kTrace,
  kClasses,
  kRow,
  kCol,
  kDiag,
  kCell,
  kRowI,
  kColI,
  kDiagI,
  kRowJ,
  kColJ,
  kDiagJ,
  kGap,
  kMostOfRows,
  kMostOfCols,
  kParam,
  kSecondParam,
  kOpaque,
  kSlots,
};

struct Symbol {
  const char* tex;
  const char* plain;
  Slot slot;
};

struct Node {
  Op op = Op::kNumber;
  int left = -1;
  int right = -1;
  const Symbol* symbol = nullptr;
  double number = 0.0;
};

struct Text {
  int id = -1;
};

class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  static Text leaf(const Symbol& symbol);
  static Text number(double value);
  static Text node(Op op, Text left, Text right = {});

  const Node& operator[](int id) const { return nodes_[static_cast<std::size_t>(id)]; }
  bool same(int a, int b) const;
  std::string latex(Text root) const;
  std::string plain(Text root) const;
  // "tp + fp = 0 or tp + fn = 0": every denominator of the formula, printed plainly.
  std::string denominators(Text root) const;
  // Whether it has a difference, or a logarithm, which is one near 1.
  bool subtracts(Text root) const;

 private:
  Text add(const Node& node);

  std::vector<Node> nodes_;
  Trace* outer_;
};

template <class T>
concept Plain = std::same_as<T, int> || std::same_as<T, double>;

inline Text operator+(Text x, Text y) { return Trace::node(Op::kAdd, x, y); }
inline Text operator-(Text x, Text y) { return Trace::node(Op::kSub, x, y); }
inline Text operator*(Text x, Text y) { return Trace::node(Op::kMul, x, y); }
inline Text operator/(Text x, Text y) { return Trace::node(Op::kDiv, x, y); }
inline Text operator-(Text x) { return Trace::node(Op::kNegate, x); }
template <Plain P>
Text operator+(P x, Text y) {
  return Trace::number(x) + y;
}
template <Plain P>
Text operator-(P x, Text y) {
  return Trace::number(x) - y;
}
template <Plain P>
Text operator-(Text x, P y) {
  return x - Trace::number(y);
}
template <Plain P>
Text operator*(Text x, P y) {
  return x * Trace::number(y);
}
template <Plain P>
Text operator*(P x, Text y) {
  return Trace::number(x) * y;
}
template <Plain P>
Text operator/(Text x, P y) {
  return x / Trace::number(y);
}
template <Plain P>
Text operator/(P x, Text y) {
  return Trace::number(x) / y;
}

inline Text root(Text x) { return Trace::node(Op::kRoot, x); }
inline Text ln(Text x) { return Trace::node(Op::kLn, x); }
inline Text magnitude(Text x) { return Trace::node(Op::kMagnitude, x); }
inline Text log_of_root(Text x, Text) { return ln(magnitude(x)); }
inline Text power_of_e(Text x) { return Trace::node(Op::kExp, x); }
inline Text normal_distance_of(Text tp, Text fn, Text fp, Text tn) {
  return Trace::node(Op::kNormal, tp / (tp + fn)) - Trace::node(Op::kNormal, fp / (fp + tn));
}
inline Text square(Text x) { return x * x; }
inline Text term_ratio(Text x, Text y) { return Trace::node(Op::kTermRatio, x, y); }
inline Text log_ratio(Text x, Text y) { return ln(term_ratio(x, y)); }
inline Text log_quotient(Text x, Text y) { return ln(x / y); }
inline Text log_contrast(Text x, Text y, Text m) { return 2 / (1 + ln(x / m) / ln(y / m)) - 1; }
inline Text ln_two(Text) { return ln(Trace::number(2.0)); }
inline Text sign(Text x) { return Trace::node(Op::kSign, x); }
inline Text weighted_log(Text weight, Text x, Text y) { return weight * log_ratio(x, y); }
inline Text surprise(Text cell, Text n, Text margins) {
  return weighted_log(cell, n * cell, margins);
}
inline Text difference_of_products(Text x, Text a, Text y, Text b) { return x * a - y * b; }
inline Text divergence(Text x, Text y) { return weighted_log(x, x, y); }
inline Text x_ln_x(Text x) { return x * ln(x); }
inline Text smaller(Text x, Text y) { return Trace::node(Op::kSmaller, x, y); }
inline Text larger(Text x, Text y) { return Trace::node(Op::kLarger, x, y); }
inline Text not_negative(Text x) { return larger(x, Trace::number(0.0)); }
inline Text raised(Text x, Text p) { return Trace::node(Op::kPower, x, p); }
inline Text power_mean(Text p, Text a, Text b) {
  return raised((raised(a, p) + raised(b, p)) / 2, 1 / p);
}
inline Text power_mean(Text p, Text a, Text b, Text c, Text d) {
  return raised((raised(a, p) + raised(b, p) + raised(c, p) + raised(d, p)) / 4, 1 / p);
}

}  // namespace confmat::metrics
