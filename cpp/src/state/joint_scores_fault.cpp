// Compares the rows of each bin and class, as a sweep has them, with those of the cells.
#include "joint_scores_fault.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

// Rows of a bin and class: truth * K + bin, ascending; none is 0.
struct BinTotal {
  std::int64_t at;
  std::uint64_t rows;
  bool operator==(const BinTotal&) const = default;
};
using Totals = std::vector<BinTotal>;

Totals totals_of(const Sweep& sweep, unsigned level) {
  const Sweep joined = coarser(sweep, level);
  const auto k = static_cast<std::int64_t>(joint_bins(level)->size());
  const auto bins = joined.bins.view();
  Totals out;
  for (const bool positive : {false, true}) {
    std::visit(
        [&]<class Array>(const Array& amounts) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            for (std::size_t i = bins.size(); i-- > 0;) {
              if (amounts[i] != 0) out.push_back({(positive ? k : 0) + bins[i], amounts[i]});
            }
          }
        },
        positive ? joined.positives : joined.negatives);
  }
  return out;
}

Totals totals_of(const Joint& joint, Model model) {
  const auto k = static_cast<std::int64_t>(joint.k());
  Totals all;
  all.reserve(joint.places.size());
  for (const auto [first, last] : Strides(joint.places.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t place = joint.places[i];
      const std::int64_t bin = model == Model::kA ? place / k % k : place % k;
      all.push_back({place / k / k * k + bin, static_cast<std::uint64_t>(joint.cells.counts[i])});
    }
  }
  std::ranges::sort(all, {}, &BinTotal::at);
  Totals out;
  for (const BinTotal& one : all) {
    if (out.empty() || out.back().at != one.at) out.push_back({one.at, 0});
    out.back().rows += one.rows;
  }
  return out;
}

bool is_in_bins_within(const Sweep& sweep, unsigned level) {
  const auto own = unit_level_of(sweep.grid);
  return sweep.size() == 0 || (own && *own <= level);
}

}  // namespace

std::optional<std::string> fault_of(const JointScores& scores) {
  const Joint& bins = scores.bins;
  const auto k = static_cast<std::int64_t>(bins.k());
  if (bins.cells.has_squares && !bins.cells.has_floats) return "squares of counts";
  if (bins.rows.counted != scores.rows.counted) return "its cells are of other rows";
  if (!bins.places.empty() && bins.places[bins.places.size() - 1] >= 2 * k * k) {
    return "a cell of a third class";
  }
  if (*scores.a.labels != *scores.b.labels) return "its sweeps are of other classes";
  for (const auto& [sweep, model] :
       {std::pair{&scores.a, Model::kA}, std::pair{&scores.b, Model::kB}}) {
    const RowTotals of_sweep{.counted = scores.rows.counted};
    if (!is_in_bins_within(*sweep, scores.level)) return "a sweep without such bins";
    if (sweep->rows != of_sweep) return "its sweeps are of other rows";
    if (sweep->size() > 0 && (sweep->has_weights() != bins.cells.has_floats ||
                              sweep->squares.has_value() != bins.cells.has_squares)) {
      return "weights of its sweeps";
    }
    if (sweep->size() == 0 && bins.cells.size() > 0) return "a sweep of no rows";
    if (sweep->size() > 0 && !bins.cells.has_floats &&
        totals_of(*sweep, scores.level) != totals_of(bins, model)) {
      return "its cells are of other rows than its sweeps";
    }
  }
  return std::nullopt;
}

}  // namespace confmat
