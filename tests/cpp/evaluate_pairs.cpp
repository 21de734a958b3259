// Pairs of labels that nobody named, against a count by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "fake_host.hpp"

using confmat::append_binary_pair;
using confmat::GroupTable;
using confmat::Int128Bits;
using confmat::LabelForm;
using confmat::Labels;
using confmat::PairTally;
using confmat::StateError;
using confmat::host::Random;

namespace {

template <class Label>
struct Naive {
  std::map<std::pair<Label, Label>, std::vector<double>> rows;

  void check(const GroupTable& table, const std::vector<Label>& labels, bool weighted) const {
    std::set<Label> wanted;
    for (const auto& [pair, weights] : rows) wanted.insert({pair.first, pair.second});
    REQUIRE((std::vector<Label>(wanted.begin(), wanted.end()) == labels));
    const std::size_t k = labels.size();
    REQUIRE(table.counts.size() == (weighted ? 0 : k * k));
    REQUIRE(table.weights.size() == (weighted ? k * k : 0));
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const auto at = rows.find({labels[i], labels[j]});
        const auto found = at == rows.end() ? std::vector<double>{} : at->second;
        if (!weighted) {
          CHECK(table.counts[i * k + j] == static_cast<std::int64_t>(found.size()));
          continue;
        }
        confmat::ExactSum sum;
        for (const double w : found) sum.add(w);
        CHECK(table.weights[i * k + j] == sum.value());
      }
    }
  }
};

std::string int_pair(std::int64_t y_true, std::int64_t y_pred, bool weighted = false,
                     double weight = 0) {
  std::string out;
  append_binary_pair(out, weighted, weight, LabelForm::kInteger,
                     {reinterpret_cast<const char*>(&y_true), sizeof(y_true)},
                     {reinterpret_cast<const char*>(&y_pred), sizeof(y_pred)});
  return out;
}

std::string text_pair(std::string_view y_true, std::string_view y_pred, bool weighted = false,
                      double weight = 0) {
  std::string out;
  append_binary_pair(out, weighted, weight, LabelForm::kText, y_true, y_pred);
  return out;
}

void check_refused(bool weighted, const std::string& bytes) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  PairTally tally(weighted);
  CHECK_THROWS_AS(tally.add_binary({exact.data(), exact.size()}), StateError);
}

}  // namespace

TEST_CASE("pairs of 16, 32 and 64-bit labels, group after group") {
  Random random(21);
  PairTally tally(false);
  for (int trial = 0; trial < 120; ++trial) {
    Naive<std::int64_t> naive;
    const std::size_t n = random.below(400);
    const std::size_t spread = 1 + random.below(60);
    const auto nulls = static_cast<std::int64_t>(random.below(5));
    const auto label = [&](std::int64_t least, std::int64_t most) {
      if (random.chance(20)) return random.chance(2) ? least : most;
      return static_cast<std::int64_t>(random.below(spread)) - 20;
    };
    for (std::size_t i = 0; i < n; ++i) {
      std::int64_t y[2];
      if (trial % 3 == 0) {
        for (auto& side : y) side = label(INT16_MIN, INT16_MAX);
        tally.add(static_cast<std::uint32_t>(static_cast<std::uint16_t>(y[0])) << 16 |
                  static_cast<std::uint16_t>(y[1]));
      } else if (trial % 3 == 1) {
        for (auto& side : y) side = label(INT32_MIN, INT32_MAX);
        tally.add(static_cast<std::uint64_t>(static_cast<std::uint32_t>(y[0])) << 32 |
                  static_cast<std::uint32_t>(y[1]));
      } else {
        for (auto& side : y) side = label(INT64_MIN, INT64_MAX);
        tally.add(Int128Bits{.low = static_cast<std::uint64_t>(y[1]),
                             .high = static_cast<std::uint64_t>(y[0])});
      }
      naive.rows[{y[0], y[1]}].push_back(1);
    }
    for (std::int64_t i = 0; i < nulls; ++i) tally.add_null();
    const GroupTable table = tally.take();
    naive.check(table, table.labels.ints, false);
    CHECK(table.totals.n == static_cast<std::int64_t>(n));
    CHECK(table.totals.n_dropped == nulls);
  }
}

TEST_CASE("pairs of texts, with and without weights") {
  Random random(22);
  const double extremes[] = {0.0, 5e-324, 0.1, 1.0, 1e16, 3.0, 1e300};
  for (const bool weighted : {false, true}) {
    PairTally tally(weighted);
    for (int trial = 0; trial < 60; ++trial) {
      Naive<std::string> naive;
      std::vector<std::string> bytes;
      const std::size_t n = random.below(200);
      for (std::size_t i = 0; i < n; ++i) {
        std::string y[2];
        for (auto& side : y) {
          side = std::string(random.below(20), static_cast<char>('a' + random.below(2)));
        }
        const double w = extremes[random.below(std::size(extremes))];
        bytes.push_back(text_pair(y[0], y[1], weighted, w));
        naive.rows[{y[0], y[1]}].push_back(w);
      }
      for (const auto& pair : bytes) tally.add_binary(pair);
      const GroupTable table = tally.take();
      naive.check(table, table.labels.texts, weighted);
      CHECK((naive.rows.empty() || table.labels.kind == Labels::Kind::kText));
    }
  }
}

