// Labels of two states: found ones unite, given ones stay, the positive class follows its label.
#include "confmat/state/labels.hpp"

#include <doctest/doctest.h>

#include "confmat/base/error.hpp"
#include "support/cells.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::are_same;
using confmat::Counts;
using confmat::decode_counts;
using confmat::encode;
using confmat::InputError;
using confmat::Labels;
using confmat::Origin;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::cells_of;
using confmat::host::counts_of;
using confmat::host::int_labels;
using confmat::host::text_labels;

TEST_CASE("labels: found ones unite, given ones stay, others are refused") {
  const Counts found = counts_of(int_labels({1, 5}), {1, 2, 3, 4});
  const Counts given =
      counts_of(int_labels({9, 5, 1}), std::vector<std::int64_t>(9), Origin::kGiven);
  const Counts of_type =
      counts_of(int_labels({9, 5, 1}), std::vector<std::int64_t>(9), Origin::kOfType);
  const Counts others = counts_of(int_labels({2, 5}), {1, 1, 1, 1});
  const Counts nothing = counts_of({}, {});
  const Counts text = counts_of(text_labels({"a"}), {1});
  CHECK((added(found, given).labels->labels == given.labels->labels));
  CHECK(added(found, given).labels->origin == Origin::kGiven);
  CHECK((cells_of(added(given, found)) == std::vector<std::int64_t>{0, 0, 0, 0, 4, 3, 0, 2, 1}));
  CHECK(added(of_type, found).labels->origin == Origin::kOfType);
  CHECK(added(of_type, given).labels->origin == Origin::kGiven);
  CHECK((added(found, others).labels->labels == int_labels({1, 2, 5})));
  for (const Counts* const any : {&found, &given, &text}) {
    CHECK((encode(added(nothing, *any)) == encode(*any)));
    CHECK((encode(added(*any, nothing)) == encode(*any)));
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(added(given, others)),
                       doctest::Contains("only in the second: [2]"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(added(found, text)),
                       doctest::Contains("int labels [1, 5] and text labels ['a']"), InputError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(added(
          given, counts_of(int_labels({5, 9, 1}), std::vector<std::int64_t>(9), Origin::kGiven))),
      doctest::Contains("the same labels in another order"), InputError);
  Labels bools = int_labels({0, 1});
  bools.kind = Labels::Kind::kBool;
  CHECK_THROWS_AS(static_cast<void>(added(counts_of(bools, {1, 2, 3, 4}), found)), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(taken_away(found, others)),
                       doctest::Contains("only in the second: [2]"), InputError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(taken_away(found, counts_of(int_labels({5}), {7}))),
      doctest::Contains("true 5, predicted 5 has 4 in the first and 7 in the second"), InputError);
}

TEST_CASE("labels: the positive class follows its label, and a difference is refused") {
  const Counts named = counts_of(text_labels({"n", "p"}), {1, 2, 3, 4}, Origin::kFound, 2);
  const Counts unnamed = counts_of(text_labels({"a", "n"}), {1, 2, 3, 4});
  CHECK(added(named, unnamed).labels->positive == 3);
  CHECK(added(unnamed, named).labels->positive == 3);
  const Counts other = counts_of(text_labels({"n", "p"}), {1, 2, 3, 4}, Origin::kFound, 1);
  CHECK_THROWS_WITH_AS(static_cast<void>(added(named, other)),
                       doctest::Contains("the positive class differs, 'p' and 'n'"), InputError);
  const Counts usual = counts_of(int_labels({0, 1}), {1, 2, 3, 4});
  CHECK_THROWS_AS(
      static_cast<void>(added(usual, counts_of(int_labels({0}), {1}, Origin::kFound, 1))),
      InputError);
}

TEST_CASE("labels: the usual positive class stays named where more labels may be found") {
  const Counts usual = counts_of(int_labels({0, 1}), {1, 2, 3, 4});
  const Counts told = counts_of(int_labels({0, 1}), {1, 2, 3, 4}, Origin::kFound, 2);
  CHECK(are_same(usual, told));
  CHECK(encode(usual) != encode(told));
  CHECK(decode_counts(encode(told)).labels->positive == 2);
  CHECK(added(usual, told).labels->positive == 2);
  CHECK(taken_away(usual, told).labels->positive == 2);
  const Counts more = counts_of(int_labels({-1, 2}), {1, 2, 3, 4});
  CHECK(added(told, more).labels->positive == 3);
  const Counts given = counts_of(int_labels({0, 1}), {1, 2, 3, 4}, Origin::kGiven);
  CHECK(added(told, given).labels->positive == 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(decode_counts(
                           encode(counts_of(int_labels({0, 1}), {1, 2, 3, 4}, Origin::kGiven, 2)))),
                       doctest::Contains("not written as this format"), StateError);
}
