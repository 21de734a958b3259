// Sweeps as saved states. What must be equal to add them, in front of the labels:
//   1, 1        1 if amounts are sums of float weights, 3 if those of squares are there too; type
//   of
//               the scores (ScoreType)
//   1, 1        kind of grid (Grid::Kind); code of the map of scores to bins, or 0
//   4           number of edges; then each, 8 bytes
// The payload:
//   8           number of scores or bins
//   1, 1, 1     bytes of a gap between bins (0: all bins from the first to the last), of a positive
//               and of a negative count
//   1           1: the scores are known
//   4, 4        the highest bin; how many lie from there to the lowest, if all of these are written
//   ...         scores, descending: 4 bytes each, of float64 8
//   ...         the gaps: how many empty bins lie before the next one
//   ...         positives; negatives: unsigned integers as narrow as the largest allows, or doubles
//   ...         float weights: the further parts of both, as those of counts
//   ...         squares, if they are there: of positives, of negatives, the further parts of both
// All bins are written where they take no more bytes, and none has a known score.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/half.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/state/sweep.hpp"
#include "payload.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

constexpr std::uint8_t kWeights = 1;
constexpr std::uint8_t kSquares = 3;  // of weights
constexpr std::array kKindsOfSweeps{StateKind::kCurve, StateKind::kBins};
constexpr std::size_t kLeastEdges = 2;
constexpr std::size_t kMostEdges = std::size_t{1} << 20U;

struct Head {
  std::uint64_t n = 0;
  std::uint8_t gap_bytes = 0;
  std::uint8_t bytes[2] = {1, 1};  // of positives and of negatives
  bool has_scores = false;
  std::uint32_t highest = 0;
  std::uint32_t span = 0;
  bool operator==(const Head&) const = default;
};

unsigned bytes_of(const AmountArray& amounts) {
  return std::visit(
      []<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return unsigned{sizeof(double)};
        } else {
          return narrowest(bits_of(of.view()));
        }
      },
      amounts);
}

// How a sweep is written: it follows from its content.
Head head_of(const Sweep& sweep) {
  Head out;
  out.n = sweep.size();
  out.has_scores = sweep.is_exact;
  out.bytes[0] = static_cast<std::uint8_t>(bytes_of(sweep.positives));
  out.bytes[1] = static_cast<std::uint8_t>(bytes_of(sweep.negatives));
  const auto bins = sweep.bins.view();
  if (bins.empty()) return out;
  out.highest = bins.front();
  std::uint32_t gaps = 0;
  for (const auto [first, last] : Strides(bins.size())) {
    for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
      gaps |= bins[i - 1] - bins[i] - 1;
    }
  }
  out.gap_bytes = static_cast<std::uint8_t>(narrowest(gaps));
  const std::uint64_t span = std::uint64_t{bins.front()} - bins.back() + 1;
  const std::uint64_t entry = std::uint64_t{out.bytes[0]} + out.bytes[1];
  const bool can_span = !sweep.is_exact && !sweep.has_weights();
  if (can_span && span * entry <= out.n * (entry + out.gap_bytes)) {
    out.gap_bytes = 0;
    out.span = static_cast<std::uint32_t>(span);
  }
  return out;
}

void put(ByteWriter& out, const Head& head) {
  out.put(head.n);
  out.put(head.gap_bytes);
  out.put(head.bytes[0]);
  out.put(head.bytes[1]);
  out.put(std::uint8_t{head.has_scores});
  out.put(head.highest);
  out.put(head.span);
}

[[noreturn]] void refuse_form() {
  throw StateError("not written as this format writes it: the form of the entries");
}

Head take_head(ByteReader& reader) {
  Head out;
  out.n = reader.get<std::uint64_t>();
  out.gap_bytes = reader.get<std::uint8_t>();
  for (std::uint8_t& bytes : out.bytes) bytes = reader.get<std::uint8_t>();
  const auto scores = reader.get<std::uint8_t>();
  out.highest = reader.get<std::uint32_t>();
  out.span = reader.get<std::uint32_t>();
  out.has_scores = scores == 1;
  if (scores > 1 || out.gap_bytes > 4 || (out.gap_bytes != 0 && !is_width(out.gap_bytes)) ||
      !is_width(out.bytes[0]) || !is_width(out.bytes[1])) {
    refuse_form();
  }
  return out;
}

