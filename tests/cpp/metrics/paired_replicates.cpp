// Pairs of tables drawn again: what both have in common stays, on any number of threads.
#include "confmat/metrics/paired_replicates.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "confmat/base/error.hpp"

using confmat::InputError;
using confmat::metrics::Ask;
using confmat::metrics::Options;
using confmat::metrics::paired_replicates;
using confmat::metrics::PairedUnits;
using confmat::metrics::parse;

namespace {

// Rows of cells (true 0; a right, b wrong) and so on, of two classes.
struct Case {
  std::vector<double> draws{40, 10, 30, 20};
  std::vector<std::int64_t> starts{0, 1, 2, 3, 4};
  std::vector<std::int64_t> at_a{0, 0, 3, 2};
  std::vector<std::int64_t> at_b{0, 1, 3, 3};
  std::vector<double> amounts{1, 1, 1, 1};

  [[nodiscard]] PairedUnits units() const { return {2, draws, starts, at_a, at_b, amounts}; }
};

std::vector<double> drawn(const Case& of, int threads, std::int64_t replicates = 500) {
  const std::array<Ask, 1> asks{parse("accuracy")};
  std::vector<double> out(static_cast<std::size_t>(replicates) * 2);
  Options options;
  options.pos = 1;
  paired_replicates(asks, of.units(), options, {replicates, 9, threads}, out.data());
  return out;
}

}  // namespace

TEST_CASE("replicates depend on the seed alone") {
  const std::vector<double> one = drawn({}, 1);
  CHECK(drawn({}, 4) == one);
  const std::vector<double> few = drawn({}, 1, 20);
  CHECK(std::vector<double>(one.begin(), one.begin() + 40) == few);
}

TEST_CASE("rows that both tables count alike do not move their difference") {
  double mean = 0, square = 0;
  const std::vector<double> found = drawn({}, 1);
  for (std::size_t i = 0; i < found.size(); i += 2) {
    const double gap = found[i + 1] - found[i];
    mean += gap / 500;
    square += gap * gap / 500;
  }
  // 20 of 100 rows b alone, 10 a alone: variance (0.3 - 0.01) / 100.
  CHECK(mean == doctest::Approx(0.1).epsilon(0.1));
  CHECK(square - mean * mean == doctest::Approx(0.0029).epsilon(0.15));
}

TEST_CASE("clusters are drawn whole") {
  Case of;
  of.draws = {1, 1};
  of.starts = {0, 2, 4};
  for (const double share : drawn(of, 1)) {
    CHECK((share == 0.5 || share == 0.75 || share == 1.0));
  }
}

TEST_CASE("units that are none are refused") {
  Case of;
  of.at_a[0] = 4;
  CHECK_THROWS_AS(drawn(of, 1), InputError);
  of = {};
  of.starts.back() = 9;
  CHECK_THROWS_AS(drawn(of, 1), InputError);
  of = {};
  of.draws[1] = -1;
  CHECK_THROWS_AS(drawn(of, 1), InputError);
}
