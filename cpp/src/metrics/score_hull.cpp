// The H measure. A threshold on the convex hull of the ROC curve is the best for costs between the
// shares of positives of the two edges that meet there: so the rows of an edge with p positives and
// n negatives are called positive where c is below q = p / (p + n), at a cost of c each for n of
// them, and negative above, at a cost of 1 - c for p.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "score_block.hpp"
#include "score_passes.hpp"

namespace confmat::metrics {
namespace {

// The integral of t^(a - 1) (1 - t)^(b - 1) from 0 to x, of x up to 1/2, by powers of x.
double near_zero(double x, double a, double b) {
  if (!(x > 0)) return 0.0;
  double term = 1.0;  // (1 - b) (2 - b) ... (k - b) / k! times x^k
  double total = 1.0 / a;
  for (int k = 1; k < 200; ++k) {
    term *= (k - b) / k * x;
    total += term / (a + k);
    if (std::fabs(term) < 1e-18) break;
  }
  return std::pow(x, a) * total;
}

// The same of any x; `rest` is 1 - x, which is the exact one where x is near 1.
class BetaIntegral {
 public:
  BetaIntegral(double a, double b)
      : a_(a), b_(b), whole_(std::tgamma(a) * std::tgamma(b) / std::tgamma(a + b)) {}
  double operator()(double x, double rest) const {
    return x <= rest ? near_zero(x, a_, b_) : whole_ - near_zero(rest, b_, a_);
  }

 private:
  double a_, b_, whole_;
};

template <class A>
struct Edge {
  Total<A> p, n;
};

// Of costs c with the density c^(a - 1) (1 - c)^(b - 1).
class Cost {
 public:
  Cost(double a, double b) : below_(a + 1, b), above_(b + 1, a) {}
  double operator()(double p, double n) const {
    const double q = p / (p + n);
    const double rest = n / (p + n);
    double cost = 0.0;
    if (n > 0) cost += n * below_(q, rest);
    if (p > 0) cost += p * above_(rest, q);
    return cost;
  }

 private:
  BetaIntegral below_, above_;
};

// The edges of the convex hull, from the highest score down: shares of positives fall.
template <class A>
std::vector<Edge<A>> edges_of(const Amounts<A>& amounts, std::size_t size) {
  std::vector<Edge<A>> edges;
  for (const auto [first, last] : Strides(size)) {
    for (std::size_t i = first; i < last; ++i) {
      Edge<A> edge{static_cast<Total<A>>(amounts.positives[i]),
                   static_cast<Total<A>>(amounts.negatives[i])};
      while (!edges.empty()) {
        const Edge<A>& before = edges.back();
        if (Product<A>(before.p) * edge.n > Product<A>(edge.p) * before.n) break;
        edge.p += before.p;
        edge.n += before.n;
        edges.pop_back();
      }
      edges.push_back(edge);
    }
  }
  return edges;
}

}  // namespace

double saved_cost(const SweepView& sweep, double a, double b) {
  return std::visit(
      [&]<class A>(const Amounts<A>& amounts) {
        const Cost cost_of(a, b);
        Sum2 cost;
        double p = 0.0;
        double n = 0.0;
        const std::vector<Edge<A>> edges = edges_of(amounts, sweep.size);
        if (edges.size() == 1) return 0.0;  // scores tell nothing
        for (const auto [first, last] : Strides(edges.size())) {
          for (std::size_t i = first; i < last; ++i) {
            const auto of_p = static_cast<double>(edges[i].p);
            const auto of_n = static_cast<double>(edges[i].n);
            p += of_p;
            n += of_n;
            cost.add(cost_of(of_p, of_n));
          }
        }
        return 1 - cost.value() / cost_of(p, n);
      },
      sweep.amounts);
}

}  // namespace confmat::metrics
