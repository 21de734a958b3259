// Printing of traced formulas.
#include "confmat/metrics/text.hpp"

#include "confmat/base/shown.hpp"

namespace confmat::metrics {
namespace {

thread_local Trace* current = nullptr;

// How tightly a node binds: sums 1, signs 2, products 3, all else 4.
int strength(const Node& node, bool tex) {
  switch (node.op) {
    case Op::kAdd:
    case Op::kSub:
      return 1;
    case Op::kNegate:
      return 2;
    case Op::kNumber:
      return node.number < 0.0 ? 2 : 4;
    case Op::kMul:
      return 3;
    case Op::kDiv:
    case Op::kTermRatio:
      return tex ? 4 : 3;
    case Op::kSumClasses:
    case Op::kSumCells:
    case Op::kSumOff:
    case Op::kSumShares:
    case Op::kMeanClasses:
      return tex ? 2 : 4;
    default:
      return 4;
  }
}

struct Printer {
  const Trace& trace;
  bool tex;
  std::string out;

  void wrapped(int id, int least) {
    if (strength(trace[id], tex) >= least) return print(id);
    out += tex ? "\\left(" : "(";
    print(id);
    out += tex ? "\\right)" : ")";
  }

  // What a power is of.
  void raised(int id) { wrapped(id, trace[id].op == Op::kLeaf ? 4 : 5); }

  void call(const char* tex_name, const char* plain_name, int id) {
    out += tex ? tex_name : plain_name;
    out += tex ? "\\left(" : "(";
    print(id);
    out += tex ? "\\right)" : ")";
  }

  void big(const char* tex_name, const char* plain_name, int id) {
    if (!tex) return call("", plain_name, id);
    out += tex_name;
    out += ' ';
    wrapped(id, 2);
  }

  void product(const Node& node) {
    if (trace.same(node.left, node.right)) {
      raised(node.left);
      out += "^2";
      return;
    }
    wrapped(node.left, 3);
    out += tex ? "\\, " : " * ";
    wrapped(node.right, 3);
  }

  void quotient(const Node& node) {
    if (tex) {
      out += "\\frac{";
      print(node.left);
      out += "}{";
      print(node.right);
      out += '}';
      return;
    }
    wrapped(node.left, 3);
    out += " / ";
    wrapped(node.right, 4);
  }

  void power(const Node& node) {
    raised(node.left);
    out += tex ? "^{" : "^(";
    print(node.right);
    out += tex ? "}" : ")";
  }

  void extreme(const char* tex_name, const char* plain_name, const Node& node) {
    out += tex ? tex_name : plain_name;
    out += '(';
    print(node.left);
    out += ", ";
    print(node.right);
    out += ')';
  }

  void enclosed(const char* open, const char* close, const char* plain_name, int id) {
    out += tex ? open : plain_name;
    print(id);
    out += tex ? close : ")";
  }

