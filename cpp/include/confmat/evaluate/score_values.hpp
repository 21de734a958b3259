// What a request asks of the scores of a group: values, and reasons of those that are undefined.
#pragma once

#include <string>

#include "confmat/evaluate/spec.hpp"

namespace confmat {

// One value an ask, nan where it is undefined and nothing stands in.
void score_values(const Spec& spec, const metrics::SweepView& sweep, int threads, double* out);

// Why a value is undefined; empty for the others.
void score_reasons(const Spec& spec, const metrics::SweepView& sweep, const double* values,
                   std::string* out);

}  // namespace confmat
