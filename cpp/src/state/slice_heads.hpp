// Whether tables of slices go together, and in words why they do not.
#pragma once

#include "confmat/state/slice_table.hpp"

namespace confmat {

// Throws InputError that shows the difference. `verb`: what cannot be done.
void require_alike(const char* verb, const TableHead& one, const TableHead& other);

}  // namespace confmat