  void print(int id) {
    const Node& node = trace[id];
    switch (node.op) {
      case Op::kLeaf:
        out += tex ? node.symbol->tex : node.symbol->plain;
        return;
      case Op::kNumber:
        out += shown_number(node.number);
        return;
      case Op::kAdd:
      case Op::kSub:
        wrapped(node.left, 1);
        out += node.op == Op::kAdd ? " + " : " - ";
        return wrapped(node.right, node.op == Op::kAdd ? 1 : 2);
      case Op::kMul:
        return product(node);
      case Op::kDiv:
      case Op::kTermRatio:
        return quotient(node);
      case Op::kNegate:
        out += '-';
        return wrapped(node.left, 2);
      case Op::kRoot:
        return enclosed("\\sqrt{", "}", "sqrt(", node.left);
      case Op::kExp:
        return enclosed("e^{", "}", "exp(", node.left);
      case Op::kNormal:
        return call("\\Phi^{-1}", "normal_quantile", node.left);
      case Op::kPower:
        return power(node);
      case Op::kSmaller:
        return extreme("\\min", "min", node);
      case Op::kLarger:
        return extreme("\\max", "max", node);
      case Op::kMagnitude:
        return enclosed("\\left|", "\\right|", "abs(", node.left);
      case Op::kSign:
        return call("\\mathrm{sgn}", "sgn", node.left);
      case Op::kLn:
        return call("\\ln", "ln", node.left);
      case Op::kSumClasses:
        return big("\\sum_k", "sum", node.left);
      case Op::kSumCells:
        return big("\\sum_{i,j}", "sum", node.left);
      case Op::kSumOff:
        return big("\\sum_{i \\ne j}", "sum", node.left);
      case Op::kSumShares:
        return big("\\sum_{\\eta > 0}", "sum", node.left);
      case Op::kMeanClasses:
        return big("\\frac{1}{K} \\sum_k", "mean", node.left);
      case Op::kMaxClasses:
        return big("\\max_k", "max", node.left);
      case Op::kMinClasses:
        return big("\\min_k", "min", node.left);
    }
  }
};

}  // namespace

Trace::Trace() : outer_(current) { current = this; }
Trace::~Trace() { current = outer_; }

Text Trace::add(const Node& node) {
  nodes_.push_back(node);
  return {static_cast<int>(nodes_.size()) - 1};
}

Text Trace::leaf(const Symbol& symbol) {
  return current->add({.op = Op::kLeaf, .symbol = &symbol});
}

Text Trace::number(double value) { return current->add({.op = Op::kNumber, .number = value}); }

Text Trace::node(Op op, Text left, Text right) {
  return current->add({.op = op, .left = left.id, .right = right.id});
}

bool Trace::same(int a, int b) const {
  if (a == b) return true;
  if (a < 0 || b < 0) return false;
  const Node& x = (*this)[a];
  const Node& y = (*this)[b];
  const bool are_squares = x.left == x.right && y.left == y.right;
  return x.op == y.op && x.symbol == y.symbol && x.number == y.number && same(x.left, y.left) &&
         (are_squares || same(x.right, y.right));
}

std::string Trace::latex(Text root) const {
  Printer printer{*this, true, {}};
  printer.print(root.id);
  return printer.out;
}

std::string Trace::plain(Text root) const {
  Printer printer{*this, false, {}};
  printer.print(root.id);
  return printer.out;
}

// A square holds its number twice: of squares of squares each is looked at once all the same.
bool Trace::subtracts(Text root) const {
  if (root.id < 0) return false;
  const Node& node = (*this)[root.id];
  const bool differs = node.op == Op::kSub || node.op == Op::kLn || node.op == Op::kTermRatio;
  return differs || subtracts({node.left}) || (node.right != node.left && subtracts({node.right}));
}

std::string Trace::denominators(Text root) const {
  std::vector<int> pending{root.id};
  std::vector<int> below;  // denominators, then their factors
  while (!pending.empty()) {
    const int id = pending.back();
    pending.pop_back();
    if (id < 0) continue;
    const Node& node = (*this)[id];
    if (node.right != node.left) pending.push_back(node.right);
    pending.push_back(node.left);
    if (node.op == Op::kDiv) below.push_back(node.right);
  }
  std::string out;
  for (std::size_t i = 0; i < below.size(); ++i) {
    const Node node = (*this)[below[i]];
    if (node.op == Op::kRoot || node.op == Op::kMul) {
      below[i] = -1;
      below.push_back(node.left);
      if (node.op == Op::kMul && node.right != node.left) below.push_back(node.right);
    } else if (node.op == Op::kNumber ||
               (node.op == Op::kLeaf && node.symbol->slot >= Slot::kParam)) {
      below[i] = -1;
    }
  }
  std::vector<int> printed;
  for (const int id : below) {
    bool known = id < 0;
    for (const int other : printed) known = known || same(other, id);
    if (known) continue;
    printed.push_back(id);
    if (!out.empty()) out += " or ";
    out += plain({id});
    out += " = 0";
  }
  return out;
}

}  // namespace confmat::metrics
