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
#include "confmat/state/saved_bins.hpp"
#include "confmat/state/sweep.hpp"
#include "payload.hpp"
#include "sweep_amounts.hpp"
#include "sweep_form.hpp"

namespace confmat {
namespace {

// The counts of all bins from the highest to the lowest, 0 where there is none.
template <class Count>
void put_spread(ByteWriter& out, std::span<const Count> counts, const Sweep& sweep, unsigned bytes,
                std::uint32_t span) {
  const auto bins = sweep.bins.view();
  with_unsigned(bytes, [&]<class To>(To) {
    std::uint8_t* const to = out.room(span * sizeof(To));
    for (const auto [first, last] : Strides(bins.size())) {
      for (std::size_t i = first; i < last; ++i) {
        store(to, bins[0] - bins[i], static_cast<To>(counts[i]));
      }
    }
  });
}

void put_amounts(ByteWriter& out, const AmountArray& amounts, const Sweep& sweep, unsigned bytes,
                 std::uint32_t span) {
  std::visit(
      [&]<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          put_leads(out, of);
        } else if (span > 0) {
          put_spread(out, of.view(), sweep, bytes, span);
        } else {
          put_numbers(out, of.view(), bytes);
        }
      },
      amounts);
}

void put_gaps(ByteWriter& out, std::span<const std::uint32_t> bins, unsigned bytes) {
  if (bins.empty()) return;
  put_each(out, bins.size() - 1, bytes,
           [bins](std::size_t i) { return bins[i] - bins[i + 1] - 1; });
}

std::vector<std::uint32_t> take_gaps(ByteReader& reader, const SweepHead& head) {
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
  for (const auto [first, last] : Strides(bins.size())) {
    require_scores(sweep.grid, bins.subspan(first, last - first));
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

// Needs: the amounts are counts.
void take_counts(ByteReader& reader, const SweepHead& head, Sweep& out) {
  const auto n = static_cast<std::size_t>(head.n);
  auto positives = take_numbers<std::uint64_t>(reader, n, head.bytes[0]);
  auto negatives = take_numbers<std::uint64_t>(reader, n, head.bytes[1]);
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

// Of scores that are known, or of weights.
Sweep decoded(OpenedSweep opened) {
  Sweep out = std::move(opened.about);
  const SweepHead& head = opened.head;
  ByteReader reader(opened.entries);
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
    require_left(reader, head.n, 2);
  }
  if (head.gap_bytes > 0) out.bins = take_gaps(reader, head);
  if (opened.flags != 0) {
    const auto n = static_cast<std::size_t>(head.n);
    SquareSums both = take_both(reader, n);
    out.positives = std::move(both.positives);
    out.negatives = std::move(both.negatives);
    if (opened.flags == kSquaredWeights) out.squares = take_both(reader, n);
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

}  // namespace

std::vector<std::uint8_t> encode(const Sweep& sweep) {
  const bool has_bins = sweep.grid.kind != Grid::Kind::kScores;
  const SweepHead head = head_of(sweep);
  const std::size_t written = head.span > 0 ? head.span : sweep.size();
  const std::size_t entry = head.gap_bytes + std::size_t{head.bytes[0]} + head.bytes[1] +
                            (sweep.is_exact ? sizeof(double) : 0);
  StateWriter writer(has_bins ? StateKind::kBins : StateKind::kCurve, compatible_of(sweep),
                     *sweep.labels, sweep.rows, kHeadBytes + written * entry);
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
  OpenedSweep opened = open_saved_sweep(bytes);
  return SavedBins::is_one(opened) ? SavedBins(opened).decoded() : decoded(std::move(opened));
}

AnySweep open_sweep(Bytes bytes) {
  OpenedSweep opened = open_saved_sweep(bytes);
  if (SavedBins::is_one(opened)) return SavedBins(opened);
  return decoded(std::move(opened));
}

}  // namespace confmat