// The amounts of all bins from the highest to the lowest, 0 where there is none.
std::vector<std::uint64_t> spread(const AmountArray& amounts, const Sweep& sweep,
                                  std::uint32_t span) {
  std::vector<std::uint64_t> out(span);
  std::visit(
      [&]<class Array>(const Array& of) {
        if constexpr (!std::is_same_v<Array, ExactSums>) {
          for (const auto [first, last] : Strides(sweep.bins.size())) {
            for (std::size_t i = first; i < last; ++i) {
              out[sweep.bins[0] - sweep.bins[i]] = of[i];
            }
          }
        }
      },
      amounts);
  return out;
}

void put_amounts(ByteWriter& out, const AmountArray& amounts, const Sweep& sweep, unsigned bytes,
                 std::uint32_t span) {
  if (span > 0) {
    return put_numbers<std::uint64_t>(out, spread(amounts, sweep, span), bytes);
  }
  std::visit(
      [&]<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          put_leads(out, of);
        } else {
          put_numbers(out, of.view(), bytes);
        }
      },
      amounts);
}

void put_gaps(ByteWriter& out, std::span<const std::uint32_t> bins, unsigned bytes) {
  std::vector<std::uint32_t> gaps;
  gaps.reserve(bins.size());
  for (const auto [first, last] : Strides(bins.size())) {
    for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
      gaps.push_back(bins[i - 1] - bins[i] - 1);
    }
  }
  put_numbers<std::uint32_t>(out, gaps, bytes);
}

std::vector<std::uint32_t> take_gaps(ByteReader& reader, const Head& head) {
  std::vector<std::uint32_t> bins;
  if (head.n == 0) return bins;
  bins = take_numbers<std::uint32_t>(reader, static_cast<std::size_t>(head.n - 1), head.gap_bytes);
  bins.insert(bins.begin(), head.highest);
  std::int64_t at = std::int64_t{head.highest};
  for (const auto [first, last] : Strides(bins.size())) {
    for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
      at -= std::int64_t{bins[i]} + 1;
      if (at < 0) throw StateError("a bin lies below the lowest one");
      bins[i] = static_cast<std::uint32_t>(at);
    }
  }
  return bins;
}

std::vector<std::uint8_t> compatible_of(const Sweep& sweep) {
  ByteWriter out;
  out.put(sweep.squares ? kSquares : sweep.has_weights() ? kWeights : std::uint8_t{0});
  out.put(sweep.type);
  out.put(sweep.grid.kind);
  const bool has_map = sweep.grid.kind == Grid::Kind::kMap;
  out.put(has_map ? sweep.grid.map.code() : std::uint8_t{0});
  out.put(static_cast<std::uint32_t>(sweep.grid.edges.size()));
  put_array(out, sweep.grid.edges.view());
  return out.take();
}

// Returns what it says of weights.
std::uint8_t read_compatible(Bytes bytes, Sweep& out) {
  ByteReader reader(bytes);
  const auto flags = reader.get<std::uint8_t>();
  const auto type = reader.get<std::uint8_t>();
  const auto kind = reader.get<std::uint8_t>();
  const auto code = reader.get<std::uint8_t>();
  const auto n = reader.get<std::uint32_t>();
  if ((flags > kWeights && flags != kSquares) || type > 2 || kind > 2) {
    throw StateError("unknown content of a sweep");
  }
  const auto map = BinMap::of_code(code);
  out.type = static_cast<ScoreType>(type);
  out.grid.kind = static_cast<Grid::Kind>(kind);
  const bool has_map = out.grid.kind == Grid::Kind::kMap;
  const bool has_edges = out.grid.kind == Grid::Kind::kEdges;
  if (map && has_map) {
    out.grid.map = *map;
  } else if (has_map || code != 0) {
    throw StateError("unknown content of a sweep");
  }
  if (has_edges ? n < kLeastEdges || n > kMostEdges : n != 0) {
    throw StateError("the number of edges is none that bins have");
  }
  out.grid.edges = take_array<double>(reader, n);
  if (reader.left() != 0) throw StateError("bytes are left after the last edge");
  const auto edges = out.grid.edges.view();
  for (const auto [first, last] : Strides(edges.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const bool ascends = i == 0 || edges[i - 1] < edges[i];
      if (!std::isfinite(edges[i]) || !ascends || (edges[i] == 0 && std::signbit(edges[i]))) {
        throw StateError("the edges are not finite numbers in ascending order");
      }
    }
  }
  return flags;
}

