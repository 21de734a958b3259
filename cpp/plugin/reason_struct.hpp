// The Struct of reasons beside metrics: one String a metric, null where the value is defined.
#pragma once

#include "confmat/evaluate/reasons.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// The field "reasons".
inline Type reason_struct_type(const std::vector<std::string>& metrics) {
  Type type{"+s", "reasons"};
  for (const auto& metric : metrics) type.children.push_back({"vu", metric});
  return type;
}

// Of these asks.
Array reason_struct(const Reasons& reasons, std::span<const std::size_t> asks, std::int64_t rows);

}  // namespace confmat::plugin
