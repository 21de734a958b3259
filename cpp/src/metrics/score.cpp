// Values, reasons and the fraction behind the AUC.
#include "confmat/metrics/score.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/metrics/evaluate.hpp"
#include "nan.hpp"
#include "score_sums.hpp"

namespace confmat::metrics {
namespace {

const ScoreRow& row_of(const ScoreAsk& ask) {
  return score_rows()[static_cast<std::size_t>(ask.row)];
}

// Scores descend, so only the ends can lie outside.
void check_probabilities(const ScoreAsk& ask, const SweepView& sweep) {
  const auto at = [&](std::size_t i) {
    return std::visit([i](const auto* scores) { return static_cast<double>(scores[i]); },
                      sweep.scores);
  };
  const double first = at(0);
  const double last = at(sweep.size - 1);
  if (first <= 1 && last >= 0) return;
  char text[32];
  char* const end = std::to_chars(text, text + sizeof text, first <= 1 ? last : first).ptr;
  throw InputError("`y_score` holds " + std::string(text, end) + ": " + ask.name +
                   " needs probabilities, from 0 to 1");
}

// Sums of weights that are whole numbers, as counts that lie in `counts`.
std::optional<SweepView> whole(const SweepView& sweep, std::vector<std::uint64_t>& counts) {
  constexpr double kMost = 4503599627370496.0;  // 2^52: sums below it are exact
  const auto* weights = std::get_if<Amounts<double>>(&sweep.amounts);
  if (weights == nullptr) return std::nullopt;
  double total = 0.0;
  bool are_whole = true;
  for (const double* side : {weights->positives, weights->negatives}) {
    for (const auto [first, last] : Strides(sweep.size)) {
      for (std::size_t i = first; are_whole && i < last; ++i) {
        are_whole = side[i] == std::floor(side[i]);
        total += side[i];
      }
    }
  }
  if (!are_whole || !(total < kMost / 4)) return std::nullopt;
  counts.resize(2 * sweep.size);
  std::copy_n(weights->positives, sweep.size, counts.begin());
  std::copy_n(weights->negatives, sweep.size,
              counts.begin() + static_cast<std::ptrdiff_t>(sweep.size));
  SweepView out = sweep;
  out.amounts = Amounts<std::uint64_t>{counts.data(), counts.data() + sweep.size};
  return out;
}

std::string undefined_reason(const ScoreRow& row, const ScoreSums& sums, const SweepView& sweep) {
  if (sweep.size == 0) {
    const bool weighted = std::holds_alternative<Amounts<double>>(sweep.amounts);
    return weighted ? "there are no rows of a weight above 0" : "there are no rows";
  }
  if (!(sums.n > 0)) return "all weights are 0";
  if (row.needs_positives && !(sums.positives > 0)) return "there are no positives";
  if (row.needs_negatives && !(sums.negatives > 0)) return "there are no negatives";
  return "";
}

}  // namespace

void score_values(std::span<const ScoreAsk> asks, const SweepView& sweep, int threads,
                  double* out) {
  unsigned needs = kTotalsOnly;
  for (const ScoreAsk& ask : asks) {
    const ScoreRow& row = row_of(ask);
    needs |= row.needs;
    if (row.needs_probability && sweep.size > 0) check_probabilities(ask, sweep);
  }
  // Kept for the next of many small sweeps, and not after a large one.
  constexpr std::size_t kKept = (std::size_t{1} << 20U) / sizeof(std::uint64_t);
  thread_local std::vector<std::uint64_t> kept;
  std::vector<std::uint64_t> large;
  const std::optional<SweepView> counted = whole(sweep, 2 * sweep.size > kKept ? large : kept);
  const SweepView& of = counted ? *counted : sweep;
  ScoreSums sums = sum_scores(of, needs, threads);
  thread_local std::vector<ScoreBin> bins;
  double binned = 0.0;  // by how many, so far
  for (const ScoreAsk& ask : asks) {
    const ScoreRow& row = row_of(ask);
    if ((row.needs & kBins) != 0 && ask.param != binned && sweep.size > 0) {
      sum_bins(of, static_cast<std::int64_t>(ask.param), threads, bins);
      binned = ask.param;
      sums.bins = bins;
    }
    if (!undefined_reason(row, sums, sweep).empty()) {
      *out++ = kNan;
      continue;
    }
    *out++ = tidy(row.over != nullptr ? row.over(of, sums, ask.param) : row.value(sums), row);
  }
}

double score_of_bins(const ScoreAsk& ask, std::span<const ScoreBin> bins) {
  const ScoreRow& row = row_of(ask);
  if (row.needs != kBins) throw InputError(ask.name + " is no metric of bins");
  ScoreSums sums{.bins = bins};
  for (const ScoreBin& bin : bins) sums.n += bin.n;
  return bins.empty() ? kNan : tidy(row.value(sums), row);
}

std::string score_reason(const ScoreAsk& ask, const SweepView& sweep, int threads) {
  return undefined_reason(row_of(ask), sum_scores(sweep, kTotalsOnly, threads), sweep);
}

std::pair<Int128, Int128> auc_fraction(const SweepView& sweep) {
  if (std::holds_alternative<Amounts<double>>(sweep.amounts)) {
    throw InputError("`positives` and `negatives` are weights: only counts make a fraction");
  }
  return ordered_pairs(sweep);
}

AreaVariance area_variance(const SweepView& sweep, int threads) {
  if (std::holds_alternative<Amounts<double>>(sweep.amounts) &&
      sweep.squares.positives == nullptr && sweep.size > 0) {
    throw InputError("`positives` and `negatives` are weights: a variance needs their squares");
  }
  return variance_of_area(sweep, threads);
}

}  // namespace confmat::metrics
