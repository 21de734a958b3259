// Classes for labels nobody has named: a guess from the first rows that widens whenever a block
// holds another label, from a window of integers to a hash table. No pass of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {

// How many classes fit tables of `max_bytes` with cells of `cell_bytes`; at most kMostClasses.
std::int64_t most_classes(std::int64_t max_bytes, std::int64_t cell_bytes) noexcept;

// How many classes are worth a table for so many rows: where it has more than 8 bytes a row, or 32
// if it is small, it costs more than codes that are sorted.
std::int64_t most_dense_classes(std::int64_t max_bytes, std::int64_t cell_bytes,
                                std::int64_t rows) noexcept;

class Discovery {
 public:
  // `rows`: how many will be read, a bound on the effort for wide tables. `most`: classes allowed;
  // `most_in_window`: of integers, before a hash table is tried.
  Discovery(Labels::Kind kind, std::int64_t rows, std::int64_t most,
            std::int64_t most_in_window = kMostClasses);

  [[nodiscard]] const ClassSet& set() const noexcept { return set_; }

  // Integers only: chooses new classes that cover what was seen before and `seen`, at first a
  // window, later a hash table.
  void cover(const Extremes& seen);

  // Hash tables only: false if the label is new and there is no room for it.
  bool add(std::int64_t label) { return has_room(label, set_.ints); }
  bool add(std::string_view label) { return has_room(label, set_.texts); }

  // Makes room for more labels; false if there is no more to be had, or if so many new ones among
  // the first `values` tell that there would not be enough.
  bool enlarge(std::int64_t values = INT64_MAX) noexcept;

 private:
  template <class Label, class Set>
  bool has_room(Label label, Set& set) {
    if (set.size() < set_.classes) return set.add(label), true;
    return set.find(label) != Set::kAbsent;
  }
  bool fit_window(std::uint64_t width, std::int64_t least, std::int64_t most);
  void become_table();

  ClassSet set_;
  Extremes seen_;
  std::int64_t rows_;
  std::int64_t most_;
  std::int64_t most_in_window_;
};

}  // namespace confmat
