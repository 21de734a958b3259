// The state of a sweep: sums do not depend on order or split, and every claim of bytes is checked.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "confmat/base/error.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/state/sweep_sum.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::AmountArray;
using confmat::BinMap;
using confmat::decode_sweep;
using confmat::encode;
using confmat::ExactSums;
using confmat::Grid;
using confmat::InputError;
using confmat::Labels;
using confmat::ScoreType;
using confmat::SharedArray;
using confmat::StateError;
using confmat::Sweep;
using confmat::SweepSum;
using confmat::Tail;
using confmat::host::Bytes;
using confmat::host::int_labels;
using confmat::host::Random;
using confmat::host::sealed;
using confmat::host::text_labels;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Entry {
  double score;
  std::uint64_t positives, negatives;
};

// Entries descend.
Sweep of_counts(const std::vector<Entry>& entries) {
  std::vector<double> scores;
  std::vector<std::uint64_t> positives, negatives;
  Sweep out;
  out.rows.counted = 0;
  for (const Entry& entry : entries) {
    scores.push_back(entry.score);
    positives.push_back(entry.positives);
    negatives.push_back(entry.negatives);
    out.rows.counted += static_cast<std::int64_t>(entry.positives + entry.negatives);
  }
  out.labels = confmat::sweep_labels(int_labels({0}), int_labels({1}));
  out.scores = SharedArray<double>(std::move(scores));
  out.positives = SharedArray<std::uint64_t>(std::move(positives));
  out.negatives = SharedArray<std::uint64_t>(std::move(negatives));
  return canonical(std::move(out));
}

// With amounts that are no integers: each count times 0.1, and what rounding that left.
Sweep weighted(Sweep sweep) {
  const auto times = [](const AmountArray& amounts) {
    std::vector<double> leads;
    std::vector<Tail> tails;
    std::visit(
        [&]<class Array>(const Array& of) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            for (std::size_t i = 0; i < of.size(); ++i) {
              leads.push_back(static_cast<double>(of[i]) * 0.1);
              const double rest = std::fma(static_cast<double>(of[i]), 0.1, -leads.back());
              if (rest != 0) tails.push_back({i, rest});
            }
          }
        },
        amounts);
    return ExactSums{std::move(leads), std::move(tails)};
  };
  sweep.positives = times(sweep.positives);
  sweep.negatives = times(sweep.negatives);
  sweep.rows.counted = confmat::RowTotals::kUnknown;
  return sweep;
}

// Of weights, with sums of squares: each the amount times 0.3.
Sweep squared(Sweep sweep) {
  const auto times = [](const AmountArray& amounts) {
    std::vector<double> leads;
    for (const double lead : std::get<ExactSums>(amounts).leads.view()) leads.push_back(lead * 0.3);
    return ExactSums{std::move(leads), {}};
  };
  sweep.squares = confmat::SquareSums{times(sweep.positives), times(sweep.negatives)};
  return sweep;
}

// In the bins of a map: its entries must be in bins of their own.
Sweep binned(Sweep sweep, std::uint8_t map, bool exact) {
  sweep.grid = {.kind = Grid::Kind::kMap, .map = BinMap::of_code(map).value(), .edges = {}};
  std::vector<std::uint32_t> bins;
  sweep.grid.map.bins<std::uint64_t>([&](const auto& of) {
    for (const double score : std::get<1>(sweep.scores).view()) {
      bins.push_back(static_cast<std::uint32_t>(of.bin(confmat::score_key(score))));
    }
  });
  sweep.bins = std::move(bins);
  sweep.is_exact = exact;
  if (!exact) sweep.scores = SharedArray<double>();
  return canonical(std::move(sweep));
}

std::vector<Entry> random_entries(Random& random, std::size_t n) {
  std::vector<Entry> out;
  for (std::uint32_t i = 0; i < 1000 && out.size() < n; ++i) {
    // Descending from 1, of 8 binary digits: each in a bin of its own.
    const auto score = static_cast<double>(std::bit_cast<float>(0x3F800000U - (i << 16U)));
    if (random.below(1000) >= 2 * n) continue;
    const std::uint64_t positives = random.below(3);
    out.push_back({score, positives, 1 + (random.bits() >> random.below(40) >> 20)});
  }
  return out;
}

template <class T>
Bytes forged(Bytes bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return sealed(std::move(bytes));
}

