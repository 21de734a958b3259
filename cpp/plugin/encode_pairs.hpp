// Pairs of labels that are not known beforehand, one element a row (see evaluate/pairs.hpp).
#pragma once

#include <vector>

#include "confmat/arrow/import.hpp"
#include "plugin/inputs.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// y_true, y_pred and, if there are weights, sample_weight; each of `length` rows, or of one.
struct LabelArgs {
  std::vector<ArrowColumns> owners;
  std::vector<Chunks> columns;
  std::int64_t length = 0;
  bool one_enum = false;  // both label columns are of the same Enum
};

// Throws InputError for a wrong number of columns and for unequal lengths.
LabelArgs read_label_args(const Inputs& inputs, bool weighted);

// Throws InputError for a weight that is not finite or negative.
void check_weight(double weight);

// Needs: type.format is the one that encode_type() chose for these columns.
Result encode_pairs(const LabelArgs& args, bool weighted, Type type);

}  // namespace confmat::plugin
