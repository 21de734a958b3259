// Counts of Boolean labels that a host made: sums that fit, and others that are refused.
#include <doctest/doctest.h>

#include "support/fake_host.hpp"

extern "C" void _polars_plugin_confmat_cells(SeriesExport*, std::size_t, const std::uint8_t*,
                                             std::size_t, SeriesExport*, const CallerContext*);
extern "C" void _polars_plugin_field_confmat_cells(const ArrowSchema*, std::size_t, ArrowSchema*,
                                                   const std::uint8_t*, std::size_t);

namespace confmat::host {
namespace {

const Function kCells{"cells", _polars_plugin_confmat_cells, _polars_plugin_field_confmat_cells};
constexpr std::int64_t kHuge = std::int64_t{1} << 62U;

// tn, fp, fn, tp, rows.
Outcome of(const std::vector<std::int64_t>& cells, const char* format = "l") {
  std::vector<Series> inputs;
  for (const std::int64_t cell : cells) inputs.push_back(integers(format, {0, cell}));
  return run(kCells, inputs, kwargs(Request{}));
}

}  // namespace

TEST_CASE("cells: one of 2^62 is a count") {
  for (std::size_t at = 0; at < 4; ++at) {
    std::vector<std::int64_t> cells(5);
    cells[at] = cells[4] = kHuge;
    const Outcome out = of(cells);
    REQUIRE_MESSAGE(out.ok(), out.error);
    CHECK(out.array().children[0].value<std::int64_t>(1) == kHuge);
    CHECK(out.array().children[1].value<std::int64_t>(1) == 0);
  }
  const Outcome most = of({INT64_MAX - 2, 1, 0, 1, INT64_MAX});
  REQUIRE_MESSAGE(most.ok(), most.error);
  CHECK(most.array().children[0].value<std::int64_t>(1) == INT64_MAX);
}

TEST_CASE("cells: sums beyond the rows and negative counts are refused") {
  CHECK(of({kHuge, kHuge, 0, 0, INT64_MAX}).error == "more cells than rows");
  CHECK(of({kHuge, kHuge, kHuge, kHuge, 0}).error == "more cells than rows");
  CHECK(of({INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}).error ==
        "more cells than rows");
  CHECK(of({1, -1, 0, 0, 5}).error ==
        "`fp` holds -1 at row 1 (of the rows read together): wanted a count from 0 to 2^63 - 1");
  CHECK(of({0, 0, 0, 0, INT64_MIN}).error.find("`rows` holds -9223372036854775808 at row 1") == 0);
  CHECK(of({0, 0, -2, 0, 3}, "L").error.find("`fn` holds 18446744073709551614 at row 1") == 0);
}

}  // namespace confmat::host
