// Facts that rows of all kinds say in the same words.
#pragma once

#include <string>

#include "confmat/metrics/fact.hpp"
#include "confmat/metrics/param.hpp"
#include "confmat/metrics/references.hpp"
#include "name_text.hpp"

namespace confmat::metrics {

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
  for (const Param& param : row.params) {
    fact.params.push_back(
        {std::string(param.name), param.value, std::string(param.text), param.whole});
  }
  if constexpr (requires { row.formula; }) {
    fact.formula = row.formula;
    fact.aliases = words_of(row.aliases);
  }
  return fact;
}

}  // namespace confmat::metrics
