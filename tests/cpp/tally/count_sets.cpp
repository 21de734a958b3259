// Sets of labels as lists: the states of the same sets as tables, whatever the number of labels.
#include "confmat/tally/count_sets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "confmat/base/error.hpp"
#include "support/fake_host.hpp"

using confmat::BoolTable;
using confmat::count_sets;
using confmat::encode;
using confmat::InputError;
using confmat::LabelSet;
using confmat::LabelSets;
using confmat::Origin;
using confmat::SetCounts;
using confmat::SetLists;
using confmat::SetSide;
using confmat::SetWeights;
using confmat::host::int_labels;
using confmat::host::Random;

namespace {

// The same sets twice; the lists have labels in any order, and some twice.
struct Sets {
  Sets(Random& random, std::size_t rows, std::size_t n_labels, unsigned most)
      : width(n_labels), bytes(rows * n_labels) {
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::uint64_t left = random.below(most + 1); left > 0; --left) {
        const auto label = static_cast<std::uint32_t>(random.below(n_labels));
        labels.push_back(label);
        bytes[row * n_labels + label] = std::byte{1};
      }
      ends.push_back(static_cast<std::int64_t>(labels.size()));
    }
  }
  [[nodiscard]] SetSide table() const {
    return BoolTable{bytes.data(), static_cast<std::int64_t>(width), 1};
  }
  [[nodiscard]] SetSide lists() const { return SetLists{labels, ends}; }

  std::size_t width;
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t> labels;
  std::vector<std::int64_t> ends;
};

SetCounts counted(const SetSide& truth, const SetSide& prediction, std::size_t rows,
                  std::size_t n_labels, const SetWeights& weights, int threads = 1) {
  std::vector<std::int64_t> names;
  for (std::size_t i = 0; i < n_labels; ++i) names.push_back(static_cast<std::int64_t>(i));
  return count_sets(
      truth, prediction, static_cast<std::int64_t>(rows),
      std::make_shared<const LabelSet>(LabelSet{int_labels(names), Origin::kGiven, 0}), weights,
      threads);
}

}  // namespace

TEST_CASE("lists of labels are counted as tables are, of few labels and of many") {
  Random random(5);
  for (const std::size_t n_labels : {1U, 5U, 8U, 9U, 64U, 512U, 513U, 3000U}) {
    for (const std::size_t n : {0U, 1U, 300U}) {
      const Sets truth(random, n, n_labels, 6), prediction(random, n, n_labels, 6);
      std::vector<double> floats(n);
      std::vector<std::int64_t> integers(n);
      for (std::size_t i = 0; i < n; ++i) {
        floats[i] = std::ldexp(static_cast<double>(random.below(1U << 20U)), -30);
        integers[i] = static_cast<std::int64_t>(random.below(5));
      }
      SetWeights of_floats, of_integers;
      of_floats.kind = SetWeights::Kind::kFloats;
      of_floats.floats = floats;
      of_integers.kind = SetWeights::Kind::kIntegers;
      of_integers.integers = integers;
      for (const SetWeights& weights : {SetWeights{}, of_floats, of_integers}) {
        const SetCounts wanted = counted(truth.table(), prediction.table(), n, n_labels, weights);
        for (const auto& [one, other] : {std::pair{truth.lists(), prediction.lists()},
                                         {truth.table(), prediction.lists()},
                                         {truth.lists(), prediction.table()}}) {
          const SetCounts found = counted(one, other, n, n_labels, weights);
          CHECK(are_same(found, wanted));
          CHECK((encode(found) == encode(wanted)));
        }
      }
    }
  }
}

