// The Struct of reasons beside metrics: one String a metric, null where the value is defined.
#pragma once

#include "confmat/evaluate/reasons.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// The field "reasons", for metrics of these asks.
template <class Asks>
Type reason_struct_type(const Asks& asks) {
  Type type{"+s", "reasons"};
  for (const auto& ask : asks) type.children.push_back({"vu", ask.name});
  return type;
}

Array reason_struct(const Reasons& reasons, std::size_t asks, std::int64_t rows);

}  // namespace confmat::plugin
