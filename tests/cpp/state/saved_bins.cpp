// Saved sweeps that are added as they lie: the entries that decoding gives, and no others.
#include "confmat/state/saved_bins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "confmat/base/error.hpp"
#include "confmat/state/sweep_sum.hpp"
#include "support/damaged_bytes.hpp"
#include "support/fake_host.hpp"

using confmat::BinMap;
using confmat::decode_sweep;
using confmat::encode;
using confmat::Grid;
using confmat::SavedBins;
using confmat::SharedArray;
using confmat::StateError;
using confmat::StateKind;
using confmat::Sweep;
using confmat::SweepSum;
using confmat::host::Bytes;
using confmat::host::int_labels;
using confmat::host::Random;
using confmat::host::sealed;

namespace {

struct Entry {
  std::uint32_t bin;
  std::uint64_t positives, negatives;
  bool operator==(const Entry&) const = default;
};

// At most so many bins, some of `step` on the way down from one of them, with counts below `most`.
Sweep drawn(Random& random, std::size_t bins, std::size_t step, std::size_t most) {
  Sweep out;
  out.labels = confmat::sweep_labels(int_labels({0}), int_labels({1}));
  out.grid = {.kind = Grid::Kind::kMap,
              .map = BinMap::unit(static_cast<unsigned>(random.below(2))),
              .edges = {}};
  out.is_exact = false;
  out.rows.counted = 0;
  std::vector<std::uint32_t> at;
  std::vector<std::uint64_t> positives, negatives;
  std::size_t bin = out.grid.size() - 1 - random.below(100);
  for (std::size_t i = 0; i < bins; ++i) {
    at.push_back(static_cast<std::uint32_t>(bin));
    positives.push_back(random.below(most));
    negatives.push_back(random.below(most));
    if (positives.back() == 0) negatives.back() += 1;
    out.rows.counted += static_cast<std::int64_t>(positives.back() + negatives.back());
    const std::size_t down = 1 + random.below(step);
    if (down > bin) break;
    bin -= down;
  }
  out.bins = std::move(at);
  out.positives = SharedArray<std::uint64_t>(std::move(positives));
  out.negatives = SharedArray<std::uint64_t>(std::move(negatives));
  return canonical(std::move(out));
}

std::vector<Entry> entries_of(const Sweep& sweep) {
  std::vector<Entry> out;
  std::visit(
      [&]<class Array>(const Array& positives) {
        if constexpr (!std::is_same_v<Array, confmat::ExactSums>) {
          const Array& negatives = std::get<Array>(sweep.negatives);
          for (std::size_t i = 0; i < sweep.bins.size(); ++i) {
            out.push_back({sweep.bins[i], positives[i], negatives[i]});
          }
        }
      },
      sweep.positives);
  return out;
}

// None: it is refused, or decoded at once.
std::optional<SavedBins> opened(const Bytes& bytes) {
  try {
    confmat::AnySweep sweep = confmat::open_sweep(bytes);
    if (auto* const saved = std::get_if<SavedBins>(&sweep)) return *saved;
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
  return std::nullopt;
}

std::vector<Entry> entries_of(const SavedBins& saved) {
  std::vector<Entry> out;
  saved.each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
    if ((positives | negatives) != 0) out.push_back({bin, positives, negatives});
  });
  return out;
}

std::span<const std::uint8_t> payload_of(const Bytes& bytes) {
  return confmat::open_state(bytes, std::array{StateKind::kBins}).payload;
}

