// Bytes that lie in columns between two expressions: binned sweeps.
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "mutate.hpp"
#include "plugin_requests.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_values(const BinnedScores& scores) {
  static const std::vector<metrics::ScoreAsk> asks = {
      metrics::parse_score("roc_auc"), metrics::parse_score("average_precision"),
      metrics::parse_score("ks"), metrics::parse_score("eer")};
  double values[4];
  metrics::score_values(asks, scores.view(), 1, values);
  for (const double value : values) require(!(value < 0 || value > 1), "areas lie in [0, 1]");
  require(scores.n() >= 0 && scores.n_dropped() >= 0, "counts are not negative");
  require(!(scores.auc_error() < 0), "bounds are not crossed");
}

void run_binned(std::span<const std::uint8_t> bytes) {
  try {
    BinnedScores scores;
    scores.read(text_of(bytes));
    const auto again = scores.bytes();
    BinnedScores same;
    same.read(text_of(again));
    require(same.bytes() == again, "what is written is read as it was");
    read_values(scores);
    std::vector<std::string_view> states = {text_of(bytes), text_of(again), text_of(bytes)};
    same.merge(states);
    read_values(same);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

template <class A>
Bytes binned(const std::vector<double>& values, const std::vector<A>& positives,
             const std::vector<A>& negatives, std::uint8_t map) {
  metrics::SweepView view;
  view.size = values.size();
  view.scores = values.data();
  view.amounts = metrics::Amounts<A>{positives.data(), negatives.data()};
  BinnedScores scores;
  scores.assign(view, 3, BinMap::of_code(map).value());
  return scores.bytes();
}

std::vector<Bytes> binned_seeds() {
  const std::vector<double> scores = {HUGE_VAL, 0.75, 0.5, 0.4999999, 0.0, -3.5, -HUGE_VAL};
  const std::vector<std::uint64_t> positives = {1, 0, 2, std::uint64_t{1} << 50U, 0, 0, 1};
  const std::vector<std::uint64_t> negatives = {0, 5, 0, 1, 1, std::uint64_t{1} << 62U, 2};
  const std::vector<double> up = {0.5, 0, 1e-3, 2, 0, 0, 1e100};
  const std::vector<double> down = {0, 1, 0, 0.25, 1, 3, 0};
  std::vector<Bytes> out;
  for (const std::uint8_t map : std::vector<std::uint8_t>{1, 4, 16, 17, 18}) {
    out.push_back(binned(scores, positives, negatives, map));
    out.push_back(binned(scores, up, down, map));
  }
  out.push_back(binned<std::uint64_t>({}, {}, {}, 16));
  return out;
}

const Target kBinned("binned_states", run_binned, binned_seeds);

}  // namespace
}  // namespace confmat::fuzz
