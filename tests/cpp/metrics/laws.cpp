// The laws that facts claim, on random tables: transposition, swapped classes, relabelling, perfect
// prediction, scaling; and that all number kits give the same bits.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {
namespace {

using Counts = std::vector<std::int64_t>;

struct Random {
  std::uint32_t state = 12345;
  std::int64_t below(std::uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  }
};

Counts random_table(Random& random, std::size_t k, std::uint32_t bound) {
  Counts out(k * k);
  for (std::int64_t& cell : out) cell = random.below(bound);
  return out;
}

// The table with the classes in the order of `order`, and its sides changed if asked.
Counts arranged(const Counts& from, const std::vector<std::size_t>& order, bool transpose) {
  const std::size_t k = order.size();
  Counts out(k * k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t at = order[i] * k + order[j];
      out[transpose ? j * k + i : i * k + j] = from[at];
    }
  }
  return out;
}

double value_of(const std::string& name, const Counts& counts, std::int64_t pos) {
  const Ask ask = parse(name);
  Options options;
  options.pos = pos;
  const auto k = static_cast<std::int64_t>(std::lround(std::sqrt(double(counts.size()))));
  double out = 0.0;
  values({&ask, 1}, {k, counts.data(), nullptr}, options, &out);
  return out;
}

bool close(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::fabs(a - b) <= 1e-9 * std::max(1.0, std::fabs(a));
}

std::string partner_of(const Fact& fact) {
  return fact.transpose_invariant ? fact.name : fact.transpose_partner;
}

}  // namespace

TEST_CASE("metrics: laws of the facts") {
  Random random;
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = std::vector<std::size_t>{2, 3, 5}[static_cast<std::size_t>(round) % 3];
    const Counts table = random_table(random, k, round % 4 == 0 ? 4 : 200);
    std::vector<std::size_t> same_order, reversed;
    for (std::size_t i = 0; i < k; ++i) same_order.push_back(i);
    for (std::size_t i = 0; i < k; ++i) reversed.push_back(k - 1 - i);
    std::vector<std::size_t> turned(same_order.begin() + 1, same_order.end());
    turned.push_back(0);
    const Counts sides = arranged(table, same_order, true);
    for (const Fact& fact : facts()) {
      // Near a singular table its logarithm is noise, as the facts say.
      if (fact.name == "log_abs_gmcc" && std::fabs(value_of("gmcc", table, 0)) < 1e-6) continue;
      INFO(fact.name);
      const double value = value_of(fact.name, table, 0);
      if (const std::string partner = partner_of(fact); !partner.empty()) {
        CHECK(close(value, value_of(partner, sides, 0)));
      }
      if (fact.relabel_invariant) {
        CHECK(close(value, value_of(fact.name, arranged(table, turned, false), 0)));
      }
      if (k == 2 && !fact.swap_partner.empty()) {
        CHECK(close(value, value_of(fact.swap_partner, arranged(table, reversed, false), 0)));
      }
    }
  }
}

TEST_CASE("metrics: a perfect table gives the best end") {
  for (const Counts& table : {Counts{7, 0, 0, 9}, Counts{7, 0, 0, 0, 9, 0, 0, 0, 4}}) {
    for (const Fact& fact : facts()) {
      if (!fact.perfect_is_best || fact.better == "neither") continue;
      const double best = fact.better == "higher" ? fact.hi : fact.lo;
      CHECK_MESSAGE(close(value_of(fact.name, table, 0), best), fact.name);
    }
  }
}

TEST_CASE("metrics: every number kit gives the same bits") {
  Random random;
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = std::vector<std::size_t>{2, 3, 7}[static_cast<std::size_t>(round) % 3];
    const Counts table = random_table(random, k, 50);
    Counts larger;  // too large for doubles to be exact in degree 2
    std::vector<double> weights;
    for (const std::int64_t cell : table) larger.push_back(cell << 22);
    for (const std::int64_t cell : table) weights.push_back(static_cast<double>(cell));
    for (const Fact& fact : facts()) {
      const double small = value_of(fact.name, table, 1);
      const double large = value_of(fact.name, larger, 1);
      if (fact.scale_invariant) {
        CHECK_MESSAGE(std::memcmp(&small, &large, sizeof small) == 0, fact.name, " ",
                      small - large);
      }
      const Ask ask = parse(fact.name);
      Options options;
      options.pos = 1;
      double weighted = 0.0;
      values({&ask, 1}, {static_cast<std::int64_t>(k), nullptr, weights.data()}, options,
             &weighted);
      CHECK_MESSAGE(close(small, weighted), fact.name);
    }
  }
}

}  // namespace confmat::metrics