// What the payload says, number by number; none where it is not what a sweep like `like` writes.
std::optional<Sweep> read_plainly(const Bytes& bytes, const Sweep& like) {
  const std::span<const std::uint8_t> payload = payload_of(bytes);
  std::size_t at = 0;
  bool is_short = false;
  const auto next = [&](unsigned width) {
    std::uint64_t out = 0;
    is_short = is_short || width > payload.size() - at;
    for (unsigned i = 0; !is_short && i < width; ++i) {
      out |= std::uint64_t{payload[at++]} << (8 * i);
    }
    return out;
  };
  const std::uint64_t n = next(8);
  const auto gap = static_cast<unsigned>(next(1)), positive = static_cast<unsigned>(next(1)),
             negative = static_cast<unsigned>(next(1));
  if (next(1) != 0) return std::nullopt;
  const auto highest = static_cast<std::int64_t>(next(4));
  const std::uint64_t span = next(4);
  const auto is_width = [](unsigned width) { return width > 0 && width <= 8; };
  const std::uint64_t written = gap == 0 ? span : n;
  if (gap > 4 || !is_width(positive) || !is_width(negative) || written > 100'000) return {};
  if (written == 0) return std::nullopt;
  std::vector<std::uint32_t> bins = {static_cast<std::uint32_t>(highest)};
  std::int64_t bin = highest;
  for (std::uint64_t i = 1; i < written; ++i) {
    bin -= gap == 0 ? 1 : 1 + static_cast<std::int64_t>(next(gap));
    bins.push_back(static_cast<std::uint32_t>(bin));
    if (bin < 0) return std::nullopt;
  }
  if (highest >= static_cast<std::int64_t>(like.grid.size())) return std::nullopt;
  std::vector<std::uint64_t> positives, negatives;
  for (std::uint64_t i = 0; i < written; ++i) positives.push_back(next(positive));
  for (std::uint64_t i = 0; i < written; ++i) negatives.push_back(next(negative));
  if (is_short || at != payload.size()) return std::nullopt;
  Sweep out = like;
  std::vector<std::uint32_t> filled;
  std::vector<std::uint64_t> of_positives, of_negatives;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if ((positives[i] | negatives[i]) == 0) continue;
    filled.push_back(bins[i]);
    of_positives.push_back(positives[i]);
    of_negatives.push_back(negatives[i]);
  }
  if (filled.empty()) return std::nullopt;
  out.bins = std::move(filled);
  out.positives = SharedArray<std::uint64_t>(std::move(of_positives));
  out.negatives = SharedArray<std::uint64_t>(std::move(of_negatives));
  out = canonical(std::move(out));
  return encode(out) == bytes ? std::optional(out) : std::nullopt;
}

