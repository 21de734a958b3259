#include "plugin/known_labels.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "confmat/tally/encode.hpp"

namespace confmat::plugin {
namespace {

std::optional<Labels> labels_of(const ArrowSchema& y_true, const ArrowSchema& y_pred) {
  const std::string_view format = y_true.format;
  if (format == "b" && std::string_view(y_pred.format) == "b") {
    return Labels{.kind = Labels::Kind::kBool, .ints = {0, 1}, .texts = {}};
  }
  // Keys of 32 bits have more categories than codes have classes.
  if (!same_enum(y_true, y_pred) || (format != "C" && format != "S")) return std::nullopt;
  auto categories = enum_categories(y_true);
  if (!categories) return std::nullopt;
  return Labels{.kind = Labels::Kind::kText, .ints = {}, .texts = std::move(*categories)};
}

}  // namespace

Spec with_known_labels(const Spec& spec, const ArrowSchema& y_true, const ArrowSchema& y_pred) {
  Spec out = spec;
  if (spec.coded() != nullptr) return out;
  out.labels = labels_of(y_true, y_pred);
  if (!out.labels) return out;
  out.options.implied = true;
  // A positive class that is none of them has no position, and must not pass for a name.
  if (positive_in(spec, *out.labels) < 0) out.positive.reset();
  return out;
}

const char* code_format(const Spec& request, const Spec& known) {
  const Labels* labels = known.coded();
  if (labels == nullptr) return "I";
  const bool told = request.coded() == nullptr;
  switch (code_width(labels->size())) {
    case CodeWidth::k8:
      return told && labels->kind == Labels::Kind::kBool ? "c" : "C";
    case CodeWidth::k16:
      return "S";
    default:
      return told ? "i" : "I";
  }
}

}  // namespace confmat::plugin
