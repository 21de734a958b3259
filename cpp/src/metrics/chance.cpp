// The difference from guessing, from sums whose digits are all kept.
#include "confmat/metrics/chance.hpp"

#include <cmath>
#include <cstdint>

#include "confmat/base/exact_sum.hpp"
#include "confmat/base/wide.hpp"

namespace confmat::metrics {
namespace {

constexpr int kSteps = 4;  // of 53 bits each

double size_of(Int128 x) { return to_double(x); }
double size_of(const Whole& x) { return x.value(); }
Int128 shifted(Int128 x, unsigned by) { return x * (Int128{1} << by); }
Whole shifted(const Whole& x, unsigned by) { return x.shifted(by); }

// part / whole as doubles that add up to it: each is the quotient of what the others leave, whose
// remainder is exact. Needs: 0 <= part <= whole; Int128 then holds 2^53 times either.
template <class Int>
void add_quotient(ExactSum& sum, Int part, const Int& whole) {
  int unit = 0;  // of the remainder, a power of two
  for (int step = 0; step < kSteps; ++step) {
    const double quotient = size_of(part) / size_of(whole);
    if (quotient == 0.0) return;
    sum.add(std::ldexp(quotient, unit));
    int exponent = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(quotient, &exponent), 53));
    exponent -= 53;  // the quotient is digits * 2^exponent
    part = shifted(part, static_cast<unsigned>(-exponent)) - Int(digits) * whole;
    unit += exponent;
  }
}

template <class Int, class Part, class Row>
std::optional<double> beyond_one(const Session& session, std::int64_t k, const Part& part,
                                 const Row& row) {
  ExactSum sum;
  sum.add(-1.0);
  std::int64_t used = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    if (!session.counts(i) || size_of(row(i)) == 0.0) continue;
    add_quotient<Int>(sum, part(i), row(i));
    ++used;
  }
  const double value = sum.value();
  // What the quotients lack of 1: then the sum is 1.
  constexpr double kLeft = 0x1p-200;
  return std::fabs(value) < static_cast<double>(used) * kLeft ? 0.0 : value;
}

}  // namespace

std::optional<double> recalls_beyond_one(Session& session) {
  Margins& of = session.averaged();
  if (of.countable()) {
    const Columns<std::int64_t> c = of.column_counts();
    return beyond_one<Int128>(
        session, of.k, [&](std::int64_t i) { return Int128{c.tp[i]}; },
        [&](std::int64_t i) { return Int128{c.tp[i]} + c.fn[i]; });
  }
  const WholeTable* whole = of.whole();
  if (whole == nullptr) return std::nullopt;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  return beyond_one<Whole>(
      session, of.k, [&](std::int64_t i) { return whole->tp[at(i)]; },
      [&](std::int64_t i) { return whole->row[at(i)]; });
}

}  // namespace confmat::metrics
