// From the counts of one group to its row of numbers: the step that every grouped door shares.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/metrics/two_class_tables.hpp"

namespace confmat {

// Rows in = rows counted + dropped + other. Where there are weights, `n` is 0.
struct GroupTotals {
  std::int64_t n = 0;
  double weight = 0;
  std::int64_t n_dropped = 0;
  std::int64_t n_other = 0;
};

// A table of label pairs in which no row was lost. `labels` are its classes, in order.
struct GroupTable {
  Labels labels;
  std::vector<std::int64_t> counts;  // K*K, or
  std::vector<double> weights;       // K*K
  bool is_weighted = false;          // whatever form the sums have
  std::vector<double> squares = {};  // K*K sums of squared weights, or none
  // Of more classes than a table has: the places i * K + j of the cells, which ascend.
  bool is_sparse = false;
  std::vector<std::int64_t> places = {};
  GroupTotals totals;
  bool implied = false;   // a class that no row has is there by the dtype, or was added
  bool is_given = false;  // all classes were given
};

// Reused from group to group by one thread. Needs: `spec` outlives it.
class GroupEvaluator {
 public:
  explicit GroupEvaluator(const Spec& spec);
  // The labels that tables of this spec have, when they differ from spec.labels (found in the
  // data).
  GroupEvaluator(const Spec& spec, const Labels& found);

  // A histogram of pair codes (see tally/encode.hpp) over (K + 2)^2 cells. Without labels in the
  // spec, classes that do not occur are removed first.
  GroupTotals codes(std::span<const std::int64_t> cells, double* values);
  // Puts the table of a group beside others of two classes. None, and nothing is done: values of
  // this group are not to be had so. Needs: are_two().
  std::optional<GroupTotals> side_by_side(std::span<const std::int64_t> cells,
                                          metrics::TwoClassTables& tables);
  // Whether values of this spec may be had so.
  [[nodiscard]] bool are_two() const noexcept;
  // The same as codes() for a few of many classes, from the codes themselves and their weights, if
  // there are any: takes time by the rows, not by K*K. False, and nothing is done, where the whole
  // table is needed, be it for a metric or for an error.
  [[nodiscard]] bool few(std::span<const std::uint32_t> codes, std::span<const double> weights,
                         GroupTotals& totals, double* values);
  // Whether few() may be worth a try.
  [[nodiscard]] bool are_few(std::size_t rows) const noexcept;
  // As codes(), for sums of weights in the K*K inner cells, and those of squared ones if known.
  GroupTotals weighted(std::span<const double> cells, std::span<const double> squares,
                       GroupTotals totals, double* values);
  // A table with labels of its own. A positive class that is absent from it is added, empty.
  GroupTotals table(GroupTable group, double* values);

  // Why the values of the last table are undefined, one text an ask; an empty one stands for none.
  // Without texts unless the spec asks for reasons.
  [[nodiscard]] std::span<const std::string> reasons() const noexcept { return reasons_; }

 private:
  GroupTotals read(std::span<const std::int64_t> cells);
  void run(const metrics::Table& table, std::int64_t pos, const Labels& labels, double* values,
           bool implied = false);
  void tell_absent();
  void explain(const metrics::Table& table, const metrics::Options& options, const Labels& labels,
               const double* values);
  [[nodiscard]] GroupTable present_only() const;
  void number_present();
  void sort_rows();
  void fill_counts(GroupTable& table, std::size_t m);
  double fill_weights(GroupTable& table, std::size_t m);  // returns their sum

  const Spec& spec_;
  Labels labels_;
  std::int64_t pos_ = -1;
  bool checked_ = false;
  bool has_squares_ = false;  // where rows have weights
  bool lists_ = false;        // no ask needs a table where few cells hold something
  bool compact_ = false;      // no ask depends on the classes that a group lacks
  std::vector<std::string> reasons_;
  std::vector<std::int64_t> inner_;

  // Of few(): the classes at hand, by label the numbers that they have among these, and cells with
  // weights.
  static constexpr std::uint32_t kAbsent = UINT32_MAX;
  using Row = std::pair<std::uint32_t, double>;
  std::vector<std::uint32_t> present_, position_;
  std::vector<Row> rows_, rows_scratch_;
};

// Whether so many cells that hold something, of k x k, are better listed than in a table.
bool are_worth_a_list(std::size_t k, std::size_t cells) noexcept;

// Throws InputError: labels that nobody gave, found in so many rows, are more than a table has, and
// hardly recur.
void refuse_identifiers(std::int64_t labels, std::int64_t rows);

// Sums of weights that are whole numbers are counts, and are computed exactly as such.
bool as_counts(std::span<const double> weights, std::vector<std::int64_t>& counts);

}  // namespace confmat
