// Rows whose labels are beyond those that a request gives.
#pragma once

#include "confmat/batch/labels.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// Leaves word of the first row that counts and has a label beyond these, if there is one. `codes`
// are those of the rows (tally/encode.hpp), beside their weights where `weighted`.
void note_outsiders(const LabelArgs& args, const Labels& labels, const Buffer& codes,
                    bool weighted);

}  // namespace confmat::plugin
