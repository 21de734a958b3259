// Pairs of labels that nobody has named, as codes (see pair_dictionary.hpp): what a thread has met
// it keeps, so that the dictionary is asked once for each pair.
#pragma once

#include <cstdint>
#include <memory>

#include "confmat/batch/column.hpp"
#include "confmat/evaluate/pair_dictionary.hpp"

namespace confmat {

class PairCoder {
 public:
  explicit PairCoder(PairDictionary& dictionary);
  ~PairCoder();
  PairCoder(PairCoder&&) noexcept;
  PairCoder& operator=(PairCoder&&) noexcept;

  // Writes one code a row. The columns are one run of equal length; one of length 1 stands for
  // every row of the other. `first_row` is the row of the first value, for errors.
  // Throws InputError: texts beside integers, a label that is none, and labels that are almost all
  // different, as identifiers are.
  void encode(const Column& y_true, const Column& y_pred, std::int64_t first_row,
              std::uint32_t* codes);
  // The same for two columns of one Enum, whose rows with a null have null_code().
  void encode(const Column& y_true, const Column& y_pred, std::int64_t first_row,
              const Categories& categories, std::uint32_t* codes);
  [[nodiscard]] std::uint32_t null_code(const Categories& categories);

  // That of this thread, with the dictionary of this process.
  static PairCoder& own();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace confmat
