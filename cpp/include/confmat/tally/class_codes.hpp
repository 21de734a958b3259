// The class of every row as a small integer, for a fixed label set of K classes: 0 ... K - 1, and
// K + 1 for a null label. One pass, every core.
#pragma once

#include <cstdint>

#include "confmat/base/pages.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// Throws InputError naming the first row whose label is not in `labels`, and for a column that
// holds no labels of that kind.
Pages<std::uint16_t> class_codes(Chunks y_true, const Labels& labels, int threads);

}  // namespace confmat
