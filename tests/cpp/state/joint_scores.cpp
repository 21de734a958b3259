// The state of two scores of the same rows: sums that depend on the rows alone, hostile bytes.
#include "confmat/state/joint_scores.hpp"

#include <doctest/doctest.h>

#include "confmat/base/error.hpp"
#include "confmat/state/merge_tree.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"
#include "support/joint_score_row.hpp"

using confmat::added;
using confmat::are_same;
using confmat::decode_joint_scores;
using confmat::encode;
using confmat::InputError;
using confmat::JointScores;
using confmat::StateError;
using confmat::taken_away;
using confmat::host::Bytes;
using confmat::host::check_changed_ones;
using confmat::host::check_refused_when_damaged;
using confmat::host::joint_scores;
using confmat::host::Random;
using confmat::host::ScoredRow;

namespace {

std::vector<ScoredRow> random_rows(Random& random, std::size_t n, bool has_weights) {
  std::vector<ScoredRow> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const auto a = static_cast<std::uint32_t>(random.below(2000) * 60);
    const auto b = static_cast<std::uint32_t>(a / 2 + random.below(3000));
    const double weight = has_weights ? static_cast<double>(1 + random.below(1000)) / 7 : 0;
    rows.push_back({random.chance(3), a, b, weight});
  }
  return rows;
}

std::vector<ScoredRow> part(const std::vector<ScoredRow>& of, std::ptrdiff_t first,
                            std::ptrdiff_t last) {
  return {of.begin() + first, of.begin() + last};
}

std::vector<Bytes> valid_states() {
  Random random(4);
  return {encode(joint_scores(std::vector<ScoredRow>())),
          encode(joint_scores(random_rows(random, 12, false))),
          encode(joint_scores(random_rows(random, 5, true)))};
}

}  // namespace

TEST_CASE("joint scores: any split gives the same bytes, and differences give them back") {
  Random random(1);
  for (const bool has_weights : {false, true}) {
    const auto rows = random_rows(random, 200, has_weights);
    const JointScores whole = joint_scores(rows);
    CHECK(whole.rows == confmat::RowTotals{.counted = 200, .dropped = 400});
    confmat::MergeTree<JointScores> sum;
    for (std::ptrdiff_t at = 160; at >= 0; at -= 40) sum.add(joint_scores(part(rows, at, at + 40)));
    CHECK((encode(sum.take()) == encode(whole)));
    const JointScores rest = taken_away(whole, joint_scores(part(rows, 150, 200)));
    CHECK(are_same(rest, joint_scores(part(rows, 0, 150))));
    CHECK(!are_same(rest, whole));
    CHECK_THROWS_AS(static_cast<void>(taken_away(rest, whole)), InputError);
    CHECK(are_same(decode_joint_scores(encode(whole)), whole));
  }
}

TEST_CASE("joint scores: the cells are those of the rows of both sweeps") {
  const JointScores one = joint_scores({true, 70'000, 70'000, 0});
  // Each of these is what some rows give, but not the same ones.
  const JointScores others[] = {joint_scores({true, 70'000, 90'000, 0}),
                                joint_scores({false, 70'000, 70'000, 0}),
                                joint_scores({true, 70'000, 70'000, 2.0}), added(one, one),
                                joint_scores(std::vector<ScoredRow>())};
  for (const JointScores& other : others) {
    JointScores forged = one;
    forged.bins = other.bins;
    CHECK_THROWS_AS(static_cast<void>(decode_joint_scores(encode(forged))), StateError);
    forged = one;
    forged.b = other.b;
    CHECK_THROWS_AS(static_cast<void>(decode_joint_scores(encode(forged))), StateError);
  }
  const auto k = static_cast<std::int64_t>(one.bins.k());
  JointScores third = one;
  third.bins.places = std::vector<std::int64_t>{2 * k * k};
  CHECK_THROWS_AS(static_cast<void>(decode_joint_scores(encode(third))), StateError);
  JointScores finer = one;
  finer.b = coarser(finer.b, 1);
  CHECK_THROWS_AS(static_cast<void>(decode_joint_scores(encode(finer))), StateError);
  JointScores exact = one;
  exact.a.grid.kind = confmat::Grid::Kind::kScores;
  exact.a.is_exact = true;
  exact.a.scores = confmat::SharedArray<double>(std::vector{0.5});
  CHECK_THROWS_AS(static_cast<void>(decode_joint_scores(encode(exact))), StateError);
}

TEST_CASE("bytes of joint scores: every prefix, every bit and bytes behind the last are refused") {
  check_refused_when_damaged(valid_states(),
                             [](const Bytes& of) { static_cast<void>(decode_joint_scores(of)); });
}

TEST_CASE("bytes of joint scores: changed ones with a right checksum are refused, or read") {
  check_changed_ones(valid_states(), 30'000, 3, [](const Bytes& bytes) {
    const JointScores read = decode_joint_scores(bytes);
    CHECK((encode(read) == bytes));
    const JointScores both = added(read, read);
    CHECK(are_same(decode_joint_scores(encode(both)), both));
  });
}
