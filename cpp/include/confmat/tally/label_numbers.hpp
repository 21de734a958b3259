// Labels of very many classes: blocks of a column read as 32-bit numbers of labels, in the order
// these were met or were given. One set and its readers serve one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "confmat/batch/whole_numbers.hpp"
#include "confmat/tally/class_reader.hpp"

namespace confmat {

// Pairs of classes then have codes below 2^62.
inline constexpr std::int64_t kMostNumbers = (std::int64_t{1} << 31) - 1;

struct LabelNumbers {
  static constexpr std::uint32_t kOther = UINT32_MAX;  // as IntSet and TextSet say it
  static constexpr std::uint32_t kNull = UINT32_MAX - 1;

  // Labels are added as they come, or are those of a fixed set.
  // Throws InputError: a label twice, a text above 64 KiB, more than kMostNumbers.
  explicit LabelNumbers(Labels::Kind kind) : kind_(kind) {}
  explicit LabelNumbers(const Labels& fixed);

  [[nodiscard]] bool grows() const noexcept { return grows_; }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return kind_ == Labels::Kind::kText ? texts.size() : ints.size();
  }

  IntSet ints;
  TextSet texts;

 private:
  Labels::Kind kind_;
  bool grows_ = true;
};

class NumberReader {
 public:
  // `argument` names the column in errors.
  NumberReader(const char* argument, LabelNumbers& set, Scratch& scratch) noexcept
      : place_{argument}, set_(set), scratch_(scratch), words_(argument, scratch) {}

  // Begins a chunk; `first_row` is that of its first value in the whole column.
  // Needs: the chunk can hold labels of the set's kind.
  void start(const Column& chunk, std::int64_t first_row);

  // Writes the numbers of the labels of rows at ... at + n - 1 of the chunk. Needs: n <= kBlock.
  // Throws InputError as ClassReader::read, and for more than kMostNumbers labels.
  void read(std::int64_t at, std::size_t n, std::uint32_t* numbers);

  // The label in row `at` of the chunk. Needs: not null; read() has passed over it.
  [[nodiscard]] std::string display(std::int64_t at) const { return words_.display(at); }

 private:
  void read_ints(std::int64_t at, std::size_t n, std::uint32_t* numbers);
  void read_texts(std::int64_t at, std::size_t n, std::uint32_t* numbers);
  void read_cells(std::int64_t at, std::size_t n, std::uint32_t* numbers);
  void read_keys(std::int64_t at, std::size_t n, std::uint32_t* numbers);
  std::uint32_t number_of_text(const TextSource& texts, std::int64_t at);
  std::uint32_t number_of_key(std::int64_t at);

  Place place_;
  LabelNumbers& set_;
  Scratch& scratch_;
  ClassReader words_;  // of the labels as texts
  ClassSet none_;      // the classes that it knows
  const Column* chunk_ = nullptr;
  TextSource texts_;                          // of the column, or of its dictionary
  std::vector<std::uint32_t> number_of_key_;  // one an entry
  std::unique_ptr<WholeBlock> whole_;         // of floats
};

}  // namespace confmat
