// Whether Arrow structures hold what their types promise, as far as can be seen from inside them:
// the C data interface gives no sizes of buffers, except of those behind views. What is trusted
// is listed in docs/reliability.md.
#pragma once

#include <string_view>

#include "confmat/arrow/abi.hpp"
#include "confmat/arrow/data.hpp"
#include "confmat/arrow/format.hpp"

namespace confmat {

// More rows than this lie in no memory; sizes in bytes and sums of lengths stay below 2^63.
inline constexpr std::int64_t kMostArrowRows = std::int64_t{1} << 48;

// Counts of buffers and children, null pointers, lengths, first and last offsets; what O(1) can
// see. Not of children and dictionaries.
// Throws InputError naming `argument`. Needs: format_of(schema.format) is `format`.
void check_array(const ArrowSchema& schema, const ArrowFormat& format, const ArrowArray& array,
                 std::string_view argument);

// All of an array that others are to read without looking: each offset, view, text and key, and
// children and dictionaries down to a depth of 64. Types that are not in ArrowLayout are refused.
// O(n). Throws InputError naming `argument`.
void check_values(const ArrowSchema& schema, const ArrowArray& array, std::string_view argument);
// So for each array, and the type even if there is none.
void check_values(const ArrowData& data, std::string_view argument);

}  // namespace confmat