TEST_CASE("weights are summed exactly, in any order") {
  std::vector<double> weights = {1e16, 1.0, 1.0, 1e-300, 0.1, 0.2, 0.3, 1e16, 2.0};
  PairTally tally(true);
  Random random(24);
  for (int trial = 0; trial < 200; ++trial) {
    for (std::size_t i = weights.size(); i > 1; --i) {
      std::swap(weights[i - 1], weights[random.below(i)]);
    }
    std::vector<std::string> bytes;
    for (const double w : weights) bytes.push_back(int_pair(5, 6, true, w));
    for (const auto& pair : bytes) tally.add_binary(pair);
    const GroupTable table = tally.take();
    REQUIRE((table.labels.ints == std::vector<std::int64_t>{5, 6}));
    REQUIRE(table.weights[1] == 2e16 + 4.0);  // 20000000000000004.6: doubles are 4 apart here
    REQUIRE(table.totals.weight == 2e16 + 4.0);
  }
}

TEST_CASE("rows without weight add nothing but their classes") {
  for (const double zero : {0.0, -0.0}) {
    PairTally tally(true);
    const std::vector<std::string> bytes = {int_pair(1, 2, true, 3.0), int_pair(7, 1, true, zero)};
    for (const auto& pair : bytes) tally.add_binary(pair);
    const GroupTable table = tally.take();
    CHECK((table.labels.ints == std::vector<std::int64_t>{1, 2, 7}));
    CHECK((table.weights == std::vector<double>{0, 3, 0, 0, 0, 0, 0, 0, 0}));
    CHECK(table.totals.weight == 3.0);
    const std::string text = text_pair("a", "b", true, zero);
    tally.add_binary(text);
    CHECK((tally.take().labels.texts == std::vector<std::string>{"a", "b"}));
  }
}

TEST_CASE("an empty group has no labels") {
  PairTally tally(false);
  GroupTable table = tally.take();
  CHECK(table.labels.size() == 0);
  CHECK(table.counts.empty());
  tally.add_null();
  table = tally.take();
  CHECK(table.totals.n == 0);
  CHECK(table.totals.n_dropped == 1);
  CHECK(tally.take().totals.n_dropped == 0);
}

TEST_CASE("malformed pairs are refused") {
  for (const bool weighted : {false, true}) {
    const std::size_t head = weighted ? 9 : 1;
    const std::string ints = int_pair(1, 2, weighted, 0.5);
    for (std::size_t n = 0; n < ints.size(); ++n) check_refused(weighted, ints.substr(0, n));
    check_refused(weighted, ints + '\0');
    const std::string texts = text_pair("abc", "defg", weighted, 0.5);
    for (std::size_t n = 0; n < head + 4 + 3; ++n) check_refused(weighted, texts.substr(0, n));
    std::string long_claim = texts;
    long_claim[head + 3] = '\x7F';
    check_refused(weighted, long_claim);
    for (unsigned form = 3; form < 256; ++form) {
      std::string other = ints;
      other[0] = static_cast<char>(form);
      check_refused(weighted, other);
    }
  }
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -5e-324}) {
    check_refused(true, int_pair(1, 2, true, bad));
  }
}

TEST_CASE("texts and integers do not mix") {
  PairTally tally(false);
  const std::string text = text_pair("a", "b");
  tally.add_binary(text);
  tally.add_binary(int_pair(1, 2));
  CHECK_THROWS_AS(static_cast<void>(tally.take()), StateError);
}

TEST_CASE("long runs and merged tallies count as single pairs do") {
  Random random(25);
  for (const std::size_t n : std::vector<std::size_t>{0, 3, 1023, 1024, 5000}) {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> middle;
    std::vector<Int128Bits> wide;
    Naive<std::int64_t> naive;
    for (std::size_t i = 0; i < n; ++i) {
      // Around the bounds of small labels, negative ones among them.
      const auto y_true = static_cast<std::int64_t>(random.below(24)) - 4;
      const auto y_pred = static_cast<std::int64_t>(random.below(24)) - 4;
      narrow.push_back(static_cast<std::uint32_t>(static_cast<std::uint16_t>(y_true)) << 16 |
                       static_cast<std::uint16_t>(y_pred));
      middle.push_back(static_cast<std::uint64_t>(static_cast<std::uint32_t>(y_true)) << 32 |
                       static_cast<std::uint32_t>(y_pred));
      wide.push_back(
          {.low = static_cast<std::uint64_t>(y_pred), .high = static_cast<std::uint64_t>(y_true)});
      naive.rows[{y_true, y_pred}].push_back(1);
    }
    const auto check = [&](const auto& pairs) {
      PairTally whole(false);
      PairTally first(false);
      PairTally second(false);
      const std::span all(pairs);
      whole.add_run(all);
      first.add_run(all.first(n / 3));
      first.add_null();
      second.add_run(all.subspan(n / 3));
      second.add_null();
      first.add(second);
      const GroupTable at_once = whole.take();
      naive.check(at_once, at_once.labels.ints, false);
      const GroupTable in_parts = first.take();
      naive.check(in_parts, in_parts.labels.ints, false);
      CHECK(in_parts.totals.n_dropped == 2);
      CHECK(in_parts.totals.n == static_cast<std::int64_t>(n));
    };
    check(narrow);
    check(middle);
    check(wide);
  }
}

TEST_CASE("random bytes never do harm") {
  Random random(23);
  const std::string valid = text_pair("truth", "prediction", true, 1.5);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = random.chance(2) ? valid : std::string(random.below(40), '\0');
    for (std::size_t n = random.below(6); n > 0 && !bytes.empty(); --n) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.bits());
    }
    const std::vector<char> exact(bytes.begin(), bytes.end());
    PairTally tally(random.chance(2));
    try {
      tally.add_binary({exact.data(), exact.size()});
      static_cast<void>(tally.take());
    } catch (const StateError&) {
    }
  }
}

TEST_CASE("more labels than a table holds are refused before it is made") {
  PairTally tally(false);
  for (std::uint64_t i = 0; i < 12'000; ++i) tally.add(Int128Bits{.low = i, .high = i});
  CHECK_THROWS_AS(static_cast<void>(tally.take()), confmat::InputError);
}
