// A table made ready for formulas: margins, the one-vs-rest cells of every class, and the spectra,
// each computed at most once per table. One of these lives per thread; loading the next table
// reuses its memory. Margins cost O(k^2), spectra O(k^3) and only when asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "confmat/base/wide.hpp"
#include "confmat/linalg/determinant.hpp"
#include "confmat/metrics/number.hpp"
#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {

// Which numbers give exact sums and products for this table.
enum class Kit : std::uint8_t {
  kFast,   // counts with k n <= 2^25: doubles hold every polynomial of degree 2
  kExact,  // counts with n < 2^63: 128-bit integers do
  kReal,   // weights, smoothed or larger counts: doubles, rounded
};

// The four cells of one class against the rest, a column of classes at a time.
template <class T>
struct Columns {
  const T* tp;
  const T* fp;
  const T* fn;
  const T* tn;

  Columns from(std::int64_t i) const { return {tp + i, fp + i, fn + i, tn + i}; }
};

// The determinant of a matrix of a table.
struct SpectralDet {
  linalg::Det det;
  std::optional<double> log_abs;  // where it has more digits than the determinant
  bool hidden = false;            // taken as 0, as rounding hides its sign
};

// Weights as whole multiples of a power of two, or counts: sums, differences and products of two
// are exact.
struct WholeTable {
  int unit = 0;  // of the cells as scaled
  Whole n, trace;
  Whole single;  // one row: 0 where that is less than the unit, and at most 2^kMostWholeBits
  std::vector<Whole> row, col;
  std::vector<Whole> tp, fp, fn, tn;
};

// The cells of a sparse table that hold something: those of row i are starts[i] ... starts[i + 1].
struct Filled {
  std::vector<std::size_t> starts;     // k + 1
  std::vector<std::uint32_t> columns;  // ascending in each row
};

struct KnownSlopes;  // see gradient_view.hpp

// All cells of so many classes fit the memory that a table may take: 1 GiB.
inline constexpr std::int64_t kMostTableClasses = 11585;
// Of more than so many, where a list may be kept, the weight outside a row and a column is exact.
inline constexpr std::int64_t kManyClasses = 64;
inline constexpr std::size_t kListedShare = 8;  // where at most one cell in so many has something

class Margins {
 public:
  // `full` keeps every class; `load_kept` drops those absent from both sides.
  void load(const Table& table, double smoothing);
  bool has_absent() const;
  void load_kept(Margins& full);

  std::int64_t k = 0;
  Kit kit = Kit::kFast;
  double n = 0.0, trace = 0.0;
  std::int64_t n_count = 0, trace_count = 0;
  // Weights are divided by a power of two when their total is extreme; counts never.
  double scale = 1.0;
  std::vector<double> row, col, diag;
  std::vector<std::int64_t> row_count, col_count, diag_count;

  Columns<double> columns();
  Columns<std::int64_t> column_counts();
  // Whether `column_counts` may be used: counts, and for two classes of any size.
  bool countable() const { return kit != Kit::kReal || two_counts_; }

  // Whether (k - 1) n is below 2^63, for counts: then pooled cells are 64-bit integers, and 128
  // bits hold their products, and products of margins times distances of classes squared.
  bool spread_fits() const {
    return k < 2 || n_count <= std::numeric_limits<std::int64_t>::max() / (k - 1);
  }

  // Whether 128 bits hold 4 k^2 n^2, for counts.
  bool fourfold_fits() const {
    return kit != Kit::kReal && n_count <= (std::int64_t{1} << 61) / (k > 1 ? k : 1);
  }

  // Sparse tables.
  bool is_sparse() const { return sparse_; }
  const Filled& filled() const { return filled_; }
  const double* filled_cells();                                  // in the order of filled()
  const std::int64_t* filled_counts() const { return counts_; }  // Not for kReal.
  // The sum of row * col over the cells that hold nothing, of tables, too. Counts: not for kReal;
  // of tables cells() must have been asked for.
  double empty_margins();
  Int128 empty_margin_counts() const;
  // Over all cells, |i - j|^power row col, from the margins alone. Counts: needs spread_fits().
  double margins_by_gaps(int power) const;
  Int128 margin_counts_by_gaps(int power) const;
  // Whether cells() and cell_counts() may be asked for.
  bool has_table() const { return !sparse_ || k <= kMostTableClasses; }

  // All k * k cells. Needs: has_table().
  const double* cells();
  // Of counts and of weights as they were given; null for small counts, of very many classes, and
  // where the sizes of weights are too far apart.
  WholeTable* whole();
  // Its k * k cells. Needs: whole() is not null. Of so many classes those of counts would take more
  // than 150 MB; they are in cell_counts(), too.
  static constexpr std::int64_t kMostWholeClasses = 1024;
  const Whole* whole_cells();
  // Gives memory back that small tables do not need.
  void forget_large() noexcept;
  const std::int64_t* cell_counts();
  // n - trace without its cancellation: weights off the diagonal are summed. Not for kExact.
  double wrong();

