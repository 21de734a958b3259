// The state of sets of labels: bytes that depend on the rows alone, merges, hostile bytes.
#include "confmat/state/set_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/tally/count_sets.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::are_same;
using confmat::count_sets;
using confmat::decode_set_counts;
using confmat::encode;
using confmat::InputError;
using confmat::LabelSet;
using confmat::Origin;
using confmat::SetCounts;
using confmat::SetWeights;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::check_changed_ones;
using confmat::host::check_refused_when_damaged;
using confmat::host::int_labels;
using confmat::host::Random;
using confmat::host::sealed;

namespace {

struct Rows {
  std::size_t n_labels = 0;
  std::vector<std::uint8_t> truth, prediction;  // by rows
  std::vector<double> weights;                  // empty: none
  std::vector<std::int64_t> int_weights;        // empty: none

  [[nodiscard]] std::size_t size() const { return truth.size() / n_labels; }
  [[nodiscard]] SetCounts state(std::size_t first, std::size_t last, int threads = 1) const {
    SetWeights of;
    if (!weights.empty()) {
      of.kind = SetWeights::Kind::kFloats;
      of.floats = std::span(weights).subspan(first, last - first);
    } else if (!int_weights.empty()) {
      of.kind = SetWeights::Kind::kIntegers;
      of.integers = std::span(int_weights).subspan(first, last - first);
    }
    const auto table = [&](const std::vector<std::uint8_t>& bytes) {
      return confmat::BoolTable{reinterpret_cast<const std::byte*>(bytes.data()) + first * n_labels,
                                static_cast<std::int64_t>(n_labels), 1};
    };
    std::vector<std::int64_t> names;
    for (std::size_t i = 0; i < n_labels; ++i) names.push_back(static_cast<std::int64_t>(3 * i));
    return count_sets(
        table(truth), table(prediction), static_cast<std::int64_t>(last - first),
        std::make_shared<const LabelSet>(LabelSet{int_labels(names), Origin::kGiven, 0}), of,
        threads);
  }
  [[nodiscard]] SetCounts state() const { return state(0, size()); }
};

enum class Weights : std::uint8_t { kNone, kInt, kFloat };

Rows random_rows(Random& random, std::size_t n, std::size_t n_labels, Weights weights) {
  Rows rows;
  rows.n_labels = n_labels;
  for (std::size_t i = 0; i < n * n_labels; ++i) {
    rows.truth.push_back(random.chance(4) ? 1 : 0);
    rows.prediction.push_back(random.chance(4) ? 1 : 0);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (weights == Weights::kInt) {
      rows.int_weights.push_back(static_cast<std::int64_t>(random.below(1U << 20U)));
    }
    if (weights == Weights::kFloat) {
      const auto power = static_cast<int>(random.below(80)) - 60;
      rows.weights.push_back(std::ldexp(static_cast<double>(random.below(1U << 30U)), power));
    }
  }
  return rows;
}

constexpr Weights kWeights[] = {Weights::kNone, Weights::kInt, Weights::kFloat};

std::vector<Bytes> valid_states() {
  Random random(8);
  SetCounts none;
  none.rows.counted = 0;
  std::vector<Bytes> out = {encode(none)};
  for (const Weights weights : kWeights) {
    for (const std::size_t n_labels : {1U, 8U, 11U}) {
      out.push_back(encode(random_rows(random, 12, n_labels, weights).state()));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("sets: every part counts what rows say, of few labels and of many") {
  Random random(1);
  for (const std::size_t n_labels : {1U, 3U, 8U, 9U, 70U}) {
    const Rows rows = random_rows(random, 400, n_labels, Weights::kNone);
    const SetCounts state = rows.state();
    for (std::size_t label = 0; label < n_labels; ++label) {
      std::int64_t cells[4] = {};
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t at = row * n_labels + label;
        ++cells[2 * rows.truth[at] + rows.prediction[at]];
      }
      for (std::size_t cell = 0; cell < 4; ++cell) {
        CHECK(state.cells.counts[4 * label + cell] == cells[cell]);
      }
    }
    CHECK(confmat::total_of(state.of_sizes).counts[0] == 400);
    CHECK(confmat::total_of(state.of_sets).counts[0] >= 800);
  }
}

TEST_CASE("sets: any split gives the same bytes, and differences give them back") {
  Random random(2);
  for (const Weights weights : kWeights) {
    for (const std::size_t n_labels : {2U, 13U}) {
      const Rows rows = random_rows(random, 300, n_labels, weights);
      const Bytes whole = encode(rows.state());
      confmat::MergeTree<SetCounts> sum;
      for (std::size_t at = 0; at < 300; at += 60) sum.add(rows.state(at, at + 60));
      CHECK((encode(sum.take()) == whole));
      CHECK((encode(taken_away(rows.state(), rows.state(200, 300))) == encode(rows.state(0, 200))));
      CHECK(are_same(decode_set_counts(whole), rows.state()));
      CHECK(!are_same(rows.state(0, 299), rows.state()));
    }
  }
  const Rows many = random_rows(random, 300'000, 9, Weights::kFloat);
  CHECK((encode(many.state(0, many.size(), 3)) == encode(many.state())));
}

TEST_CASE("sets: totals out of range are refused") {
  Rows rows;
  rows.n_labels = 1;
  rows.truth = rows.prediction = {1, 1};
  rows.int_weights = {INT64_MAX, 1};
  CHECK_THROWS_AS(static_cast<void>(rows.state()), InputError);
  CHECK_THROWS_AS(static_cast<void>(added(rows.state(0, 1), rows.state(1, 2))), InputError);
  rows.int_weights.clear();
  rows.weights = {1e308, 1e308};
  CHECK_THROWS_AS(static_cast<void>(rows.state()), InputError);
  CHECK_THROWS_AS(static_cast<void>(added(rows.state(0, 1), rows.state(1, 2))), InputError);
  const SetCounts large = rows.state(0, 1);  // whose square is beyond floats
  CHECK(large.cells.squares.leads[3] == HUGE_VAL);
  CHECK(large.cells.squares.leads[0] == 0);
  CHECK(are_same(decode_set_counts(encode(large)), large));
}

TEST_CASE("bytes of sets: every prefix, every bit and bytes behind the last are refused") {
  check_refused_when_damaged(valid_states(),
                             [](const Bytes& of) { static_cast<void>(decode_set_counts(of)); });
}

TEST_CASE("bytes of sets: changed ones with a right checksum are refused, or written as read") {
  check_changed_ones(valid_states(), 30'000, 3, [](const Bytes& bytes) {
    const SetCounts counts = decode_set_counts(bytes);
    CHECK((encode(counts) == bytes));
    const SetCounts both = added(counts, counts);
    CHECK(are_same(decode_set_counts(encode(both)), both));
  });
}

TEST_CASE("bytes of sets: lists of very many labels, changed, with a right checksum") {
  Random random(4);
  Rows rows;
  rows.n_labels = 65'540;
  rows.truth.resize(9 * rows.n_labels);
  rows.prediction.resize(rows.truth.size());
  for (std::size_t i = 0; i < 40; ++i) {
    rows.truth[random.below(rows.truth.size())] = 1;
    rows.prediction[random.below(rows.prediction.size())] = 1;
  }
  const SetCounts counts = rows.state();
  const Bytes whole = encode(counts);
  CHECK(are_same(decode_set_counts(whole), counts));
  const std::uint64_t head[] = {counts.of_sizes.size(), counts.of_sets.size() / 3};
  const auto* const head_bytes = reinterpret_cast<const std::uint8_t*>(head);
  const auto found = std::search(whole.begin(), whole.end(), head_bytes, head_bytes + sizeof(head));
  REQUIRE(found != whole.end());
  const auto first = static_cast<std::size_t>(found - whole.begin());
  CHECK(whole[first + 19] != 0);  // they are lists
  int refused = 0;
  constexpr int kTrials = 400;
  for (int i = 0; i < kTrials; ++i) {
    Bytes bytes = whole;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      // Of the sizes and sets, behind the cells; or of what comes before these.
      const std::size_t at =
          random.chance(3) ? first + random.below(24) : bytes.size() - 5 - random.below(600);
      bytes[at] = static_cast<std::uint8_t>(random.chance(2) ? random.bits()
                                                             : bytes[at] ^ (1U << random.below(8)));
    }
    bytes = sealed(std::move(bytes));
    try {
      const SetCounts read = decode_set_counts(bytes);
      CHECK((encode(read) == bytes));
    } catch (const StateError&) {
      ++refused;
    }
  }
  CHECK(refused > kTrials / 4);
  CHECK(refused < kTrials);
}
