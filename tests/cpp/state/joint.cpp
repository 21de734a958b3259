// The state of two models: matrices of either, bytes that depend on the rows alone, hostile bytes.
#include "confmat/state/joint.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/tally/joint_groups.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::added;
using confmat::are_same;
using confmat::Counts;
using confmat::decode_joint;
using confmat::encode;
using confmat::EntrySums;
using confmat::ExactSumsBuilder;
using confmat::InputError;
using confmat::Joint;
using confmat::joint_of;
using confmat::JointEntry;
using confmat::Labels;
using confmat::LabelSet;
using confmat::matrix_of;
using confmat::Model;
using confmat::Origin;
using confmat::SharedLabels;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::check_changed_ones;
using confmat::host::check_refused_when_damaged;
using confmat::host::int_labels;
using confmat::host::Random;

namespace {

constexpr std::int64_t kClasses = 5;

SharedLabels labels(Origin origin = Origin::kGiven) {
  return std::make_shared<const LabelSet>(LabelSet{int_labels({-7, 0, 2, 9, 11}), origin, 0});
}

struct Rows {
  std::vector<std::int64_t> truth, a, b;
  std::vector<double> weights;  // empty: none

  [[nodiscard]] Joint state(std::size_t first, std::size_t last) const {
    EntrySums each;
    each.has_floats = each.has_squares = !weights.empty();
    ExactSumsBuilder sums, squares;
    std::vector<std::int64_t> ones;
    std::vector<JointEntry> entries;
    for (std::size_t i = first; i < last; ++i) {
      entries.push_back({(truth[i] * kClasses + a[i]) * kClasses + b[i], &each, i - first});
      if (weights.empty()) {
        ones.push_back(1);
      } else {
        sums.add(weights[i]);
        squares.add(weights[i] * weights[i]);
      }
    }
    each.counts = std::move(ones);
    each.weights = sums.take();
    each.squares = squares.take();
    return joint_of(labels(), {.counted = static_cast<std::int64_t>(last - first), .other = 1},
                    std::move(entries), each);
  }
  [[nodiscard]] Joint state() const { return state(0, truth.size()); }
};

Rows random_rows(Random& random, std::size_t n, bool has_weights) {
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.truth.push_back(static_cast<std::int64_t>(random.below(kClasses)));
    rows.a.push_back(static_cast<std::int64_t>(random.below(kClasses)));
    rows.b.push_back(static_cast<std::int64_t>(random.below(2)));
    if (has_weights) {
      const auto power = static_cast<int>(random.below(80)) - 60;
      rows.weights.push_back(std::ldexp(static_cast<double>(random.below(1U << 30U)), power));
    }
  }
  return rows;
}

std::vector<Bytes> valid_states() {
  Random random(4);
  Joint none;
  none.rows.counted = 0;
  return {encode(none), encode(random_rows(random, 20, false).state()),
          encode(random_rows(random, 7, true).state())};
}

}  // namespace

TEST_CASE("joint: the matrix of a model sums over the other") {
  Random random(1);
  for (const bool has_weights : {false, true}) {
    const Rows rows = random_rows(random, 300, has_weights);
    const Joint joint = rows.state();
    for (const Model model : {Model::kA, Model::kB}) {
      const Counts matrix = matrix_of(joint, model);
      double cells[kClasses * kClasses] = {}, squares[kClasses * kClasses] = {};
      const auto& predicted = model == Model::kA ? rows.a : rows.b;
      for (std::size_t i = 0; i < rows.truth.size(); ++i) {
        const double weight = has_weights ? rows.weights[i] : 1.0;
        cells[rows.truth[i] * kClasses + predicted[i]] += weight;
        squares[rows.truth[i] * kClasses + predicted[i]] += weight * weight;
      }
      for (std::size_t i = 0; i < kClasses * kClasses; ++i) {
        const double found =
            has_weights ? matrix.weights.leads[i] : static_cast<double>(matrix.cells[i]);
        CHECK(found == doctest::Approx(cells[i]).epsilon(1e-12));
        if (has_weights) {
          CHECK(matrix.squares.leads[i] == doctest::Approx(squares[i]).epsilon(1e-12));
        }
      }
      CHECK(matrix.rows.counted == 300);
      CHECK(matrix.rows.other == 1);
      CHECK(are_same(confmat::decode_counts(encode(matrix)), matrix));
    }
  }
}