// Distinct, descending, and of their type.
template <class Score>
void check_scores(std::span<const Score> scores, bool are_halves) {
  for (const auto [first, last] : Strides(scores.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const Score score = scores[i];
      const bool descends = i == 0 || score < scores[i - 1];
      if (std::isnan(score) || !descends || (score == 0 && std::signbit(score))) {
        throw StateError("the scores are not distinct numbers in descending order");
      }
      if (are_halves &&
          half_of(half_key(score_key(static_cast<float>(score)))) != static_cast<float>(score)) {
        throw StateError("a score is no float16");
      }
    }
  }
}

// Each a bin of the grid in which some score lies, with its score if that is known.
void check_bins(const Sweep& sweep) {
  const auto bins = sweep.bins.view();
  if (bins.empty()) return;
  if (bins.front() >= sweep.grid.size()) throw StateError("a bin lies beyond the last one");
  if (sweep.grid.kind == Grid::Kind::kMap && !sweep.grid.map.level()) {
    sweep.grid.map.bins<std::uint64_t>([&](const auto& of) {
      for (const auto [first, last] : Strides(bins.size())) {
        for (std::size_t i = first; i < last; ++i) {
          if (of.bin(score_key(of.lower(bins[i]))) != bins[i]) {
            throw StateError("a bin holds no score at all");
          }
        }
      }
    });
  }
  if (!sweep.is_exact) return;
  const std::vector<double> lower = sweep.grid.lower(bins);
  const std::vector<double> upper = sweep.grid.lower(bins, 1);
  std::visit(
      [&](const auto& scores) {
        for (const auto [first, last] : Strides(bins.size())) {
          for (std::size_t i = first; i < last; ++i) {
            const auto score = static_cast<double>(scores[i]);
            if (score < lower[i] || (score >= upper[i] && std::isfinite(upper[i]))) {
              throw StateError("a score is not in its bin");
            }
          }
        }
      },
      sweep.scores);
}

void check_squares(const ExactSums& squares, const ExactSums& weights) {
  check_sums(squares, false, "a sum of squared weights");
  for (const auto [first, last] : Strides(squares.leads.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (weights.leads[i] == 0 && squares.leads[i] != 0) {
        throw StateError("squared weights where no weight is");
      }
    }
  }
}

void check_amounts(const Sweep& sweep) {
  if (sweep.has_weights()) {
    for (const AmountArray* const side : {&sweep.positives, &sweep.negatives}) {
      check_sums(std::get<ExactSums>(*side), false, "a sum of weights");
    }
  }
  if (sweep.squares) {
    check_squares(sweep.squares->positives, std::get<ExactSums>(sweep.positives));
    check_squares(sweep.squares->negatives, std::get<ExactSums>(sweep.negatives));
  }
  if (std::string fault = total_fault(sweep); !fault.empty()) throw StateError(fault);
  std::visit(
      [&]<class Array>(const Array& positives) {
        const auto& negatives = std::get<Array>(sweep.negatives);
        for (const auto [first, last] : Strides(size_of(positives))) {
          for (std::size_t i = first; i < last; ++i) {
            if (amount(positives, i) == 0 && amount(negatives, i) == 0) {
              throw StateError("a score or a bin without rows");
            }
          }
        }
      },
      sweep.positives);
}

void check_classes(const LabelSet& set) {
  const bool is_told = set.positive == 0 || !set.labels.have_usual_positive() ||
                       set.labels.ints[set.positive - 1] != 1;
  if (set.size() > 2 || set.origin != Origin::kFound || (set.size() > 0 && !positive_of(set)) ||
      !is_told) {
    throw StateError("the labels are not those of a sweep");
  }
}

// Needs: the amounts are counts.
void take_counts(ByteReader& reader, const Head& head, Sweep& out) {
  const auto n = static_cast<std::size_t>(head.span > 0 ? head.span : head.n);
  auto positives = take_numbers<std::uint64_t>(reader, n, head.bytes[0]);
  auto negatives = take_numbers<std::uint64_t>(reader, n, head.bytes[1]);
  if (head.span > 0) {
    std::vector<std::uint32_t> bins;
    bins.reserve(std::min<std::size_t>(n, static_cast<std::size_t>(head.n)));
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) {
        if ((positives[i] | negatives[i]) == 0) continue;
        positives[bins.size()] = positives[i];
        negatives[bins.size()] = negatives[i];
        bins.push_back(head.highest - static_cast<std::uint32_t>(i));
      }
    }
    positives.resize(bins.size());
    negatives.resize(bins.size());
    out.bins = std::move(bins);
  }
  out.positives = SharedArray<std::uint64_t>(std::move(positives));
  out.negatives = SharedArray<std::uint64_t>(std::move(negatives));
}

