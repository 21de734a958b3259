// Sums over an n x K table of probabilities: log loss, Brier score, ranks of the true class, soft
// matrix. One pass over the rows with every check; any strides. The sums do not depend on the
// number of threads. Glenn W. Brier (1950); ranks as in top-k accuracy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"

namespace confmat {

// Rows without a class (a code that is not below K) are passed over and not looked at.
struct ProbabilityTable {
  std::span<const Column> columns;         // K of float32 or float64, all n long, no nulls
  std::span<const std::uint16_t> classes;  // n, see class_codes()
  std::span<const double> weights;         // n, finite and not negative; or none
};

struct ProbabilityOptions {
  double tolerance = 1e-5;  // of |sum of a row - 1|
  double clip = 0;          // probabilities are moved into [clip, 1 - clip] before their logarithm
  bool soft = false;        // whether the soft matrix is wanted
  int threads = 0;          // 0: one per core
};

// How many other classes stand before the true one, when equal probabilities are ordered so.
enum class Ties : std::uint8_t { kBest, kFirst, kLast, kWorst };
inline constexpr std::size_t kTies = 4;

struct ProbabilitySums {
  std::int64_t n_rows = 0;     // with a class
  std::int64_t n_clipped = 0;  // the probability of the true class was below `clip`
  double weight = 0;
  double log_loss = 0;  // sum of -weight * ln p(true class); infinite at p = 0 without clip
  double brier = 0;     // sum of weight * sum over classes of (p - [is true])^2
  std::vector<double>
      losses[2];  // these two sums exactly, as parts: rounded, what that leaves, ...
  std::vector<double> class_weights;  // K
  std::vector<double> ranks;          // 4 x K, a row for each of Ties: weight of the rows by rank
  std::vector<double> soft;           // K x K or none: weighted probabilities by true class
  // Of the first row with a value outside [0, 1] or a sum that is not 1; empty without one. Then
  // what needs probabilities (n_clipped, log_loss, brier, soft) is of no use, and the rest is.
  std::string not_probabilities;
};

// Throws InputError: nan, with its row; weights of a class whose sum is beyond what products of two
// of these can hold.
// Needs: equal lengths, less than 65 534 columns.
ProbabilitySums sum_probabilities(const ProbabilityTable& table, const ProbabilityOptions& options);

// The class predicted for each row when the k most probable classes may be named: the true class
// where it is among them, else the most probable one. Ties: kFirst or kLast of equal columns comes
// first. Rows without a class keep their code. k = 1: the most probable class.
Pages<std::uint16_t> predict_top_k(const ProbabilityTable& table, std::int64_t k, Ties ties,
                                   int threads);

}  // namespace confmat
