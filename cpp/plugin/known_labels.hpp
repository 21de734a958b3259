// What dtypes tell of the labels of a request that names none.
#pragma once

#include "confmat/arrow/format.hpp"
#include "confmat/evaluate/spec.hpp"

namespace confmat::plugin {

// Two Boolean columns have both classes, two columns of one Enum all its categories: the same
// request, with these labels. Any other request as it is.
Spec with_known_labels(const Spec& spec, const ArrowSchema& y_true, const ArrowSchema& y_pred);

}  // namespace confmat::plugin
