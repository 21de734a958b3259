// Formulas as they are printed: what is squared or raised stands apart from what is beside it.
#include "confmat/metrics/text.hpp"

#include <doctest/doctest.h>

namespace {

using namespace confmat::metrics;  // NOLINT(google-build-using-namespace): its operators

constexpr Symbol kA{"a", "a", Slot::kTp};
constexpr Symbol kB{"b", "b", Slot::kFp};

}  // namespace

TEST_CASE("text: the base of a power is one thing") {
  const Trace trace;
  const Text a = Trace::leaf(kA);
  const Text b = Trace::leaf(kB);
  CHECK(trace.plain(a * square(b)) == "a * b^2");
  CHECK(trace.plain(square(a * b)) == "(a * b)^2");
  CHECK(trace.latex(square(a + b)) == "\\left(a + b\\right)^2");
  CHECK(trace.latex(square(a / b)) == "\\left(\\frac{a}{b}\\right)^2");
  CHECK(trace.latex(raised(a * b, a)) == "\\left(a\\, b\\right)^{a}");
}
