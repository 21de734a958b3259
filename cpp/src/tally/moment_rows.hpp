// Blocks of rows, read from columns, to the sums of a group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "confmat/batch/gather.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/tally/moments.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "exact_terms.hpp"
#include "moment_sums.hpp"
#include "number_reader.hpp"
#include "pair_moments.hpp"
#include "power_sums.hpp"

namespace confmat {

struct NumberPair {
  double truth, prediction;
};
static_assert(sizeof(NumberPair) == 2 * sizeof(double));

// What one thread needs for it, whatever group it adds to.
class MomentRows {
 public:
  // `like`: sums of the same terms.
  MomentRows(const MomentSums& like, bool nan_drop);

  // A column as it lies, from a row on.
  struct Part {
    const Column* column = nullptr;
    std::int64_t at = 0;
  };
  // Adds n rows; `weight` is looked at where the sums have weights, `first_row` is for messages.
  // Throws InputError: see moments_of.
  void add(MomentSums& to, Part y_true, Part y_pred, Part weight, std::int64_t n,
           std::int64_t first_row);
  // Adds n rows without weights, whose numbers lie side by side, and returns how many: not from the
  // block on that has one which may not count.
  std::int64_t add_pairs(MomentSums& to, const NumberPair* pairs, std::int64_t n);

 private:
  static constexpr std::size_t kRows = kExactTerms;  // of a block
  struct alignas(64) Rooms {
    Block truth, prediction, weight;                       // where rows are copied to
    Block distance, distance_low, first, second, of_term;  // and what is made of them
    std::array<std::uint16_t, kRows> dropped;              // 1: a row with a null
    Scratch scratch;
  };

  void add_block(MomentSums& to, const Part& y_true, const Part& y_pred, const Part& weight,
                 std::size_t n, std::int64_t first_row);
  std::size_t kept(Moments& head, const double* y, const double* p, const Part& weights,
                   std::size_t n, std::int64_t first_row);
  void add_rows(MomentSums& to, const double* y, const double* p, const double* w, std::size_t n,
                const PairBounds& bounds);
  void add_weighted(Moments& head, const double* y, const double* p, const double* w,
                    std::size_t n);
  void add_term(MomentSums& to, std::size_t term, const double* y, const double* p, const double* w,
                std::size_t n);

  bool nan_drop_;
  std::unique_ptr<Rooms> rooms_;
  std::unique_ptr<PowerSums> powers_;   // null: they are not asked for
  std::unique_ptr<PairMoments> pairs_;  // null: there are weights
  ExactTerms terms_;
  NumberReader truth_, prediction_;
  WeightReader weight_;
};

}  // namespace confmat
