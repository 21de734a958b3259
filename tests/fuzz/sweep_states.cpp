// Saved sweeps: read alone, added, taken away, and their metrics.
#include <algorithm>
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "confmat/state/sweep_sum.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

const std::vector<double> kScores = {HUGE_VAL, 0.75, 0.5, 0.25, 0.0, -3.5, -HUGE_VAL};
const std::vector<std::uint64_t> kPositives = {1, 0, 2, std::uint64_t{1} << 50U, 0, 0, 1};
const std::vector<std::uint64_t> kNegatives = {0, 5, 0, 1, 1, std::uint64_t{1} << 61U, 2};

Sweep counts() {
  Sweep out;
  out.labels = sweep_labels(Labels{Labels::Kind::kInt, {0}, {}}, {Labels::Kind::kInt, {1}, {}});
  out.rows = {.counted = 9, .dropped = 3, .nan = 1};
  out.scores = SharedArray<double>(std::vector(kScores));
  out.positives = SharedArray<std::uint64_t>(std::vector(kPositives));
  out.negatives = SharedArray<std::uint64_t>(std::vector(kNegatives));
  return out;
}

Sweep floats(ScoreType type) {
  Sweep out = counts();
  out.type = type;
  out.scores = SharedArray<float>(std::vector<float>(kScores.begin(), kScores.end()));
  return out;
}

Sweep weights() {
  Sweep out = counts();
  out.labels = sweep_labels(std::nullopt, {Labels::Kind::kText, {}, {"yes"}});
  out.rows.counted = RowTotals::kUnknown;
  out.positives = ExactSums{std::vector<double>{0.5, 0, 1e-3, 2, 0, 0, 1e100}, {}};
  out.negatives = ExactSums{std::vector<double>{0, 1, 0, 0.25, 1, 3, 0},
                            std::vector<Tail>{{1, 0x1p-60}, {1, 0x1p-120}, {4, -0x1p-54}}};
  return out;
}

// In the bins of a map; without `exact` each may hold several scores.
Sweep binned(Sweep sweep, std::uint8_t map, bool exact) {
  sweep.grid = {.kind = Grid::Kind::kMap, .map = BinMap::of_code(map).value(), .edges = {}};
  std::vector<std::uint32_t> bins;
  sweep.grid.map.bins<std::uint64_t>([&](const auto& of) {
    for (const double score : kScores) {
      bins.push_back(static_cast<std::uint32_t>(of.bin(score_key(score))));
    }
  });
  sweep.bins = std::move(bins);
  sweep.is_exact = exact;
  if (!exact) sweep.scores = SharedArray<double>();
  return canonical(std::move(sweep));
}

Sweep between_edges() {
  Sweep out = counts();
  out.grid = {.kind = Grid::Kind::kEdges, .map = {}, .edges = std::vector<double>{-1, 0.5, 2}};
  out.is_exact = false;
  out.scores = SharedArray<double>();
  out.bins = std::vector<std::uint32_t>{3, 1, 0};
  out.positives = SharedArray<std::uint64_t>(std::vector<std::uint64_t>{0, 300, 1});
  out.negatives = SharedArray<std::uint64_t>(std::vector<std::uint64_t>{7, 0, 70'000});
  return canonical(std::move(out));
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out = {encode(canonical(counts())),
                            encode(canonical(weights())),
                            encode(canonical(floats(ScoreType::kFloat32))),
                            encode(canonical(floats(ScoreType::kFloat16))),
                            encode(between_edges()),
                            encode(canonical(Sweep()))};
  for (const std::uint8_t map : std::vector<std::uint8_t>{16, 17, 18}) {
    for (const bool exact : {false, true}) {
      out.push_back(encode(binned(counts(), map, exact)));
      out.push_back(encode(binned(weights(), map, exact)));
    }
    out.push_back(encode(binned(floats(ScoreType::kFloat16), map, true)));
  }
  return out;
}

void read_values(const Sweep& sweep) {
  static const std::vector<metrics::ScoreAsk> asks = {
      metrics::parse_score("roc_auc"), metrics::parse_score("average_precision"),
      metrics::parse_score("ks"), metrics::parse_score("eer")};
  double values[4];
  metrics::score_values(asks, ScoreView(sweep).view(), 1, values);
  for (const double value : values) require(!(value < 0 || value > 1), "areas lie in [0, 1]");
  require(total(sweep) >= 0, "amounts are not negative");
  require(!(auc_error(sweep) < 0), "bounds are not crossed");
}

// In one order and in another: the bytes are the same.
void add_up(const std::vector<const Sweep*>& sweeps) {
  SweepSum one, other;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    one.add(*sweeps[i]);
    other.add(*sweeps[sweeps.size() - 1 - i]);
  }
  const Sweep sum = one.take();
  const Bytes bytes = encode(sum);
  require(encode(other.take()) == bytes, "the order of a sum does not matter");
  require(encode(decode_sweep(bytes)) == bytes, "a sum is read as it was");
  read_values(sum);
  require(taken_away(sum, sum).size() == 0, "nothing is left");
}

void read_as_it_lies(const SavedBins& saved, const Sweep& read) {
  std::uint64_t rows = 0;
  saved.each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
    require(bin < read.grid.size(), "a bin is one of the grid");
    rows += positives + negatives;
  });
  require(rows == saved.total() && saved.size() == read.size(), "counts are those of the head");
  SweepSum one, other;
  for (int i = 0; i < 2; ++i) {
    one.add(saved);
    other.add(read);
  }
  require(encode(one.take()) == encode(other.take()), "a sum does not depend on how it is read");
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  const std::span<const std::uint8_t> all(bytes);
  Draw draw(all.last(std::min<std::size_t>(all.size(), 4)));  // the checksum: as good as random
  try {
    const Sweep read = decode_sweep(bytes);
    const AnySweep opened = open_sweep(bytes);
    if (const auto* const saved = std::get_if<SavedBins>(&opened)) read_as_it_lies(*saved, read);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "a sweep is the same as itself");
    read_values(read);
    add_up({&read, &read});
    const Sweep other = decode_sweep(others[draw.below(others.size())]);
    add_up({&read, &other, &read});
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kSweeps("sweep_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
