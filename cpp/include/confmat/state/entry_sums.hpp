// What the entries of a state hold, cells or distinct keys: how many rows, or the sum of their
// weights, and the sum of the squares of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "confmat/base/wide.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/shared_array.hpp"

namespace confmat {

struct EntrySums {
  bool has_floats = false;   // sums of float weights, in `weights`; else whole numbers, in `counts`
  bool has_squares = false;  // sums of squared weights, in `squares`
  SharedArray<std::int64_t> counts;
  ExactSums weights;
  ExactSums squares;

  [[nodiscard]] std::size_t size() const noexcept {
    return has_floats ? weights.leads.size() : counts.size();
  }
  [[nodiscard]] bool is_zero(std::size_t i) const noexcept {
    return has_floats ? weights.leads[i] == 0 : counts[i] == 0;
  }
  // As a float, rounded.
  [[nodiscard]] double value(std::size_t i) const noexcept {
    return has_floats ? weights.leads[i] : static_cast<double>(counts[i]);
  }
  // A row without a weight weighs 1.
  [[nodiscard]] bool knows_squares() const noexcept { return has_squares || !has_floats; }
  [[nodiscard]] double square(std::size_t i) const noexcept {
    return has_squares ? squares.leads[i] : value(i);
  }
};

// Both in one form: whole numbers among sums of floats become such. Squares are kept where those of
// both are known.
std::pair<EntrySums, EntrySums> in_one_form(const EntrySums& one, const EntrySums& other);

// The same entries, one after the other, rounded.
bool are_same(const EntrySums& one, const EntrySums& other);

// One entry: the sum of all.
EntrySums total_of(const EntrySums& sums);

// Sums or differences of entries in the making, one after the other.
class EntryMerge {
 public:
  enum class Operation : std::uint8_t { kAdd, kSubtract };
  static constexpr std::size_t kNone = ExactSumsBuilder::kNone;  // nothing: an entry of 0

  // Needs: both are in one form, and live as long as this.
  EntryMerge(const EntrySums& one, const EntrySums& other, Operation operation);
  void reserve(std::size_t n);
  // The next entry, of entry i of the one and j of the other. False: it would be below 0. Throws
  // InputError: it is beyond 64-bit integers.
  bool next(std::size_t i, std::size_t j);
  [[nodiscard]] bool is_last_zero() const noexcept {
    return has_floats_ ? weights_.last() == 0 : counts_.back() == 0;
  }
  void drop_last();
  // Throws InputError: the total of all that was added is out of range.
  void check_total() const;
  // Each at its place among `size` of them, all others 0.
  void spread(std::span<const std::int64_t> places, std::size_t size);
  [[nodiscard]] EntrySums take();

 private:
  bool next_count(std::size_t i, std::size_t j);
  bool next_weight(std::size_t i, std::size_t j);

  const EntrySums& one_;
  const EntrySums& other_;
  bool subtracts_;
  bool has_floats_;
  bool has_squares_;
  std::vector<std::int64_t> counts_;
  ExactSumsBuilder weights_;
  ExactSumsBuilder squares_;
  UInt128 n_ = 0;
  double total_ = 0;
};

}  // namespace confmat
