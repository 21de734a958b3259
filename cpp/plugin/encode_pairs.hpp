// Pairs of labels as codes, one a row.
#pragma once

#include <vector>

#include "confmat/arrow/import.hpp"
#include "confmat/evaluate/pair_dictionary.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/inputs.hpp"
#include "plugin/label_column.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// Polars calls with morsels of some 100,000 rows from all its threads, or once with a whole
// column while its other threads wait; only the latter is worth threads of our own.
inline constexpr std::int64_t kWholeColumn = std::int64_t{1} << 22;

// y_true, y_pred and, if there are weights, sample_weight, each of `length` rows, or of one, and
// maybe the types of the labels (see LabelColumn). The two of labels have `label_rows`, or one.
struct LabelArgs {
  std::vector<LabelColumn> labels;
  ArrowColumns weights;
  std::vector<Chunks> columns;
  std::int64_t length = 0;
  std::int64_t label_rows = 0;
};

// Throws InputError for a wrong number of columns and for unequal lengths.
LabelArgs read_label_args(const Inputs& inputs, const Spec& spec);

// The encoder of these labels, kept from call to call by each thread.
const PairEncoder& encoder_for(const Labels& labels);

// Codes of known labels (tally/encode.hpp), label_rows of them.
struct KnownCodes {
  Buffer codes;
  bool has_other;  // a label beyond these, maybe of a row that does not count
};
KnownCodes encode_known(const LabelArgs& args, const Labels& labels);

// As encode_known(), of labels that nobody has named (evaluate/pair_dictionary.hpp). `categories`
// are those of the Enum of both columns, or null.
Buffer encode_unknown(const LabelArgs& args, const Categories* categories);
// What encode_unknown() gives rows with a null.
std::uint32_t unknown_null(const Categories* categories);

}  // namespace confmat::plugin
