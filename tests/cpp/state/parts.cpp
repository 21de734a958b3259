// Entries of many saved states, at their places in the sum.
#include "confmat/state/parts.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "confmat/base/error.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::cells_of_parts;
using confmat::Counts;
using confmat::encode;
using confmat::Grid;
using confmat::InputError;
using confmat::LabelSet;
using confmat::scores_of_parts;
using confmat::StateError;
using confmat::Sweep;
using confmat::host::int_labels;

namespace {

Counts counts_of(std::vector<std::int64_t> labels, std::vector<std::int64_t> cells) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{int_labels(labels), {}, 0});
  out.rows.counted = 0;
  for (const std::int64_t cell : cells) out.rows.counted += cell;
  out.cells = std::move(cells);
  return out;
}

Sweep sweep_of(std::vector<double> scores, std::vector<std::uint32_t> positives) {
  Sweep out;
  out.labels = confmat::sweep_labels(int_labels({0}), int_labels({1}));
  out.rows.counted = 0;
  for (const std::uint32_t n : positives) out.rows.counted += n + 1;
  out.negatives =
      confmat::SharedArray<std::uint32_t>(std::vector<std::uint32_t>(positives.size(), 1));
  out.positives = confmat::SharedArray<std::uint32_t>(std::move(positives));
  out.scores = confmat::SharedArray<double>(std::move(scores));
  return out;
}

}  // namespace

TEST_CASE("cells of parts are at their places in the whole") {
  const Counts one = counts_of({1, 3}, {2, 0, 1, 5});
  const Counts other = counts_of({2}, {7});
  const Counts whole = added(one, other);
  const auto bytes = std::array{encode(one), encode(other)};
  const auto parts = std::array<confmat::Bytes, 2>{bytes[0], bytes[1]};
  const auto found = cells_of_parts(whole, parts);
  CHECK(found.parts == std::vector<std::int64_t>{0, 0, 0, 1});
  CHECK(found.places == std::vector<std::int64_t>{0, 6, 8, 4});
  CHECK(found.cells == std::vector<double>{2, 1, 5, 7});
  CHECK_THROWS_AS(cells_of_parts(one, parts), InputError);
  const auto cut = std::array<confmat::Bytes, 1>{parts[0].first(20)};
  CHECK_THROWS_AS(cells_of_parts(whole, cut), StateError);
}

TEST_CASE("scores of parts are at their places in the whole") {
  const Sweep one = sweep_of({0.9, 0.2}, {3, 0});
  const Sweep other = sweep_of({0.5, 0.2}, {1, 2});
  const Sweep whole = added(one, other);
  const auto bytes = std::array{encode(one), encode(other)};
  const auto parts = std::array<confmat::Bytes, 2>{bytes[0], bytes[1]};
  const auto found = scores_of_parts(whole, parts);
  CHECK(found.parts == std::vector<std::int64_t>{0, 0, 1, 1});
  CHECK(found.places == std::vector<std::int64_t>{0, 2, 1, 2});
  CHECK(found.positives == std::vector<double>{3, 0, 1, 2});
  CHECK(found.negatives == std::vector<double>{1, 1, 1, 1});
  CHECK_THROWS_AS(scores_of_parts(one, parts), InputError);
  const auto cut = std::array<confmat::Bytes, 1>{parts[0].first(20)};
  CHECK_THROWS_AS(scores_of_parts(whole, cut), StateError);
}
