// Enum categories and Booleans: labels that a dtype tells.
#include "plugin/known_labels.hpp"

#include "confmat/batch/class_set.hpp"

namespace confmat::plugin {

std::optional<Labels> boolean_labels(const ArrowSchema& y_true, const ArrowSchema& y_pred) {
  if (std::string_view(y_true.format) != "b" || std::string_view(y_pred.format) != "b") {
    return std::nullopt;
  }
  return Labels{.kind = Labels::Kind::kBool, .ints = {0, 1}, .texts = {}};
}

bool are_of_booleans(std::string_view format) noexcept {
  return format == kBooleanCodes || format == kWeightedBooleanCodes;
}

std::optional<Categories> shared_categories(const ArrowSchema& y_true, const ArrowSchema& y_pred) {
  if (!same_enum(y_true, y_pred)) return std::nullopt;
  auto categories = enum_categories(y_true);
  // More of them have no codes; those that occur are then matched by their texts.
  if (categories && std::ssize(*categories) > kMostClasses) return std::nullopt;
  return categories;
}

}  // namespace confmat::plugin
