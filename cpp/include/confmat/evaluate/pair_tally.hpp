// The table of one group whose labels are not known beforehand, from the codes of its pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/pair_dictionary.hpp"

namespace confmat {

// The code of a row (of a pair, or see tally/encode.hpp) and its weight: 128 bits, as one Int128.
struct WeightedCode {
  double weight;
  std::uint64_t code;
};

// Collects the pairs of one group after the other. Reused: it allocates only for more distinct
// pairs than it has seen.
class PairTally {
 public:
  // Needs: `pairs` outlives it.
  explicit PairTally(const PairReading& pairs);
  ~PairTally();

  void add(std::span<const std::uint32_t> codes);
  // A group has rows with weights or rows without. Throws InputError for a weight that is none and
  // for codes beyond 32 bits; rows with a null need no weight.
  void add(std::span<const WeightedCode> rows);
  void add_null() noexcept { ++n_dropped_; }
  // Everything that `other` has counted. Needs: no weights.
  void add(const PairTally& other);

  // Looks up what was added. The categories of the Enum that the labels are of: then the group is
  // taken by take_known(), else, where it is null, by take(). Throws InputError for a code that
  // nobody knows, and for labels of two kinds.
  const Categories* resolve();
  // How many rows of the group have labels, with weights or without.
  [[nodiscard]] std::int64_t rows() const;
  // The table of what was added, of weights with their squares if wanted, a list where
  // few cells hold something; starts anew. Needs: resolve() was null.
  GroupTable take(bool weighted, bool squares = false);
  // The rows as codes of the labels that they have (see tally/encode.hpp), with their weights;
  // starts anew. Rows with a null come last. Needs: resolve() was null, weights.
  Labels take_found(std::vector<WeightedCode>& rows);
  // The rows as codes of the categories (see tally/encode.hpp), with their weights or with 0;
  // starts anew. Rows with a null come last. Needs: resolve() was not null.
  void take_known(std::vector<WeightedCode>& rows);
  // The same as a histogram of (K + 2)^2 cells, of rows without weights.
  void take_known(std::span<std::int64_t> cells);

 private:
  struct Impl;
  void start_anew();

  std::unique_ptr<Impl> impl_;
  std::int64_t n_dropped_ = 0;
};

}  // namespace confmat
