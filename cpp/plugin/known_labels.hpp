// What dtypes tell of the labels of a request that names none.
#pragma once

#include <optional>
#include <string_view>

#include "confmat/arrow/format.hpp"
#include "confmat/batch/labels.hpp"
#include "confmat/evaluate/pair_dictionary.hpp"

namespace confmat::plugin {

// Codes of two Boolean columns come as Int8, with weights as UInt128: no others do, so that the
// type of the codes tells the dtype of the labels.
inline constexpr std::string_view kBooleanCodes = "c";
inline constexpr std::string_view kWeightedBooleanCodes = "_plu128";

// False and True where both columns are Boolean.
std::optional<Labels> boolean_labels(const ArrowSchema& y_true, const ArrowSchema& y_pred);
// Whether codes of this format are of such columns.
bool are_of_booleans(std::string_view format) noexcept;

// Where both columns are of one Enum.
std::optional<Categories> shared_categories(const ArrowSchema& y_true, const ArrowSchema& y_pred);

}  // namespace confmat::plugin