// Blocks of 1,024, all bins written and gaps of each width.
std::vector<Sweep> of_all_forms(Random& random) {
  std::vector<Sweep> out;
  for (const std::size_t bins : {1UL, 2UL, 1023UL, 1024UL, 1025UL, 2048UL, 2049UL, 6000UL}) {
    for (const std::size_t step : {1UL, 2UL, 5UL, 400UL, 70'000UL}) {
      for (const std::size_t most : {2UL, 200UL, 40'000UL, 3'000'000UL}) {
        out.push_back(drawn(random, bins, step, most));
      }
    }
  }
  return out;
}

// A state of these entries with numbers of so many bytes; all bins written where `gap` is 0.
Bytes written(const std::vector<Entry>& entries, unsigned gap, unsigned positive,
              unsigned negative) {
  Random random(20);
  const Bytes like = encode(drawn(random, 5, 2, 100));
  const auto state = confmat::open_state(like, std::array{StateKind::kBins});
  confmat::StateWriter writer(StateKind::kBins, state.compatible, state.labels, state.rows);
  confmat::ByteWriter& out = writer.payload();
  const std::uint32_t span = entries.front().bin - entries.back().bin + 1;
  std::uint64_t n = 0;
  for (const Entry& entry : entries) n += (entry.positives | entry.negatives) != 0 ? 1 : 0;
  out.put(n);
  for (const unsigned bytes : {gap, positive, negative, 0U}) {
    out.put(static_cast<std::uint8_t>(bytes));
  }
  out.put(entries.front().bin);
  out.put(gap > 0 ? std::uint32_t{0} : span);
  const auto put = [&](std::uint64_t number, unsigned bytes) { out.append(&number, bytes); };
  for (std::size_t i = 1; gap > 0 && i < entries.size(); ++i) {
    put(entries[i - 1].bin - entries[i].bin - 1, gap);
  }
  for (const Entry& entry : entries) put(entry.positives, positive);
  for (const Entry& entry : entries) put(entry.negatives, negative);
  return writer.seal();
}

}  // namespace

TEST_CASE("saved bins: the entries that decoding gives") {
  Random random(16);
  for (const Sweep& sweep : of_all_forms(random)) {
    const Bytes bytes = encode(sweep);
    const auto saved = opened(bytes);
    REQUIRE(saved.has_value());
    CHECK(are_same(saved->decoded(), sweep));
    CHECK(saved->size() == sweep.size());
    CHECK(saved->total() == static_cast<std::uint64_t>(sweep.rows.counted));
    CHECK(entries_of(*saved) == entries_of(sweep));
    CHECK(saved->about().grid == sweep.grid);
    CHECK(*saved->about().labels == *sweep.labels);
    CHECK(saved->about().rows == sweep.rows);
    CHECK(saved->about().has_rows());
  }
}

TEST_CASE("saved bins: sums have the bytes of sums of decoded sweeps, of two levels, too") {
  Random random(17);
  const std::vector<Sweep> sweeps = of_all_forms(random);
  std::vector<Bytes> saved;
  for (const Sweep& sweep : sweeps) saved.push_back(encode(sweep));
  for (std::size_t first = 0; first < sweeps.size(); first += 16) {
    SweepSum as_they_lie;
    Sweep all = sweeps[first];
    for (std::size_t i = first; i < first + 16; ++i) {
      as_they_lie.add(confmat::open_sweep(saved[i]));
      if (i > first) all = added(all, sweeps[i]);
    }
    CHECK((encode(as_they_lie.take()) == encode(all)));
  }
}

TEST_CASE("saved bins: sums of more rows than 32 bits hold, and of counts that alone need more") {
  Random random(21);
  for (const std::uint64_t times : {1UL, 70'000UL, 300'000UL, 3'000'000'000UL}) {
    SweepSum as_they_lie, in_memory;
    Sweep all;
    for (int i = 0; i < 12; ++i) {
      Sweep sweep = drawn(random, 3000, 5, 9);
      sweep.grid.map = BinMap::unit(0);
      const auto more = [&](const confmat::AmountArray& amounts) {
        std::vector<std::uint64_t> out;
        for (const std::uint32_t count : std::get<0>(amounts).view()) out.push_back(count * times);
        return SharedArray<std::uint64_t>(std::move(out));
      };
      sweep.positives = more(sweep.positives);
      sweep.negatives = more(sweep.negatives);
      sweep = canonical(std::move(sweep));
      all = i == 0 ? sweep : added(all, sweep);
      as_they_lie.add(confmat::open_sweep(encode(sweep)));
      in_memory.add(std::move(sweep));
    }
    const Bytes wanted = encode(all);
    CHECK((encode(in_memory.take()) == wanted));
    CHECK((encode(as_they_lie.take()) == wanted));
  }
}

TEST_CASE("saved bins: accepted where the entries would be written so, and not otherwise") {
  Random random(18);
  std::size_t refused = 0, read = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Sweep sweep = drawn(random, 1 + random.below(40), random.chance(2) ? 2 : 600, 300);
    Bytes bytes = encode(sweep);
    const std::size_t payload = payload_of(bytes).size();
    const std::size_t at = bytes.size() - 5 - random.below(payload);
    bytes[at] = static_cast<std::uint8_t>(random.below(256));
    bytes = sealed(std::move(bytes));
    const std::optional<Sweep> wanted = read_plainly(bytes, sweep);
    const auto saved = opened(bytes);
    CHECK(saved.has_value() == wanted.has_value());
    if (saved && wanted) CHECK(entries_of(*saved) == entries_of(*wanted));
    (wanted ? read : refused) += 1;
  }
  CHECK(refused > 1000);
  CHECK(read > 1000);
}

TEST_CASE("saved bins: one form alone is that of some entries") {
  const std::vector<Entry> dense{{9, 1, 2}, {8, 0, 0}, {7, 3, 4}, {6, 5, 6}, {5, 0, 1}};
  const std::vector<Entry> sparse{{900, 1, 2}, {700, 3, 4}, {20, 5, 6}};
  std::vector<Entry> with_gaps(dense);
  with_gaps.erase(with_gaps.begin() + 1);
  struct Case {
    Bytes bytes;
    bool is_right;
  };
  const std::vector<Entry> empty_at_ends[] = {{{9, 0, 0}, {8, 1, 2}, {7, 1, 2}, {6, 1, 2}},
                                              {{9, 1, 2}, {8, 1, 2}, {7, 1, 2}, {6, 0, 0}}};
  const std::vector<Entry> beyond{{900, 1, 2}, {700, 3, 4}, {20, 5, 6}, {0, 7, 8}};
  // 400 empty bins in a row, of which a gap takes two bytes: all bins take fewer.
  std::vector<Entry> hollow;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    hollow.push_back({1999 - i, i < 300 || i >= 700 ? 1U : 0U, 0});
  }
  for (const auto& [bytes, is_right] : std::vector<Case>{
           {written(dense, 0, 1, 1), true},
           {written(hollow, 0, 1, 1), true},
           {written(dense, 0, 2, 1), false},
           {written(dense, 0, 1, 2), false},
           {written(with_gaps, 1, 1, 1), false},
           {written(sparse, 2, 1, 1), true},
           {written(sparse, 4, 1, 1), false},
           {written(sparse, 2, 4, 1), false},
           {written(sparse, 2, 1, 2), false},
           {written(empty_at_ends[0], 0, 1, 1), false},
           {written(empty_at_ends[1], 0, 1, 1), false},
           {written(beyond, 2, 1, 1), true},
       }) {
    CHECK(opened(bytes).has_value() == is_right);
    if (is_right) {
      CHECK_NOTHROW(static_cast<void>(decode_sweep(bytes)));
    } else {
      CHECK_THROWS_AS(static_cast<void>(decode_sweep(bytes)), StateError);
    }
  }
}

