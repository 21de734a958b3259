// Histogram of pair codes (see encode.hpp): the fastest counting loop for the number of classes,
// with narrow counters that are added to the 64-bit cells before they can overflow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/tally/encode.hpp"

namespace confmat {

class CodeHistogram {
 public:
  // For codes of `classes` classes, so below (classes + 2)^2. With `foreign` codes of any value
  // are safe and make take() fail. `rows`: how many codes will come, if it is known.
  explicit CodeHistogram(std::uint32_t classes, bool foreign = false, std::int64_t rows = 0);

  // Rows by their classes, of code_width(classes + 2) bits. `codes`: room for the codes of n rows.
  void add(const void* truth, const void* prediction, std::size_t n, void* codes,
           const Ahead& ahead);
  // Needs: every code below (classes + 2)^2 unless `foreign`. `ahead`: what the caller reads next.
  void add(const void* codes, std::size_t n, const Ahead& ahead = {});

  // Moves the counts, (classes + 2)^2 of them, to `cells`. False: some code was beyond the table.
  bool take(std::vector<std::int64_t>& cells);

 private:
  void add_pairs(const std::uint8_t* codes, std::size_t n, const Ahead& ahead);
  void add_classes();
  void count_one(std::size_t code, std::int64_t rows) noexcept;
  void flush();
  void add_tables();

  const Kernels& kernels_;
  CodeWidth width_;
  std::size_t size_;            // (classes + 2)^2
  std::size_t table_size_ = 0;  // counters of one narrow table
  int lanes_ = 1;               // narrow tables side by side
  bool two_at_once_ = false;    // counters of pairs of neighbouring 8-bit codes
  bool inside_ = true;          // no code beyond the table so far
  std::uint32_t classes_;
  std::vector<std::uint64_t> of_classes_;  // counters of TallyClasses; empty without it
  Kernels::TallyFew few_ = nullptr;
  std::array<std::uint8_t, 16> live_{};
  std::array<std::int64_t, 16> few_counts_{};
  std::vector<std::uint32_t> tables_;
  std::uint64_t pending_ = 0;  // codes in the narrow tables
  std::vector<std::int64_t> cells_;
};

}  // namespace confmat
