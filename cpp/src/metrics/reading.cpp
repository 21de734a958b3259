// The reader of traced formulas.
#include "confmat/metrics/reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "confmat/metrics/view.hpp"

namespace confmat::metrics {

Reading::Reading(const Trace& trace, Margins* of, std::span<const double> params)
    : trace_(trace), of_(of) {
  slots_.fill(1.0);  // what has no number here, such as a determinant, is taken as not 0
  std::ranges::copy(params, &slots_[static_cast<std::size_t>(Slot::kParam)]);
  if (of == nullptr) return;
  set(Slot::kTotal, of->n);
  set(Slot::kTrace, of->trace);
  set(Slot::kClasses, static_cast<double>(of->k));
  const TableView<double> table(*of);
  set(Slot::kMostOfRows, most_of_rows(table));
  set(Slot::kMostOfCols, most_of_cols(table));
}

double Reading::over_classes(const Node& node) {
  double total = 0.0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  double used = 0.0;
  // A class without a value is left out of a mean; only the mean itself can be undefined.
  const std::string before = zero_;
  for (std::size_t i = 0; i < of_->row.size(); ++i) {
    set(Slot::kRow, of_->row[i]);
    set(Slot::kCol, of_->col[i]);
    set(Slot::kDiag, of_->diag[i]);
    const double value = read(node.left);
    if (node.op == Op::kMeanClasses && std::isnan(value)) continue;
    used += 1.0;
    total += value;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  if (node.op == Op::kMaxClasses) return highest;
  if (node.op == Op::kMinClasses) return lowest;
  if (node.op != Op::kMeanClasses) return total;
  if (used > 0.0) zero_ = before;
  return total / used;
}

double Reading::over_cells(const Node& node) {
  if (of_->is_sparse()) return over_filled(node);
  const double* cell = of_->cells();
  const std::int64_t k = of_->k;
  double total = 0.0;
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < k; ++j) {
      if (node.op == Op::kSumOff && i == j) continue;
      total += term(node, i, j, cell[i * k + j]);
    }
  }
  return total;
}

double Reading::term(const Node& node, std::int64_t i, std::int64_t j, double cell) {
  const auto a = static_cast<std::size_t>(i);
  const auto b = static_cast<std::size_t>(j);
  set(Slot::kCell, cell);
  set(Slot::kGap, std::fabs(static_cast<double>(i - j)));
  set(Slot::kRowI, of_->row[a]);
  set(Slot::kColI, of_->col[a]);
  set(Slot::kDiagI, of_->diag[a]);
  set(Slot::kRowJ, of_->row[b]);
  set(Slot::kColJ, of_->col[b]);
  set(Slot::kDiagJ, of_->diag[b]);
  const double value = read(node.left);
  return std::isnan(value) ? 0.0 : value;  // x ln x at an empty cell
}

// Empty cells only where a row and a column that are not empty cross, and some of these: a sum is 0
// or it is not.
double Reading::over_filled(const Node& node) {
  constexpr std::size_t kMost = 1000;
  const Filled& filled = of_->filled();
  const double* cell = of_->filled_cells();
  double total = 0.0;
  std::vector<std::int64_t> rows, cols;
  for (std::size_t i = 0; i < of_->row.size(); ++i) {
    for (std::size_t at = filled.starts[i]; at < filled.starts[i + 1]; ++at) {
      if (node.op == Op::kSumOff && i == filled.columns[at]) continue;
      total += term(node, static_cast<std::int64_t>(i), filled.columns[at], cell[at]);
    }
    if (of_->row[i] > 0.0 && rows.size() < kMost) rows.push_back(static_cast<std::int64_t>(i));
    if (of_->col[i] > 0.0 && cols.size() < kMost) cols.push_back(static_cast<std::int64_t>(i));
  }
  for (const std::int64_t i : rows) {
    for (const std::int64_t j : cols) {
      const auto a = static_cast<std::size_t>(i);
      const auto first = filled.columns.begin() + static_cast<std::ptrdiff_t>(filled.starts[a]);
      const auto last = filled.columns.begin() + static_cast<std::ptrdiff_t>(filled.starts[a + 1]);
      if (node.op == Op::kSumOff && i == j) continue;
      if (!std::binary_search(first, last, static_cast<std::uint32_t>(j))) {
        total += term(node, i, j, 0.0);
      }
    }
  }
  return total;
}

// The factor that makes a product 0, without the roots around it.
int Reading::zero_factor(int id) {
  for (;;) {
    const Node& node = trace_[id];
    if (node.op == Op::kMul) {
      const bool is_left = node.left == node.right || read(node.left) == 0.0;
      id = is_left ? node.left : node.right;
    } else if (node.op == Op::kRoot) {
      id = node.left;
    } else {
      return id;
    }
  }
}

double Reading::quotient(const Node& node) {
  const double above = read(node.left);
  const double below = read(node.right);
  if (node.op == Op::kTermRatio) return below == 0.0 ? 0.0 : above / below;
  if (below == 0.0 && (above == 0.0 || finite_) && zero_.empty()) {
    zero_ = trace_.plain({zero_factor(node.right)});
    zero_ += " = 0";
  }
  return above / below;
}

double Reading::read(int id) {
  const double value = read_node(trace_[id]);
  if (finite_ && !std::isfinite(value) && zero_.empty()) {
    zero_ = trace_.plain({id});
    zero_ += " is not finite";
  }
  return value;
}

double Reading::read_node(const Node& node) {
  switch (node.op) {
    case Op::kLeaf:
      return slots_[static_cast<std::size_t>(node.symbol->slot)];
    case Op::kNumber:
      return node.number;
    case Op::kAdd:
      return read(node.left) + read(node.right);
    case Op::kSub:
      return read(node.left) - read(node.right);
    case Op::kMul: {
      const double left = read(node.left);
      const double right = node.right == node.left ? left : read(node.right);
      return left == 0.0 || right == 0.0 ? 0.0 : left * right;  // 0 ln 0 is 0
    }
    case Op::kDiv:
    case Op::kTermRatio:
      return quotient(node);
    case Op::kNegate:
      return -read(node.left);
    case Op::kRoot:
      return std::sqrt(read(node.left));
    case Op::kLn:
      return std::log(read(node.left));
    case Op::kExp:
      return std::exp(read(node.left));
    case Op::kNormal: {
      const double share = read(node.left);
      return normal_quantile(share, 1 - share);
    }
    case Op::kPower:
      return std::pow(read(node.left), read(node.right));
    case Op::kSmaller:
      return std::min(read(node.left), read(node.right));
    case Op::kLarger:
      return std::max(read(node.left), read(node.right));
    case Op::kMagnitude:
      return std::fabs(read(node.left));
    case Op::kSign:
      return sign(read(node.left));
    case Op::kSumClasses:
    case Op::kMeanClasses:
    case Op::kMaxClasses:
    case Op::kMinClasses:
      return over_classes(node);
    case Op::kSumCells:
    case Op::kSumOff:
      return over_cells(node);
    case Op::kSumShares:
      return 1.0;
  }
  return 1.0;
}

}  // namespace confmat::metrics
