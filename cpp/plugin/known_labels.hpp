// What dtypes tell of the labels of a request that names none.
#pragma once

#include "confmat/arrow/format.hpp"
#include "confmat/evaluate/spec.hpp"

namespace confmat::plugin {

// Two Boolean columns have both classes, two columns of one Enum all its categories: the same
// request, with these labels. Any other request as it is.
Spec with_known_labels(const Spec& spec, const ArrowSchema& y_true, const ArrowSchema& y_pred);

// The Arrow format of codes without weights. It tells what the dtypes were: of labels that the
// request does not name, those of Booleans are Int8, those of a wide Enum Int32, and UInt32 are
// pairs of the dictionary. `known` is what with_known_labels() makes of the request.
const char* code_format(const Spec& request, const Spec& known);

}  // namespace confmat::plugin