template <class T>
std::size_t find(const Bytes& bytes, T value) {
  Bytes wanted(sizeof value);
  std::memcpy(wanted.data(), &value, sizeof value);
  const auto at = std::ranges::search(bytes, wanted).begin();
  REQUIRE(at != bytes.end());
  return static_cast<std::size_t>(at - bytes.begin());
}

std::string refusal(const Bytes& bytes) {
  try {
    static_cast<void>(decode_sweep(bytes));
  } catch (const StateError& error) {
    return error.what();
  }
  return "";
}

Sweep sum_of(const std::vector<Sweep>& parts) {
  SweepSum sum;
  for (const Sweep& part : parts) sum.add(part);
  return sum.take();
}

}  // namespace

TEST_CASE("sweeps: a sum has the same bytes in every order and grouping") {
  Random random(11);
  using Form = Sweep (*)(Sweep);
  const std::vector<Form> forms = {
      [](Sweep s) { return s; },
      [](Sweep s) { return binned(std::move(s), 16, false); },
      [](Sweep s) { return binned(std::move(s), 18, true); },
      [](Sweep s) { return binned(std::move(s), 18, false); },
  };
  for (const std::size_t n : {3U, 40U, 400U}) {  // together few, and more than a table is worth
    for (const Form& form : forms) {
      std::vector<Sweep> parts;
      for (int i = 0; i < 24; ++i) {
        Sweep part = of_counts(random_entries(random, n));
        if (random.below(4) == 0) part = weighted(std::move(part));
        if (part.has_weights() && n != 40) part = squared(std::move(part));
        parts.push_back(form(std::move(part)));
        CHECK(encode(decode_sweep(encode(parts.back()))) == encode(parts.back()));
      }
      const std::vector<std::uint8_t> bytes = encode(sum_of(parts));
      std::ranges::reverse(parts);
      CHECK(encode(sum_of(parts)) == bytes);
      const auto middle = parts.begin() + 7;
      const Sweep halves[] = {sum_of({parts.begin(), middle}), sum_of({middle, parts.end()})};
      const Sweep whole = added(halves[0], halves[1]);
      CHECK(encode(whole) == bytes);
      CHECK(whole.knows_squares() == (n != 40));
      CHECK(are_same(taken_away(whole, halves[1]), taken_away(whole, halves[1])));
      CHECK(taken_away(whole, whole).size() == 0);
    }
  }
}

TEST_CASE("sweeps: a difference is what is left") {
  const Sweep one = of_counts({{0.75, 1, 2}, {0.25, 3, 0}});
  const Sweep two = of_counts({{0.5, 0, 4}, {0.25, 1, 1}});
  const Sweep both = added(one, two);
  CHECK(encode(taken_away(both, two)) == encode(one));
  CHECK_THROWS_WITH_AS(taken_away(one, two), doctest::Contains("cannot subtract"), InputError);
  const Sweep tiny = weighted(of_counts({{0.5, 1, 1}}));
  Sweep more = tiny;
  more.positives = ExactSums{std::vector<double>{0.1}, std::vector<Tail>{{0, 1e-170}}};
  Sweep less = tiny;
  less.positives = ExactSums{std::vector<double>{0.1}, {}};
  CHECK_THROWS_WITH_AS(taken_away(more, less),
                       doctest::Contains("weights of a class sum to 1e-170"), InputError);
}

TEST_CASE("sweeps: squared weights are added and taken away, and known where both are") {
  const Sweep one = squared(weighted(of_counts({{0.75, 1, 2}, {0.25, 3, 0}})));
  const Sweep two = squared(weighted(of_counts({{0.5, 0, 4}, {0.25, 1, 1}})));
  const Sweep both = added(one, two);
  REQUIRE(both.squares);
  const auto of = [](const ExactSums& sums, std::size_t i) { return sums.leads[i]; };
  CHECK(of(both.squares->positives, 2) == 0.1 * 3 * 0.3 + 0.1 * 0.3);
  CHECK(of(both.squares->negatives, 1) == 0.1 * 4 * 0.3);
  CHECK(are_same(taken_away(both, two), one));
  CHECK_FALSE(added(one, weighted(of_counts({{0.5, 1, 1}}))).knows_squares());
  CHECK_FALSE(are_same(one, weighted(of_counts({{0.75, 1, 2}, {0.25, 3, 0}}))));
  const Sweep mixed = added(one, of_counts({{0.75, 5, 0}}));  // a row weighs 1
  CHECK(of(mixed.squares->positives, 0) == 0.1 * 0.3 + 5);
  const Sweep binned_one = binned(one, 16, false);
  CHECK(are_same(decode_sweep(encode(binned_one)), binned_one));
}

