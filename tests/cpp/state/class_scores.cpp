// The state of scores of many classes: sums that depend on the rows alone, hostile bytes.
#include "confmat/state/class_scores.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "confmat/base/error.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/state/many_sweeps_sum.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::are_same;
using confmat::BinMap;
using confmat::ClassScores;
using confmat::decode_class_scores;
using confmat::encode;
using confmat::Grid;
using confmat::InputError;
using confmat::Labels;
using confmat::LabelSet;
using confmat::Origin;
using confmat::SharedArray;
using confmat::StateError;
using confmat::Sweep;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::int_labels;
using confmat::host::Random;

namespace {

Labels boolean(std::int64_t value) { return {Labels::Kind::kBool, {value}, {}}; }

// Of one row in a bin.
Sweep sweep(std::uint32_t bin, bool is_positive) {
  Sweep out;
  out.labels = confmat::sweep_labels(boolean(0), boolean(1));
  out.rows.counted = 1;
  out.grid = {.kind = Grid::Kind::kMap, .map = BinMap::unit(0), .edges = {}};
  out.is_exact = false;
  out.bins = std::vector{bin};
  out.positives = SharedArray<std::uint32_t>(std::vector{is_positive ? 1U : 0U});
  out.negatives = SharedArray<std::uint32_t>(std::vector{is_positive ? 0U : 1U});
  return out;
}

// Of one row of two classes, whose scores lie in one of so many bins.
ClassScores row(Random& random, std::size_t bins = 16) {
  const std::size_t truth = random.below(2);
  const std::size_t named = random.below(2);
  ClassScores out;
  out.argmax.labels =
      std::make_shared<const LabelSet>(LabelSet{int_labels({3, 8}), Origin::kGiven, 0});
  out.argmax.rows.counted = 1;
  std::vector<std::int64_t> cells(4), ranks(8);
  cells[2 * truth + named] = 1;
  for (std::size_t rule = 0; rule < 4; ++rule) ranks[2 * rule + (truth == named ? 0 : 1)] = 1;
  out.argmax.cells = std::move(cells);
  out.ranks.counts = std::move(ranks);
  for (std::size_t label = 0; label < 2; ++label) {
    out.sweeps.push_back(sweep(static_cast<std::uint32_t>(random.below(bins)), label == truth));
  }
  out.top = sweep(static_cast<std::uint32_t>(random.below(bins)), truth == named);
  out.losses.has_floats = true;
  out.losses.weights.leads = std::vector<double>{static_cast<double>(random.below(1000)) / 7, 0.1};
  out.n_clipped = random.chance(5) ? 1 : 0;
  return out;
}

ClassScores sum_of(const std::vector<ClassScores>& rows) {
  confmat::ManySweepsSum<ClassScores> sum;
  for (const ClassScores& one : rows) sum.add(one);
  return sum.take();
}

}  // namespace

TEST_CASE("classes: any order gives the same bytes, and differences give losses back") {
  Random random(4);
  std::vector<ClassScores> rows;
  for (int i = 0; i < 60; ++i) rows.push_back(row(random));
  const ClassScores whole = sum_of(rows);
  const ClassScores part = sum_of({rows.begin(), rows.begin() + 20});
  std::vector<ClassScores> turned(rows.rbegin(), rows.rend());
  CHECK((encode(sum_of(turned)) == encode(whole)));
  const ClassScores rest = taken_away(whole, sum_of({rows.begin() + 20, rows.end()}));
  CHECK(are_same(rest, part));
  CHECK((encode(rest) == encode(part)));
  CHECK_THROWS_AS(static_cast<void>(taken_away(part, whole)), InputError);
  CHECK(are_same(decode_class_scores(encode(whole)), whole));
}

TEST_CASE("classes: sums of saved states have the bytes of sums of decoded ones") {
  Random random(6);
  confmat::ManySweepsSum<ClassScores> decoded, saved;
  std::vector<Bytes> states;
  for (int day = 0; day < 5; ++day) {
    std::vector<ClassScores> rows;
    for (int i = 0; i < 2000; ++i) rows.push_back(row(random, 5000));
    const ClassScores all = sum_of(rows);
    states.push_back(encode(all));
    decoded.add(all);
  }
  for (const Bytes& state : states) saved.add(state);
  CHECK((encode(saved.take()) == encode(decoded.take())));
  saved.add(states[0]);
  CHECK((encode(saved.take()) == states[0]));
  Bytes damaged = states[1];
  damaged[damaged.size() / 2] ^= 1U;
  saved.add(states[0]);
  CHECK_THROWS_AS(saved.add(damaged), StateError);
  CHECK((encode(saved.take()) == states[0]));
}

TEST_CASE("bytes of classes: every prefix and every bit are refused, sealed or not") {
  Random random(5);
  const Bytes whole = encode(sum_of({row(random), row(random), row(random)}));
  CHECK_NOTHROW(static_cast<void>(decode_class_scores(whole)));
  const auto sealed = [](Bytes bytes) {
    const std::size_t end = bytes.size() - 4;
    const auto crc =
        confmat::kernels().crc32c(0, reinterpret_cast<const std::byte*>(bytes.data()), end);
    std::memcpy(bytes.data() + end, &crc, 4);
    return bytes;
  };
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK_THROWS_AS(static_cast<void>(decode_class_scores(prefix)), StateError);
  }
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << bit % 8));
    CHECK_THROWS_AS(static_cast<void>(decode_class_scores(flipped)), StateError);
    if (bit / 8 + 4 >= whole.size()) continue;
    flipped = sealed(std::move(flipped));
    try {
      const ClassScores back = decode_class_scores(flipped);
      CHECK((encode(back) == flipped));
      ++read;
    } catch (const StateError&) {  // NOLINT(bugprone-empty-catch): almost all
    }
  }
  CHECK(read > 0);
}