TEST_CASE("joint: any split gives the same bytes, and differences give them back") {
  Random random(2);
  for (const bool has_weights : {false, true}) {
    const Rows rows = random_rows(random, 300, has_weights);
    const auto part = [&](std::size_t first, std::size_t last) {
      Joint out = rows.state(first, last);
      out.rows.other = first == 0 ? 1 : 0;
      return out;
    };
    const Bytes whole = encode(rows.state());
    confmat::MergeTree<Joint> sum;
    for (std::size_t at = 0; at < 300; at += 60) sum.add(part(at, at + 60));
    CHECK((encode(sum.take()) == whole));
    CHECK((encode(taken_away(rows.state(), part(200, 300))) == encode(part(0, 200))));
    CHECK(are_same(decode_joint(whole), rows.state()));
    CHECK(!are_same(rows.state(0, 299), rows.state()));
  }
}

TEST_CASE("joint: groups keep the labels that they have, and of given ones all") {
  const std::vector<std::int32_t> truth = {1, 1, -1, 4, 0}, a = {1, 3, 0, -2, 0},
                                  b = {1, 1, 0, 0, 0};
  const std::vector<std::int64_t> n = {5, 2, 3, 4, 0}, starts = {0, 2, 4, 5, 5};
  const auto states = confmat::joint_states({truth, a, b, n}, starts, labels(Origin::kFound), 1);
  const Joint first = decode_joint(states[0]);
  CHECK((first.labels->labels.ints == std::vector<std::int64_t>{0, 9}));
  CHECK((std::vector(first.places.view().begin(), first.places.view().end()) ==
         std::vector<std::int64_t>{0, 2}));
  const Joint second = decode_joint(states[1]);
  CHECK(second.labels->size() == 0);
  CHECK(second.rows == confmat::RowTotals{.counted = 0, .dropped = 3, .other = 4});
  CHECK(decode_joint(states[2]).labels->size() == 1);
  CHECK(decode_joint(states[3]).rows.counted == 0);
  const auto given = confmat::joint_states({truth, a, b, n}, starts, labels(), 1);
  CHECK(decode_joint(given[3]).labels->size() == 5);
  for (const std::int32_t wrong : {5, -3}) {
    std::vector<std::int32_t> bad = truth;
    bad[0] = wrong;
    CHECK_THROWS_AS(static_cast<void>(confmat::joint_states({bad, a, b, n}, starts, labels(), 1)),
                    InputError);
  }
  const std::vector<std::int64_t> none = {0, 4, 2, 5}, many(5, INT64_MAX), below(5, -1);
  CHECK_THROWS_AS(static_cast<void>(confmat::joint_states({truth, a, b, n}, none, labels(), 1)),
                  InputError);
  for (const auto& numbers : {many, below}) {
    CHECK_THROWS_AS(
        static_cast<void>(confmat::joint_states({truth, a, b, numbers}, starts, labels(), 1)),
        InputError);
  }
}

TEST_CASE("joint: too many classes are refused before their places pass 64 bits") {
  std::vector<std::int64_t> names(confmat::kMostJointClasses + 1);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = static_cast<std::int64_t>(i);
  const auto many =
      std::make_shared<const LabelSet>(LabelSet{int_labels(names), Origin::kFound, 0});
  CHECK_THROWS_AS(static_cast<void>(joint_of(many, {.counted = 0}, {}, {})), InputError);
  names.pop_back();
  const auto most =
      std::make_shared<const LabelSet>(LabelSet{int_labels(names), Origin::kFound, 0});
  const auto k = static_cast<std::int64_t>(names.size());
  EntrySums one;
  one.counts = std::vector<std::int64_t>{3};
  const Joint last = joint_of(most, {.counted = 3}, {{k * k * k - 1, &one, 0}}, one);
  CHECK(decode_joint(encode(last)).places[0] == k * k * k - 1);
  CHECK(matrix_of(last, Model::kB).places[0] == k * k - 1);
}

TEST_CASE("bytes of joint counts: every prefix, every bit and bytes behind the last are refused") {
  check_refused_when_damaged(valid_states(),
                             [](const Bytes& of) { static_cast<void>(decode_joint(of)); });
}

TEST_CASE("bytes of joint counts: a cell of 0 is none") {
  Joint joint;
  joint.labels = labels();
  joint.rows.counted = 4;
  joint.places = std::vector<std::int64_t>{3, 8};
  for (const std::int64_t none : {0, 3}) {
    joint.cells.counts = std::vector<std::int64_t>{4 - none, none};
    if (none == 0) {
      CHECK_THROWS_AS(static_cast<void>(decode_joint(encode(joint))), StateError);
    } else {
      CHECK_NOTHROW(static_cast<void>(decode_joint(encode(joint))));
    }
  }
}

TEST_CASE("bytes of joint counts: changed ones with a right checksum are refused, or read") {
  check_changed_ones(valid_states(), 30'000, 3, [](const Bytes& bytes) {
    const Joint joint = decode_joint(bytes);
    CHECK((encode(joint) == bytes));
    const Joint both = added(joint, joint);
    CHECK(are_same(decode_joint(encode(both)), both));
    CHECK(matrix_of(joint, Model::kB).rows == joint.rows);
  });
}