  // The normalised matrix M = C[i,j] / sqrt(r[i] c[j]), 0 where a margin is empty.
  // Its determinant is 0 only if M is singular, or if rounding hides the sign (see `hidden`).
  const SpectralDet& det();
  double log_abs_det();
  const SpectralDet& power_det(double p);  // M with the power mean of C/r and C/c
  double canonical_correlation();
  std::span<const double> singular_values();
  // B = (P + P') / 2 of the row-stochastic P; its eigenvalues, descending.
  std::span<const double> eigenvalues();
  std::span<const double> eigenvectors();  // of these, each a row
  std::span<const double> inverse();       // of the cells
  // Finds the eigenvectors with the eigenvalues of small tables: slopes will ask for both.
  void expect_slopes() { expects_slopes_ = true; }
  std::span<const double> eigen_shares();  // the positive ones, made to sum to 1
  // compute(), unless it was computed for this place.
  template <class F>
  double remembered(const void* place, const F& compute) {
    for (const auto& [known, value] : remembered_) {
      if (known == place) return value;
    }
    const double value = compute();
    remembered_.emplace_back(place, value);
    return value;
  }
  // The same of what has slopes, in tables that these do not make much larger; null: not known.
  const KnownSlopes* known_slopes(const void* place) const;
  void keep_slopes(const void* place, KnownSlopes slopes);
  // The first class without a row or without a column, else -1: M is singular.
  std::int64_t degenerate() const;
  std::span<const std::int64_t> kept() const { return kept_; }  // positions in the full table

 private:
  bool load_counts(const Table& table);
  void load_wide_counts(const Table& table);
  void load_cells();
  void load_doubles();
  void scale_to(double total, std::vector<double>& cells);
  void load_sparse(const Table& table);
  void load_filled_cells();
  void list_cells();
  bool may_be_listed();
  template <class Add>
  void for_each_column(std::size_t i, const Add& add) const;
  void keep_filled(const Margins& full);
  void load_exact_rest();
  void reset();
  void load_rest();
  void load_exact_det();
  void load_symmetric_part();
  template <class T, class Visit>
  void for_each_held(const T* cells, const Visit& visit) const;
  template <class T, class ToWhole>
  void fill_whole(const T* cells, const ToWhole& whole);
  void load_eigenvectors();

  const std::int64_t* counts_ = nullptr;
  bool two_counts_ = false;
  bool has_columns_ = false, has_column_counts_ = false;
  bool has_cells_ = false, has_cell_counts_ = false;
  bool has_whole_ = false, whole_fits_ = false;
  bool has_det_ = false, has_canonical_ = false, has_singular_ = false, has_eigen_ = false;
  bool has_shares_ = false, has_vectors_ = false, expects_slopes_ = false;
  bool has_inverse_ = false;
  bool sparse_ = false, has_values_ = false, is_rounded_ = false;
  std::int64_t of_classes_ = 0;  // of the whole table
  Margins* full_ = nullptr;
  std::vector<std::int64_t> kept_;
  Filled filled_;
  std::vector<double> values_;  // of filled_
  std::vector<double> fn_, fp_, tn_, cells_, scratch_;
  std::vector<std::int64_t> fn_count_, fp_count_, tn_count_, cell_counts_;
  WholeTable whole_;
  std::vector<Whole> whole_cells_;
  SpectralDet det_, power_det_;
  std::optional<double> power_;  // that of power_det_
  double canonical_ = 0.0;
  std::vector<double> singular_, eigen_, vectors_, shares_, inverse_;
  std::vector<std::pair<const void*, double>> remembered_;
  std::vector<std::pair<const void*, std::shared_ptr<const KnownSlopes>>> known_slopes_;
};

// The views of one table under the options of a call.
class Session {
 public:
  Session(const Table& table, const Options& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  Margins& full() { return full_; }
  Margins& kept() { return *kept_; }
  // Of averages: classes absent from both sides count where `undefined` stands in for 0/0.
  Margins& averaged() { return *averaged_; }
  // Whether an average is over class `at` of averaged().
  bool counts(std::int64_t at) const {
    return chosen_.empty() || chosen_[static_cast<std::size_t>(at)] != 0;
  }
  bool chooses() const { return !chosen_.empty(); }
  std::int64_t present() const;  // classes on at least one side

 private:
  Margins& full_;
  Margins* kept_;
  Margins* averaged_;
  std::vector<std::uint8_t> chosen_;  // of averaged(); empty: all
};

}  // namespace confmat::metrics