TEST_CASE("sweeps: what cannot be added is refused by name") {
  const std::vector<Entry> entries = {{0.5, 1, 2}};
  const auto message = [&](const auto& change) -> std::string {
    Sweep other = of_counts(entries);
    change(other);
    try {
      static_cast<void>(added(of_counts(entries), other));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message([](Sweep&) {}).empty());
  const auto contains = [](const std::string& text, const char* part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
  };
  CHECK(contains(message([](Sweep& s) { s = binned(s, 16, true); }),
                 "an exact sweep and a sweep of 65536 bins; sweep both with the same `bins=`"));
  CHECK(contains(message([](Sweep& s) {
                   s.type = ScoreType::kFloat32;
                   s.scores = SharedArray<float>(std::vector<float>{0.5F});
                 }),
                 "log loss clips"));
  CHECK(contains(message([](Sweep& s) {
                   s.labels = confmat::sweep_labels(text_labels({"no"}), text_labels({"yes"}));
                 }),
                 "labels differ"));
  CHECK(contains(message([](Sweep& s) {
                   s.positives = SharedArray<std::uint64_t>(
                       std::vector<std::uint64_t>{std::uint64_t{1} << 63U});
                   s.negatives = SharedArray<std::uint64_t>(std::vector<std::uint64_t>{0});
                 }),
                 "the counts sum to more than 2^63 - 1"));
}

TEST_CASE("sweeps: every claim of the bytes is checked") {
  const Sweep exact = of_counts({{0.75, 1, 2}, {0.25, 3, 0}});
  const Bytes curve = encode(exact);
  CHECK(refusal(curve).empty());
  CHECK(refusal(forged(curve, find(curve, 0.25), 0.75)).find("descending order") !=
        std::string::npos);
  CHECK(refusal(forged(curve, find(curve, 0.25), -0.0)).find("descending order") !=
        std::string::npos);
  CHECK(refusal(forged(curve, find(curve, 0.75), std::nan(""))).find("descending order") !=
        std::string::npos);
  CHECK(refusal(forged(curve, find(curve, 0.75), kInf)).empty());
  const std::size_t amounts = curve.size() - 4 - 4;  // a byte each: 1, 3 and 2, 0
  CHECK(refusal(forged(curve, amounts + 1, std::uint8_t{0})) == "a score or a bin without rows");
  CHECK(refusal(forged(curve, amounts + 1, std::uint8_t{7})).empty());

  const Bytes halves = [&] {
    Sweep sweep = exact;
    sweep.type = ScoreType::kFloat16;
    sweep.scores = SharedArray<float>(std::vector<float>{0.75F, 0.25F});
    return encode(sweep);
  }();
  CHECK(refusal(forged(halves, find(halves, 0.25F), 0.1F)) == "a score is no float16");

  const Bytes bins = encode(binned(exact, 18, true));
  CHECK(refusal(bins).empty());
  CHECK(refusal(forged(bins, find(bins, 0.25), 0.2500001)).empty());
  CHECK(refusal(forged(bins, find(bins, 0.25), 0.26)) == "a score is not in its bin");

  const Bytes floats = encode(weighted(exact));
  const double second = 0.1 * 3;
  CHECK(refusal(floats).empty());
  for (const double wrong : {-0.1, kInf, std::nan(""), 1e151}) {
    CAPTURE(wrong);
    CHECK_FALSE(refusal(forged(floats, find(floats, second), wrong)).empty());
  }
  CHECK(refusal(forged(floats, find(floats, second), 0.5)).empty() ==
        refusal(forged(floats, find(floats, second), second)).empty());

  const Bytes squares = encode(squared(weighted(exact)));
  CHECK(refusal(squares).empty());
  CHECK(squares.size() > floats.size());
  for (const double wrong : {-0.1, kInf, std::nan(""), -0.0}) {
    CAPTURE(wrong);
    CHECK_FALSE(refusal(forged(squares, find(squares, second * 0.3), wrong)).empty());
  }
  CHECK(refusal(forged(squares, find(squares, second * 0.3), 0.5)).empty());
  Sweep nowhere = squared(weighted(exact));  // no negative is at the second score
  nowhere.squares->negatives = ExactSums{std::vector<double>{0.1, 0.25}, {}};
  CHECK(refusal(encode(nowhere)) == "squared weights where no weight is");
}
