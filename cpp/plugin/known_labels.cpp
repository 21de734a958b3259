#include "plugin/known_labels.hpp"

#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/batch/class_set.hpp"
#include "confmat/evaluate/group.hpp"

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

Spec with_labels(const Spec& spec, Labels labels) {
  Spec out = spec;
  // A positive class that is none of them has no position, and must not pass for a name.
  if (spec.positive && positive_in(spec, labels) < 0) {
    if (spec.needs_positive) {
      throw InputError("`pos_label` " + spec.positive->display(0) + " is not in the labels " +
                       shown(labels));
    }
    out.positive.reset();
  }
  out.labels = std::move(labels);
  out.options.implied = true;
  return out;
}

}  // namespace confmat::plugin
