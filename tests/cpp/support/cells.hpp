// States of confusion matrices from their cells, and back.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "confmat/state/counts.hpp"

namespace confmat::host {

inline Counts counts_of(const Labels& labels, std::vector<std::int64_t> cells,
                        Origin origin = Origin::kFound, std::uint32_t positive = 0) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{labels, origin, positive});
  out.rows.counted = 0;
  for (const auto cell : cells) out.rows.counted += cell;
  out.cells = std::move(cells);
  return out;
}

inline std::vector<std::int64_t> cells_of(const Counts& counts) {
  return {counts.cells.view().begin(), counts.cells.view().end()};
}

}  // namespace confmat::host