TEST_CASE("saved bins: counts of 64 bits, maps that skip bins, given edges; others are decoded") {
  Random random(19);
  Sweep large = drawn(random, 50, 2, 100);
  large.positives =
      SharedArray<std::uint64_t>(std::vector<std::uint64_t>(large.size(), std::uint64_t{1} << 40U));
  std::vector<std::uint64_t> negatives(large.size(), 3);
  large.negatives = SharedArray<std::uint64_t>(std::move(negatives));
  const Bytes of_large = encode(large);
  const auto wide = opened(of_large);
  REQUIRE(wide.has_value());
  CHECK(wide->total() == large.size() * ((std::uint64_t{1} << 40U) + 3));
  CHECK(are_same(wide->decoded(), large));

  const auto with_map = [&](std::uint32_t bin) {
    Sweep out = drawn(random, 1, 1, 100);
    out.grid.map = BinMap::of_number(65'536);
    out.bins = std::vector{bin};
    return encode(out);
  };
  CHECK(opened(with_map(40'000)).has_value());
  CHECK(!opened(with_map(65'535)).has_value());  // a bin of nans
  CHECK_THROWS_WITH_AS(static_cast<void>(decode_sweep(with_map(65'535))),
                       "a bin holds no score at all", StateError);

  Sweep between = drawn(random, 2, 1, 100);
  between.grid = {.kind = Grid::Kind::kEdges, .map = {}, .edges = std::vector{0.0, 0.5, 1.0}};
  between.bins = std::vector{3U, 1U};
  CHECK(opened(encode(between)).has_value());
  CHECK(are_same(decode_sweep(encode(between)), between));
  CHECK(!opened(encode(Sweep())).has_value());
  CHECK(!opened(Bytes()).has_value());
  Bytes cut = encode(drawn(random, 50, 2, 100));
  cut.pop_back();
  CHECK(!opened(cut).has_value());
}

TEST_CASE("saved bins: counts that sum to too much are refused") {
  const auto of = [](std::uint64_t one, std::uint64_t other) {
    return written({{9, one, 0}, {8, 0, other}}, 0, 8, 8);
  };
  const std::uint64_t most = std::uint64_t{1} << 63U;
  CHECK(opened(of(most - (std::uint64_t{1} << 40U), (std::uint64_t{1} << 40U) - 1)).has_value());
  CHECK_THROWS_WITH_AS(static_cast<void>(decode_sweep(of(most - 1, std::uint64_t{1} << 40U))),
                       "the counts sum to more than 2^63 - 1", StateError);
  CHECK_THROWS_AS(static_cast<void>(decode_sweep(of(UINT64_MAX, UINT64_MAX))), StateError);
}
