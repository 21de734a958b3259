// Metrics of scores, as a request asks for them.
#include "confmat/evaluate/score_values.hpp"

#include <cmath>

namespace confmat {

void score_values(const Spec& spec, const metrics::SweepView& sweep, int threads, double* out) {
  metrics::score_values(spec.score_asks, sweep, threads, out);
  if (!spec.options.undefined) return;
  for (std::size_t i = 0; i < spec.score_asks.size(); ++i) {
    if (std::isnan(out[i])) out[i] = *spec.options.undefined + 0.0;
  }
}

void score_reasons(const Spec& spec, const metrics::SweepView& sweep, const double* values,
                   std::string* out) {
  for (std::size_t i = 0; i < spec.score_asks.size(); ++i) {
    const bool replaced = spec.options.undefined.has_value();
    out[i].clear();
    if (replaced || std::isnan(values[i]))
      out[i] = metrics::score_reason(spec.score_asks[i], sweep, 1);
  }
}

}  // namespace confmat
