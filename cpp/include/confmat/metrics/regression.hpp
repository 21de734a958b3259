// Metrics of regressions: what exists (facts), and values and reasons of the sums of rows.
// Cost: some microseconds a state, for all metrics together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/metrics/fact.hpp"
#include "confmat/state/moments.hpp"

namespace confmat::metrics {

// One asked-for number: a row of the registry with its parameter.
struct RegressionAsk {
  std::int32_t row = -1;  // -1: sums to keep, and no metric
  double param = 0.0;
  std::string name;            // as asked, the field name of the result
  std::vector<TermAsk> terms;  // the further sums that it needs, those of its rows first
};

// "mae", "pinball(0.9)", aliases; "intervals", the sums that these need; "exact_errors",
// "exact_truths", "density". Throws InputError with the nearest names for an unknown one.
RegressionAsk parse_regression(std::string_view name);

// The names of the sums that keep as they are the numbers which it takes from bins.
std::vector<std::string> kept_exactly(const RegressionAsk& ask);

// Whether a state has what it needs.
bool holds(const Moments& of, const RegressionAsk& ask);

// Those that are needed, some twice.
std::vector<TermAsk> terms_of(std::span<const RegressionAsk> asks);

const std::vector<CommonFact>& regression_facts();

// out[i] = value of asks[i], nan where undefined; reasons[i] says why, and is empty else.
// Throws InputError: the sums that it needs are not in the state.
void regression_values(std::span<const RegressionAsk> asks, const Moments& moments, double* out,
                       std::string* reasons);

}  // namespace confmat::metrics
