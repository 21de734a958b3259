// Reads blocks of one column as classes of a ClassSet: values are read once, nulls become the null
// class, unknown labels the class "other". Never modifies the set; one reader serves one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "confmat/tally/cell_reader.hpp"
#include "confmat/tally/int_reader.hpp"
#include "confmat/tally/text_reader.hpp"

namespace confmat {

class ClassReader {
 public:
  // `argument` names the column in errors.
  ClassReader(const char* argument, Scratch& scratch) noexcept
      : argument_(argument), kernels_(kernels()), ints_(scratch), keys_(scratch) {}

  // Begins a chunk, or goes on with the same chunk after the set has got other classes.
  // `first_row` is the row of the chunk's first value in the whole column, for errors.
  // Needs: the chunk can hold labels of the set's kind.
  void start(const Column& chunk, const ClassSet& set, std::int64_t first_row);

  // Writes the classes of rows at ... at + n - 1 of the chunk. Returns whether one of them is
  // "other". Needs: n <= kBlock; `width` is at least that of the set.
  // Throws InputError naming the row: not a whole number, a key beyond its dictionary, a text
  // beyond 64 KiB.
  bool read(std::int64_t at, std::size_t n, ClassWidth width, void* classes);

  // Widens `extremes` to the valid values of the rows. Needs: no text column.
  void widen(std::int64_t at, std::size_t n, Extremes& extremes);

  // The label in row `at` of the chunk. Needs: not null; read() has passed over it.
  [[nodiscard]] std::int64_t int_label(std::int64_t at) const { return ints_.label(at); }
  // Good until the next one is asked for.
  [[nodiscard]] std::string_view text_label(std::int64_t at) const;
  [[nodiscard]] std::string display(std::int64_t at) const;

 private:
  const char* argument_;
  const Kernels& kernels_;
  const Column* chunk_ = nullptr;
  const ClassSet* set_ = nullptr;
  IntReader ints_;
  TextReader texts_;
  CellReader cells_;
  KeyReader keys_;
};

}  // namespace confmat
