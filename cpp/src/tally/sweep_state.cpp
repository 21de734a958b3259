// The states of sweeps, made of what was counted.
#include <utility>
#include <variant>

#include "confmat/tally/sweep.hpp"
#include "confmat/tally/sweep_binned.hpp"

namespace confmat {
namespace {

AmountArray shared_amounts(Tallies&& tallies) {
  return std::visit(
      [&]<class T>(Pages<T>& pages) -> AmountArray {
        if constexpr (std::is_same_v<T, double>) {
          return ExactSums{shared_pages(std::move(pages)), {}};
        } else {
          return shared_pages(std::move(pages));
        }
      },
      tallies);
}

// Of `SweepState` or `BinnedState`, whose amounts lie in `out`.
template <class State>
void take_squares(State& state, Sweep& out) {
  if (!out.has_weights() || state.positive_squares.size() != out.size()) return;
  out.squares = SquareSums{ExactSums{shared_pages(std::move(state.positive_squares)), {}},
                           ExactSums{shared_pages(std::move(state.negative_squares)), {}}};
}

ScoreArray shared_scores(Scores&& scores) {
  return std::visit([](auto& pages) -> ScoreArray { return shared_pages(std::move(pages)); },
                    scores);
}

Sweep around(const SweptRows& rows, bool of_float64, bool half) {
  Sweep out;
  out.labels = sweep_labels(rows.negative, rows.positive);
  out.rows = {.counted = rows.n_rows - rows.n_dropped - rows.n_nan,
              .dropped = rows.n_dropped,
              .nan = rows.n_nan};
  out.type = half ? ScoreType::kFloat16 : of_float64 ? ScoreType::kFloat64 : ScoreType::kFloat32;
  return out;
}

}  // namespace

Sweep state_of(Swept&& swept, bool half) {
  SweepState& state = swept.state;
  Sweep out = around(swept.rows, state.scores.index() == 1, half);
  out.positives = shared_amounts(std::move(state.positives));
  out.negatives = shared_amounts(std::move(state.negatives));
  out.scores = shared_scores(std::move(state.scores));
  take_squares(state, out);
  return canonical(std::move(out));
}

Sweep state_of(SweptBins&& swept, BinMap map, SharedArray<double> edges, bool half) {
  BinnedState& state = swept.state;
  Sweep out = around(swept.rows, swept.of_float64, half);
  out.positives = shared_amounts(std::move(state.positives));
  out.negatives = shared_amounts(std::move(state.negatives));
  out.grid.kind = edges.empty() ? Grid::Kind::kMap : Grid::Kind::kEdges;
  if (edges.empty()) out.grid.map = map;
  out.grid.edges = std::move(edges);
  out.bins = shared_pages(std::move(state.bins));
  out.is_exact = state.scores.has_value();
  if (state.scores) out.scores = shared_scores(std::move(*state.scores));
  take_squares(state, out);
  return canonical(std::move(out));
}

}  // namespace confmat
