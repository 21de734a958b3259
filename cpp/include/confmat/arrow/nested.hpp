// Structs and lists as columns of their fields and of their items. No copy.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/arrow/data.hpp"
#include "confmat/arrow/import.hpp"
#include "confmat/base/pages.hpp"

namespace confmat {

struct NumberFields {
  std::deque<ArrowColumns> columns;  // one a field, or one of the items of all rows
  std::vector<std::string> names;    // of the fields
  std::int64_t width = 1;            // so many values of a column are one row
};

// The fields of structs, or the items of lists of one length by their type. None of other data: of
// fields or items that are neither numbers nor Booleans or have metadata, of rows that are null,
// without arrays.
// Throws InputError naming `argument`: arrays that do not hold what their type promises.
// Needs: the data outlives the columns.
std::optional<NumberFields> number_fields(const ArrowData& data, std::string_view argument);

// The items of lists.
struct ListItems {
  ArrowColumns items;        // of all rows, one after the other
  Pages<std::int64_t> ends;  // how many there are up to the end of each row
  std::vector<std::uint8_t>
      nulls;  // 1 for a row that is null, which has no items; empty: there is none
};

// Throws InputError naming `argument`: no lists, items that hold no labels, arrays that do not hold
// what their type promises. Needs: the data outlives the items.
ListItems list_items(const ArrowData& data, std::string_view argument);

}  // namespace confmat
