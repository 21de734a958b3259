// What is asked of the scores of every group: positive class, policies and metric names, as one
// small message that travels through query plans. Parsed with every length checked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/scores/bin_map.hpp"

namespace confmat {

struct ScoreSpec {
  std::optional<Labels> positive;  // one label; none: the classes are 0 and 1
  bool weighted = false;
  bool reasons = false;             // say why a value is undefined
  bool nan_drop = false;            // a nan score drops its row, and is no error
  std::optional<double> undefined;  // replaces undefined values
  std::optional<BinMap> bins;       // of a binned sweep
  std::vector<metrics::ScoreAsk> asks;
};

// Throws StateError for malformed bytes, InputError for unknown metric names.
ScoreSpec parse_score_spec(std::span<const std::uint8_t> bytes);

// The values of what is asked, and the reasons of those that are undefined: empty for the others.
void score_values(const ScoreSpec& spec, const metrics::SweepView& sweep, int threads, double* out);
void score_reasons(const ScoreSpec& spec, const metrics::SweepView& sweep, const double* values,
                   std::string* out);

// The same, remembered for each thread: a plan passes the same bytes over and over.
std::shared_ptr<const ScoreSpec> score_spec_for(std::span<const std::uint8_t> bytes);

}  // namespace confmat
