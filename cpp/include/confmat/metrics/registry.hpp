// The one door to the metrics: what exists (facts), and values, reasons and per-class columns of a
// table. Rows live in the sources of this layer; nobody else knows a formula.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "confmat/metrics/fact.hpp"

namespace confmat::metrics {

// A K x K confusion matrix, rows true. Exactly one of `counts` and `weights` is set. With `places`
// it is sparse: these are `filled` cells and their places i * k + j, which ascend; the others are
// 0.
struct Table {
  std::int64_t k = 0;
  const std::int64_t* counts = nullptr;
  const double* weights = nullptr;
  const std::int64_t* places = nullptr;
  std::int64_t filled = 0;
  bool is_sparse = false;
  // Of weighted rows, the sums of squared weights of the same cells, where they are known.
  bool is_weighted = false;
  const double* squares = nullptr;
  // The weights were computed, not given: values need no more digits than these have.
  bool is_rounded = false;
  // Where classes without rows were left out, how many there are with them: it decides how sums are
  // rounded.
  std::int64_t of_classes = 0;
};

// Throws InputError unless the places ascend within a table of at most 2^31 - 1 classes.
void check_places(const Table& table);

struct Options {
  std::int64_t pos = -1;            // index of the positive class; -1: none was given
  std::optional<double> undefined;  // replaces undefined values, before averaging
  double smoothing = 0.0;           // added to every cell
  bool keep_empty = false;          // keep classes absent from both sides
  // Such classes are there by the type of the columns alone: averages never count them.
  bool implied = false;
  // Positions that averages are over; else all.
  std::optional<std::vector<std::int64_t>> classes = std::nullopt;
};

// How many standard deviations an interval reaches down and up; infinite: to the end of the range.
struct Reach {
  double below = 0.0, above = 0.0;
  bool operator==(const Reach&) const = default;
};

// One asked-for number: a row of the registry with its parameters and its average; or an end of its
// interval.
enum class Part : std::uint8_t { kValue, kLow, kHigh };
struct Ask {
  std::int32_t row = -1;
  std::int32_t average = 0;  // index into the averages; 0: none
  std::vector<double> params;
  std::string name;             // as asked, the field name of the result
  bool needs_positive = false;  // a binary row without average
  bool ordered = false;         // absent classes keep their positions, and matter
  Part part = Part::kValue;
  Reach reach{};  // of an end
};

// "mcc", "f1_macro", "fbeta(2)", "fbeta_macro(0.5)", aliases. Throws InputError with the nearest
// names for an unknown one. A name can bring its formula along, see own_rows.hpp. Beside the listed
// averages, `_min` and `_max` of any class metric and
// `_harmonic`, `_geometric`, `_quadratic` and `_power` of those that are never negative are
// understood. The last takes an exponent behind the parameters of the metric, "fbeta_power(2,3)"; a
// parameter that is the exponent of a mean also takes its name: "generalized_f1(geometric)".
Ask parse(std::string_view name);
// The parameters that such a name takes.
std::vector<ParamFact> params_of_name(std::string_view name);
// Parameters that an alias fixes, and their values: "f2_macro" has beta 2; most names have none.
std::vector<std::pair<std::string_view, double>> fixed_params(std::string_view name);

// One value name (`recall`, `recall_macro`, ...): a row of `list_metrics()`.
struct Fact : CommonFact {
  std::string level;    // "overall", "class", "average"
  std::string base;     // the row's name: "recall" for "recall_macro"
  std::string average;  // "", "macro", "micro", "weighted", "ovo"
  std::string of_many;  // of one class: what to ask of many before the macro average; or nothing
  // Laws a metric claims; tests read them.
  bool transpose_invariant = false;  // unchanged when truth and prediction swap
  std::string transpose_partner;     // else the metric it becomes ("recall" for "precision")
  std::string swap_partner;          // binary: the metric it becomes when the classes swap
  // Unchanged under a permutation of the classes; false at level "class", where the value follows
  // its class.
  bool relabel_invariant = true;
  bool perfect_is_best = true;  // a diagonal table gives the best end
  bool scale_invariant = true;  // unchanged when every cell is multiplied
  std::string shape;            // of two classes: monotone, linear, association, dome or free
  bool edges = false;           // may be undefined elsewhere than at the ends of the curve
  std::string since = "0.1.0";
};
const std::vector<Fact>& facts();
// Those of a metric of a caller, by its definition (see own_rows.hpp).
std::vector<Fact> own_facts(std::string_view definition);
// The name and level of each of them, without tracing a formula.
std::vector<std::pair<std::string, std::string>> levels();

// Checks that `ask` can be computed for a K-class table with `options`; throws InputError
// (for example: a binary metric, more than two classes and no positive class).
// `labels` are the displayed class names, for the message.
void check(const Ask& ask, std::int64_t k, const Options& options,
           std::span<const std::string> labels);

// out[i] = value of asks[i], nan where undefined. Margins and decompositions are computed once for
// all asks. No allocation per call beyond a thread-local workspace.
void values(std::span<const Ask> asks, const Table& table, const Options& options, double* out);

// out[c * asks.size() + i] = the binary metric asks[i] of class c against the rest.
void per_class(std::span<const Ask> asks, const Table& table, const Options& options, double* out);

// Why values() gives nan (or a degenerate 0): "class 1: tp + fp = 0". Empty when it is a number.
std::string reason(const Ask& ask, const Table& table, const Options& options,
                   std::span<const std::string> labels);

// Whether some of these values, as values() gave them, may have a reason.
bool may_have_reasons(std::span<const Ask> asks, const Options& options, const double* values);
// out[i] = reason of asks[i]. Needs: `values` as values() gave them.
void reasons(std::span<const Ask> asks, const Table& table, const Options& options,
             std::span<const std::string> labels, const double* values, std::string* out);

// Both of them: values() into `out`, and reasons() of these.
void explained(std::span<const Ask> asks, const Table& table, const Options& options,
               std::span<const std::string> labels, double* out, std::string* why);

// Why an ask is not computed for this table: it needs all cells of a sparse one, and these are too
// many. Empty if it is; values() gives nan for the others, whatever `undefined` is.
std::string refusal(const Ask& ask, const Table& table, const Options& options);

// How many classes an average uses, or ordered pairs of classes for `_ovo`.
std::int64_t n_used(const Ask& ask, const Table& table, const Options& options);

// Whether left_out() may name any: an average, or a metric over classes.
bool may_leave_out(const Ask& ask);

// The classes that an average leaves out as undefined; for `_ovo` those of an undefined pair.
std::vector<std::int64_t> left_out(const Ask& ask, const Table& table, const Options& options);

// Vectors and matrices that are not one number. InputError where they need all cells of a sparse
// table, and these are too many.
std::vector<double> eve_eigenvalues(const Table& table);    // descending
std::pair<double, double> eve_bounds(const Table& table);   // Gershgorin
std::vector<double> singular_values(const Table& table);    // of M, descending
std::vector<double> balanced(const Table& table);           // each of the cells given
std::vector<double> bistochastic(const Table& table);       // K x K, Sinkhorn scaling
std::vector<std::int64_t> pair_counts(const Table& table);  // tp fn fp tn of pairs of rows

}  // namespace confmat::metrics