// Sums of positives and of negatives, unchecked.
SquareSums take_both(ByteReader& reader, std::size_t n) {
  auto positives = take_array<double>(reader, n);
  auto negatives = take_array<double>(reader, n);
  auto tails = take_tails(reader);
  return {.positives = {std::move(positives), std::move(tails)},
          .negatives = {std::move(negatives), take_tails(reader)}};
}

}  // namespace

std::vector<std::uint8_t> encode(const Sweep& sweep) {
  const bool has_bins = sweep.grid.kind != Grid::Kind::kScores;
  const Head head = head_of(sweep);
  StateWriter writer(has_bins ? StateKind::kBins : StateKind::kCurve, compatible_of(sweep),
                     *sweep.labels, sweep.rows);
  ByteWriter& out = writer.payload();
  put(out, head);
  if (sweep.is_exact) {
    std::visit([&](const auto& scores) { put_array(out, scores.view()); }, sweep.scores);
  }
  if (head.gap_bytes > 0) put_gaps(out, sweep.bins.view(), head.gap_bytes);
  put_amounts(out, sweep.positives, sweep, head.bytes[0], head.span);
  put_amounts(out, sweep.negatives, sweep, head.bytes[1], head.span);
  if (sweep.has_weights()) {
    put_tails(out, std::get<ExactSums>(sweep.positives));
    put_tails(out, std::get<ExactSums>(sweep.negatives));
  }
  if (sweep.squares) {
    put_leads(out, sweep.squares->positives);
    put_leads(out, sweep.squares->negatives);
    put_tails(out, sweep.squares->positives);
    put_tails(out, sweep.squares->negatives);
  }
  return writer.seal();
}

Sweep decode_sweep(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfSweeps);
  Sweep out;
  const std::uint8_t flags = read_compatible(state.compatible, out);
  const bool has_weights = flags != 0;
  const bool has_bins = out.grid.kind != Grid::Kind::kScores;
  if (has_bins != (state.kind == StateKind::kBins)) throw StateError("unknown content of a sweep");
  check_classes(state.labels);
  out.labels = std::make_shared<const LabelSet>(state.labels);
  out.rows = state.rows;
  if (out.rows.other != 0) throw StateError("a sweep has no rows of other labels");
  ByteReader reader(state.payload);
  const Head head = take_head(reader);
  out.is_exact = head.has_scores;
  if (head.span > 0 && (head.span - 1 > head.highest || has_weights || !has_bins || out.is_exact)) {
    refuse_form();
  }
  const bool has_gaps = has_bins && head.n > 0 && head.span == 0;
  if (has_gaps != (head.gap_bytes > 0)) refuse_form();
  const bool is_float = out.type != ScoreType::kFloat64;
  if (head.has_scores) {
    require_left(reader, head.n, is_float ? sizeof(float) : sizeof(double));
    const auto n = static_cast<std::size_t>(head.n);
    if (is_float) {
      out.scores = SharedArray<float>(take_array<float>(reader, n));
      check_scores(std::get<0>(out.scores).view(), out.type == ScoreType::kFloat16);
    } else {
      out.scores = SharedArray<double>(take_array<double>(reader, n));
      check_scores(std::get<1>(out.scores).view(), false);
    }
  } else {
    require_left(reader, head.span > 0 ? 0 : head.n, 2);
    if (!has_bins) refuse_form();
  }
  if (has_gaps) out.bins = take_gaps(reader, head);
  if (has_weights) {
    const auto n = static_cast<std::size_t>(head.n);
    SquareSums both = take_both(reader, n);
    out.positives = std::move(both.positives);
    out.negatives = std::move(both.negatives);
    if (flags == kSquares) out.squares = take_both(reader, n);
  } else {
    take_counts(reader, head, out);
  }
  if (reader.left() != 0) throw StateError("bytes are left after the last entry");
  if (out.size() == 0 && out.type != ScoreType::kFloat64) refuse_form();
  out = canonical(std::move(out));
  check_bins(out);
  check_amounts(out);
  if (head != head_of(out)) refuse_form();
  return out;
}

}  // namespace confmat
