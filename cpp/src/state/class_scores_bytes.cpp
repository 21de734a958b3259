// Scores of many classes as saved states. The payload:
//   1, 1, 6     whether all rows are probabilities; bytes of a rank; zeros
//   8           rows whose log loss was clipped
//   ...         the ranks, 4 x K: unsigned integers as narrow as the largest allows; float weights:
//               doubles, and the further parts of their exact sums
//   8, 8, ...   of probabilities: the sums of log losses and Brier scores, their further parts
//   8, ...      the bytes of the matrix of highest scores as a state, and this
//   8, ...      the same of each sweep, and of that of the highest scores
// `compatible`: whether weights were summed (as floats 1, as integers 2), whether pairs of classes
// are kept.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/class_scores.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfClasses{StateKind::kClasses};
constexpr std::uint8_t kIntegers = 2;

std::array<std::uint8_t, 2> compatible_of(const ClassScores& scores) {
  const bool floats = scores.ranks.has_floats;
  const std::uint8_t integers = scores.argmax.has_squares ? kIntegers : 0;
  return {floats ? kFloatCells : integers, std::uint8_t{scores.has_pairs}};
}

unsigned width_of(const EntrySums& sums) {
  if (sums.has_floats) return sizeof(double);
  std::uint64_t bits = 0;
  for (const std::int64_t count : sums.counts.view()) bits |= static_cast<std::uint64_t>(count);
  return narrowest(bits);
}

[[noreturn]] void refuse(const std::string& what) {
  throw StateError("not what rows with scores of many classes give: " + what);
}

EntrySums take_ranks(ByteReader& reader, std::size_t n, unsigned width, bool floats) {
  EntrySums out;
  out.has_floats = floats;
  if (floats) {
    out.weights = take_sums(reader, n, "a rank");
    if (width != sizeof(double)) refuse("the width of its ranks");
    return out;
  }
  if (!is_width(width)) refuse("the width of its ranks");
  auto counts = take_numbers<std::int64_t>(reader, n, width);
  if (std::ranges::any_of(counts, [](std::int64_t count) { return count < 0; })) {
    refuse("ranks beyond 64-bit integers");
  }
  out.counts = std::move(counts);
  if (width_of(out) != width) refuse("the width of its ranks");
  return out;
}

// Sweeps of one kind: in the bins of one map, of classes that are False and True.
void check_sweeps(const ClassScores& scores) {
  const Labels classes{Labels::Kind::kBool, {0, 1}, {}};
  const bool floats = scores.ranks.has_floats;
  const auto check = [&](const Sweep& sweep) {
    if (sweep.grid.kind != Grid::Kind::kMap || sweep.grid != scores.top.grid ||
        sweep.labels->labels != classes || sweep.labels->positive != 0) {
      refuse("its sweeps differ");
    }
    if (sweep.has_rows() && (sweep.type != scores.top.type || sweep.has_weights() != floats)) {
      refuse("scores or weights of its sweeps");
    }
  };
  for (const Sweep& sweep : scores.sweeps) check(sweep);
  check(scores.top);
}

// Every part counts the same rows, as far as whole numbers allow.
void check_totals(const ClassScores& scores) {
  if (scores.ranks.has_floats) return;
  UInt128 total = 0;
  for (const std::int64_t cell : scores.argmax.cells.view()) {
    total += static_cast<std::uint64_t>(cell);
  }
  const std::size_t k = scores.k();
  for (std::size_t rule = 0; rule < kTieRules; ++rule) {
    UInt128 ranked = 0;
    for (std::size_t i = 0; i < k; ++i) {
      ranked += static_cast<std::uint64_t>(scores.ranks.counts[rule * k + i]);
    }
    if (ranked != total) refuse("parts that count different rows");
  }
}

}  // namespace

std::vector<std::uint8_t> encode(const ClassScores& scores) {
  std::vector<std::vector<std::uint8_t>> sweeps;
  sweeps.reserve(scores.sweeps.size() + 1);
  for (const Sweep& sweep : scores.sweeps) sweeps.push_back(encode(sweep));
  sweeps.push_back(encode(scores.top));
  return encode(scores, sweeps);
}

std::vector<std::uint8_t> encode(const ClassScores& scores,
                                 const std::vector<std::vector<std::uint8_t>>& sweeps) {
  const auto compatible = compatible_of(scores);
  StateWriter writer(StateKind::kClasses, compatible, *scores.argmax.labels, scores.argmax.rows);
  ByteWriter& out = writer.payload();
  const unsigned width = width_of(scores.ranks);
  out.put(std::uint8_t{scores.are_probabilities});
  out.put(static_cast<std::uint8_t>(width));
  for (int i = 0; i < 6; ++i) out.put(std::uint8_t{0});
  out.put(scores.n_clipped);
  if (scores.ranks.has_floats) {
    put_leads(out, scores.ranks.weights);
    put_tails(out, scores.ranks.weights);
  } else {
    put_numbers(out, scores.ranks.counts.view(), width);
  }
  if (scores.are_probabilities) {
    put_leads(out, scores.losses.weights);
    put_tails(out, scores.losses.weights);
  }
  put_state(out, encode(scores.argmax));
  put_states(out, sweeps);
  return writer.seal();
}

void decode(Bytes bytes, const SweepReader& read, ClassScores& out) {
  const Envelope state = open_state(bytes, kKindsOfClasses);
  const Bytes about = state.compatible;
  if (about.size() != 2 || about[0] > kIntegers || about[1] > 1) {
    throw StateError("unknown content of scores of many classes");
  }
  out.has_pairs = about[1] == 1;
  ByteReader reader(state.payload);
  const auto are_probabilities = reader.get<std::uint8_t>();
  const unsigned width = reader.get<std::uint8_t>();
  if (are_probabilities > 1) refuse("a flag");
  out.are_probabilities = are_probabilities == 1;
  for (int i = 0; i < 6; ++i) {
    if (reader.get<std::uint8_t>() != 0) refuse("zeros");
  }
  out.n_clipped = reader.get<std::int64_t>();
  if (out.n_clipped < 0 || (!out.are_probabilities && out.n_clipped != 0)) {
    refuse("the rows that are clipped");
  }
  const std::size_t k = state.labels.size();
  out.ranks = take_ranks(reader, kTieRules * k, width, about[0] == kFloatCells);
  out.losses.has_floats = out.are_probabilities;
  if (out.are_probabilities) out.losses.weights = take_sums(reader, 2, "a sum of losses");
  out.argmax = decode_counts(take_state(reader));
  if (*out.argmax.labels != state.labels || out.argmax.rows != state.rows ||
      out.argmax.has_floats != out.ranks.has_floats) {
    refuse("the matrix of its highest scores");
  }
  const StopSign sign;
  for (std::size_t i = 0; i < out.n_sweeps(); ++i) {
    sign.obey();
    out.sweeps.push_back(read(take_state(reader)));
  }
  out.top = read(take_state(reader));
  if (reader.left() != 0) throw StateError("bytes are left after the last sweep");
  if (compatible_of(out)[0] != about[0]) refuse("weights of the matrix of its highest scores");
  check_sweeps(out);
  check_totals(out);
}

ClassScores decode_class_scores(Bytes bytes) {
  ClassScores out;
  decode(bytes, decode_sweep, out);
  return out;
}

}  // namespace confmat
