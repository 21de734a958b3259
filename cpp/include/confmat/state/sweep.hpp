// The state of a sweep: positives and negatives at every distinct score, or in every bin of scores
// that holds a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "confmat/scores/bin_map.hpp"
#include "confmat/state/codec.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

// Of the scores before they were read: log loss clips them by its epsilon.
enum class ScoreType : std::uint8_t { kFloat16, kFloat32, kFloat64 };

// What a sweep has an entry for.
struct Grid {
  enum class Kind : std::uint8_t { kScores, kMap, kEdges };
  Kind kind = Kind::kScores;
  BinMap map;                 // of kMap
  SharedArray<double> edges;  // of kEdges: bin n lies between number n - 1 and n of them

  // Where a bin begins: the bounds of [lower(bin), lower(bin + 1)). Needs: it has bins.
  [[nodiscard]] std::vector<double> lower(std::span<const std::uint32_t> bins,
                                          std::uint32_t after = 0) const;
  [[nodiscard]] std::size_t size() const;
  // What messages call a sweep of it.
  [[nodiscard]] std::string name() const;
  bool operator==(const Grid& other) const;
};

using ScoreArray = std::variant<SharedArray<float>, SharedArray<double>>;
// Counts of rows, or sums of float weights.
using AmountArray = std::variant<SharedArray<std::uint32_t>, SharedArray<std::uint64_t>, ExactSums>;

// Of sums of float weights: those of their squares.
struct SquareSums {
  ExactSums positives;
  ExactSums negatives;
};

struct Sweep {
  // Of the positive class, and of the other one where it is known; none: of no rows.
  SharedLabels labels = std::make_shared<const LabelSet>();
  RowTotals rows;
  ScoreType type = ScoreType::kFloat64;  // of no rows: float64
  Grid grid;
  // Whether the scores are known: always of kScores, else while no bin holds several.
  bool is_exact = true;
  SharedArray<std::uint32_t> bins;  // which, descending; of kScores: none
  ScoreArray scores =
      SharedArray<double>();  // if exact: distinct, descending; float unless of float64
  AmountArray positives;      // of each score or bin, not both 0
  AmountArray negatives;      // of the same type
  // None: the amounts are counts, or nobody has kept them.
  std::optional<SquareSums> squares = {};

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool has_weights() const noexcept { return positives.index() == 2; }
  // Also of a sweep without its entries: the one of no rows is exact.
  [[nodiscard]] bool has_rows() const { return size() > 0 || !is_exact; }
  // A row without a weight weighs 1.
  [[nodiscard]] bool knows_squares() const noexcept { return squares || !has_weights(); }
};

// The same with counts in 32 bits unless one needs more, and, of no rows, exact and of no type.
Sweep canonical(Sweep sweep);
// In bins between edges that are bounds of its own bins. Needs: it has edges; these ascend.
Sweep regrouped(const Sweep& sweep, const SharedArray<double>& edges);

// The level of unit bins; none: the grid is another one.
std::optional<unsigned> unit_level_of(const Grid& grid);
// In the bins of a level that is as coarse or coarser: exact if it was and no bins of it joined.
// Throws InputError: it has no unit bins, or coarser ones.
Sweep coarser(const Sweep& sweep, unsigned level);

// The class beside the positive one where no row has it: 0 beside 1, False beside True.
std::optional<Labels> usual_negative(const Labels& positive);
// The labels of a sweep. Throws InputError: both are the same, or of two kinds.
SharedLabels sweep_labels(const std::optional<Labels>& negative, const Labels& positive);
// Each as a set of one label.
std::optional<Labels> positive_of(const LabelSet& set);
std::optional<Labels> negative_of(const LabelSet& set);

// The state of the rows of both: exact if both are, and no bin holds two different scores. Of unit
// bins of two levels it has the coarser ones; so has a difference.
// Throws InputError: classes, bins or types of scores that differ, totals out of range.
Sweep added(const Sweep& one, const Sweep& other);

// The state of the rows of the first that are not in the other.
// Throws InputError: the same, and an entry that is larger in the other, or not in the first.
Sweep taken_away(const Sweep& one, const Sweep& other);

// Whether labels, rows left out, scores or bins and rounded amounts are the same.
bool are_same(const Sweep& one, const Sweep& other);

std::vector<std::uint8_t> encode(const Sweep& sweep);
// Throws StateError: see open_state; what no sweep has.
Sweep decode_sweep(Bytes bytes);
// Of the bytes of a sweep within another state.
using SweepReader = std::function<Sweep(Bytes)>;

}  // namespace confmat
