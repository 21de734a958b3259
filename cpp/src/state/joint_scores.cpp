// Puts the scores of two models together, adds them and takes them away.
#include "confmat/state/joint_scores.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "confmat/base/error.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "joint_levels.hpp"
#include "joint_scores_fault.hpp"

namespace confmat {
namespace {

void require_rows(const RowTotals& rows, const JointCells& cells) {
  const std::size_t n = cells.positive.size();
  const auto is_bin = [](std::uint32_t bin) { return bin < unit_size(); };
  const auto is_class = [](std::int32_t code) { return code == 0 || code == 1; };
  const auto is_amount = [](auto amount) {
    return amount > 0 && static_cast<double>(amount) <= std::numeric_limits<double>::max();
  };
  const bool are_amounts = std::visit(
      [&](auto of) { return of.size() == n && std::ranges::all_of(of, is_amount); }, cells.amounts);
  if (cells.a.size() != n || cells.b.size() != n || !are_amounts ||
      !std::ranges::all_of(cells.a, is_bin) || !std::ranges::all_of(cells.b, is_bin) ||
      !std::ranges::all_of(cells.positive, is_class) || rows.dropped < 0 || rows.nan < 0) {
    throw InputError("bins, classes and amounts of rows do not go together");
  }
}

// Of each by itself; of float weights the squares too.
EntrySums sums_of(const JointCells& cells) {
  EntrySums out;
  if (const auto* const counts = std::get_if<0>(&cells.amounts)) {
    out.counts = std::vector(counts->begin(), counts->end());
    return out;
  }
  out.has_floats = out.has_squares = true;
  ExactSumsBuilder weights, squares;
  for (const double weight : std::get<1>(cells.amounts)) {
    weights.add(weight);
    squares.add(weight * weight);
  }
  out.weights = weights.take();
  out.squares = squares.take();
  return out;
}

Joint at_level(const JointScores& scores, unsigned level) {
  if (level == scores.level) return scores.bins;
  const Coarser join(scores.level, level);
  const auto& [labels, rows, places, cells] = scores.bins;
  Joint out = cells_at(level, places.size(), cells,
                       [&places = places, &join](std::size_t i) { return join(places[i]); });
  out.rows = rows;
  return out;
}

// Joins the cells to so few as a state has.
void coarsen(JointScores& scores) {
  const auto places = scores.bins.places.view();
  if (places.size() <= kMostJointCells) return;
  const unsigned level = fitting_level(places.size(), scores.level, [&](unsigned to) {
    return [places, join = Coarser(scores.level, to)](std::size_t i) { return join(places[i]); };
  });
  scores.bins = at_level(scores, level);
  scores.level = level;
}

template <class Operation>
JointScores joined(const JointScores& one, const JointScores& other, const Operation& operation) {
  JointScores out{operation(one.rows, other.rows),
                  operation(one.a, other.a),
                  operation(one.b, other.b),
                  std::max(one.level, other.level),
                  {}};
  out.bins = operation(at_level(one, out.level), at_level(other, out.level));
  coarsen(out);
  return out;
}

}  // namespace

const SharedLabels& joint_bins(unsigned level) {
  static const auto kBins = [] {
    std::array<SharedLabels, kMostUnitLevel + 1> out;
    for (unsigned of = 0; of < out.size(); ++of) {
      Labels labels{Labels::Kind::kInt, {}, {}};
      labels.ints.resize(unit_level(of).size);
      std::iota(labels.ints.begin(), labels.ints.end(), 0);
      out[of] = std::make_shared<const LabelSet>(LabelSet{std::move(labels), Origin::kGiven, 0});
    }
    return out;
  }();
  return kBins[level];
}

JointScores joint_scores_of(const RowTotals& rows, Sweep a, Sweep b, const JointCells& cells) {
  require_rows(rows, cells);
  JointScores out{rows, std::move(a), std::move(b), 0, {}};
  for (Sweep* const sweep : {&out.a, &out.b}) sweep->rows = {.counted = sweep->rows.counted};
  const EntrySums sums = sums_of(cells);
  const auto at = [&](unsigned level) {
    return [&cells, join = Coarser(0, level)](std::size_t i) {
      return join(cells.positive[i], cells.a[i], cells.b[i]);
    };
  };
  const std::size_t n = cells.positive.size();
  out.level = fitting_level(n, 0, at);
  std::optional<Joint> few;
  if (!sums.has_floats) few = few_cells_at(out.level, sums, at(out.level));
  out.bins = few ? *std::move(few) : cells_at(out.level, n, sums, at(out.level));
  out.bins.rows.counted = rows.counted;
  if (const auto fault = fault_of(out)) throw InputError("not scores of the same rows: " + *fault);
  return out;
}

JointScores added(const JointScores& one, const JointScores& other) {
  return joined(one, other, [](const auto& x, const auto& y) { return added(x, y); });
}

JointScores taken_away(const JointScores& one, const JointScores& other) {
  return joined(one, other, [](const auto& x, const auto& y) { return taken_away(x, y); });
}

bool are_same(const JointScores& one, const JointScores& other) {
  return one.rows.dropped == other.rows.dropped && one.rows.nan == other.rows.nan &&
         are_same(one.a, other.a) && are_same(one.b, other.b) && one.level == other.level &&
         are_same(one.bins, other.bins);
}

}  // namespace confmat
