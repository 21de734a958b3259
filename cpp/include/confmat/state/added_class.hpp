// A class that no row has, among labels that were found: where it is, and where their cells go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/batch/labels.hpp"

namespace confmat {

class AddedClass {
 public:
  // Puts the one label of `one` among others, which ascend. Needs: it is none of them, but of their
  // kind.
  AddedClass(Labels& found, const Labels& one);

  // Where a cell of the table goes, row by row.
  [[nodiscard]] std::int64_t moved(std::int64_t place) const noexcept {
    const std::int64_t i = place / k_, j = place % k_;
    return (i + (i >= at_ ? 1 : 0)) * (k_ + 1) + j + (j >= at_ ? 1 : 0);
  }
  [[nodiscard]] std::vector<std::int64_t> moved(std::span<const std::int64_t> places) const {
    std::vector<std::int64_t> out;
    out.reserve(places.size());
    for (const std::int64_t place : places) out.push_back(moved(place));
    return out;
  }
  // All cells of the table, beside those of the class, which are 0.
  template <class T>
  [[nodiscard]] std::vector<T> widened(std::span<const T> cells) const {
    std::vector<T> out(static_cast<std::size_t>((k_ + 1) * (k_ + 1)));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out[static_cast<std::size_t>(moved(static_cast<std::int64_t>(i)))] = cells[i];
    }
    return out;
  }

 private:
  std::int64_t k_, at_ = 0;  // classes before, the place of the one
};

}  // namespace confmat