TEST_CASE("lists of very many labels: any split gives the same bytes, which are short") {
  Random random(6);
  constexpr std::size_t kLabels = 70'000, kRows = 200;
  Sets truth(random, 0, kLabels, 0), prediction(random, 0, kLabels, 0);
  for (Sets* const side : {&truth, &prediction}) {
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::uint64_t left = random.below(6); left > 0; --left) {
        side->labels.push_back(static_cast<std::uint32_t>(random.below(kLabels)));
      }
      side->ends.push_back(static_cast<std::int64_t>(side->labels.size()));
    }
  }
  const auto part = [&](std::size_t first, std::size_t last) {
    std::vector<SetLists> sides;
    std::vector<std::vector<std::int64_t>> ends;
    for (const Sets* const side : {&truth, &prediction}) {
      const std::int64_t before = first == 0 ? 0 : side->ends[first - 1];
      auto& of_side = ends.emplace_back();
      for (std::size_t row = first; row < last; ++row) {
        of_side.push_back(side->ends[row] - before);
      }
      sides.push_back(
          {std::span(side->labels)
               .subspan(static_cast<std::size_t>(before), static_cast<std::size_t>(of_side.back())),
           {}});
    }
    for (std::size_t side = 0; side < 2; ++side) sides[side].ends = ends[side];
    return counted(sides[0], sides[1], last - first, kLabels, {});
  };
  const SetCounts whole = part(0, kRows);
  CHECK(whole.sets.listed());
  const auto bytes = encode(whole);
  CHECK(bytes.size() < kLabels * (8 + 4) + kRows * 100);
  CHECK(are_same(confmat::decode_set_counts(bytes), whole));
  CHECK((encode(added(part(0, 77), part(77, kRows))) == bytes));
  CHECK((encode(taken_away(whole, part(77, kRows))) == encode(part(0, 77))));
}

TEST_CASE("the number of threads changes nothing") {
  Random random(7);
  constexpr std::size_t kRows = 300'000;
  for (const std::size_t n_labels : {6U, 40U, 600U}) {
    Sets truth(random, 0, n_labels, 0), prediction(random, 0, n_labels, 0);
    for (Sets* const side : {&truth, &prediction}) {
      for (std::size_t row = 0; row < kRows; ++row) {
        for (std::uint64_t left = random.below(4); left > 0; --left) {
          side->labels.push_back(static_cast<std::uint32_t>(random.below(n_labels)));
        }
        side->ends.push_back(static_cast<std::int64_t>(side->labels.size()));
      }
    }
    const auto with = [&](int threads) {
      return encode(counted(truth.lists(), prediction.lists(), kRows, n_labels, {}, threads));
    };
    CHECK((with(1) == with(3)));
  }
}

TEST_CASE("lists that cannot be are refused") {
  const std::vector<std::uint32_t> labels{0, 2, 1};
  const std::vector<std::int64_t> ends{1, 3}, back{3, 1}, cut{1, 2};
  const SetSide good = SetLists{labels, ends};
  CHECK(counted(good, good, 2, 3, {}).rows.counted == 2);
  CHECK_THROWS_AS(counted(good, good, 2, 2, {}), InputError);
  CHECK_THROWS_AS(counted(good, good, 3, 3, {}), InputError);
  for (const auto& bad : {back, cut}) {
    CHECK_THROWS_AS(counted(good, SetLists{labels, bad}, 2, 3, {}), InputError);
  }
}

TEST_CASE("sets in the order of their first labels") {
  confmat::LabelSetsBuilder sets(true, 9);
  const std::vector<std::vector<std::size_t>> members{{}, {0}, {0, 1}, {1}, {0, 1, 8}, {0, 8}};
  for (const auto& set : members) {
    sets.begin();
    for (const std::size_t label : set) sets.add_label(label);
  }
  const LabelSets listed = sets.take();
  const std::vector<std::uint32_t> wanted{4, 2, 5, 1, 3, 0};
  CHECK(by_first_labels(listed) == wanted);
  CHECK(by_first_labels(listed.in_form(false, 9)) == wanted);
  CHECK(listed.in_form(false, 9).in_form(true, 9) == listed);
}
