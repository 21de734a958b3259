// Every name of the registry as an ask, and some with parameters.
#pragma once

#include <vector>

#include "confmat/metrics/catalogue.hpp"

namespace confmat::metrics {

inline std::vector<Ask> every_ask() {
  std::vector<Ask> out;
  for (const auto& [name, entry] : catalogue().names()) out.push_back(parse(name));
  for (const char* name : {"fbeta(2)", "fbeta_macro(0.5)", "fbeta_geometric(3)",
                           "generalized_f1(min)", "generalized_f1(2)", "generalized_f1(1)"}) {
    out.push_back(parse(name));
  }
  return out;
}

}  // namespace confmat::metrics
