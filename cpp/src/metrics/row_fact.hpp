// Facts that rows of all kinds say in the same words.
#pragma once

#include <string>
#include <vector>

#include "confmat/metrics/fact.hpp"
#include "confmat/metrics/param.hpp"
#include "confmat/metrics/references.hpp"
#include "name_text.hpp"

namespace confmat::metrics {

inline std::vector<ParamFact> param_facts(Params params) {
  std::vector<ParamFact> out;
  for (const Param& param : params) {
    out.push_back({std::string(param.name), param.value, std::string(param.text), param.whole,
                   param.exponent});
  }
  return out;
}

// Formula and aliases, too, where the row holds them as they are shown.
template <class Of, class Row>
Of row_fact(const Row& row) {
  Of fact;
  fact.name = row.name;
  fact.symbol = row.symbol;
  fact.lo = row.lo;
  fact.hi = row.hi;
  fact.summary = row.summary;
  fact.reference = reference_text(row.reference);
  fact.params = param_facts(row.params);
  if constexpr (requires { row.formula; }) {
    fact.formula = row.formula;
    fact.aliases = words_of(row.aliases);
  }
  return fact;
}

}  // namespace confmat::metrics
