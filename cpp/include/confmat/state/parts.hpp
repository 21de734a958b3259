// Many saved states as entries of their sum: what each part of some rows adds to each cell of a
// matrix, or to each score of a sweep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "confmat/state/counts.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Cells that are not 0, part after part.
struct PartCells {
  std::vector<std::int64_t> parts;   // ascending
  std::vector<std::int64_t> places;  // in the whole: true class * K + predicted class
  std::vector<double> cells;
};

// Scores or bins that hold rows, part after part.
struct PartScores {
  std::vector<std::int64_t> parts;   // ascending
  std::vector<std::int64_t> places;  // of the same score or bin in the whole
  std::vector<double> positives;
  std::vector<double> negatives;
};

// Throws StateError: bytes that are no matrix. InputError: a label that the whole has not.
PartCells cells_of_parts(const Counts& whole, std::span<const Bytes> parts);
// Throws StateError: bytes that are no sweep. InputError: a score that the whole has not.
PartScores scores_of_parts(const Sweep& whole, std::span<const Bytes> parts);

}  // namespace confmat
