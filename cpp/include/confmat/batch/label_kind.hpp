// Which kind of labels a column holds, and whether two columns can be compared at all.
#pragma once

#include <cstdint>

#include "confmat/batch/column.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

// The kind of labels both columns hold: kBool only when no integer occurs, kInt when all is null.
// Floats hold whole numbers, or reading them fails.
// Throws InputError: texts against numbers, dictionaries of numbers.
Labels::Kind joint_kind(Chunks y_true, Chunks y_pred, const char* pred_argument = "y_pred");

// Throws InputError unless labels of such a kind can occur in the column; "`y_true` is string,
// ...".
void require_kind(Chunks column, const char* argument, Labels::Kind kind);

// Throws InputError naming both lengths unless they are equal.
void require_equal_lengths(std::int64_t first, const char* first_argument, std::int64_t second,
                           const char* second_argument);

}  // namespace confmat
