// What is asked of every group, of classes or of scores: labels, positive class, policies and
// metric names, as one small message that travels through query plans. Parsed with every length
// checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "confmat/metrics/registry.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/scores/bin_map.hpp"

namespace confmat {

struct Spec {
  std::optional<Labels> labels;    // none: each group has the labels present in it
  std::optional<Labels> found;     // then: the labels of all groups, so that codes can carry rows
  std::optional<Labels> positive;  // one label, or none: see positive_in()
  bool bucket_other = false;       // labels outside `labels` are counted, not refused
  bool weighted = false;
  bool reasons = false;        // say why a value is undefined
  bool nan_drop = false;       // a nan score drops its row, and is no error
  bool apart = false;          // states of other kinds are handed back as they are
  std::optional<BinMap> bins;  // of sweeps
  metrics::Options options;    // options.pos is resolved for each label set
  std::vector<metrics::Ask>
      asks;  // of classes, each followed by its ends where these are asked for
  std::vector<metrics::ScoreAsk> score_asks;
  std::vector<metrics::RegressionAsk> regression_asks;
  bool needs_positive = false;  // some ask is a binary metric without average
  // The request where both label columns are Boolean; null: this one.
  std::shared_ptr<const Spec> of_booleans;

  // Ends of intervals, which take the squares of weights.
  [[nodiscard]] bool wants_squares() const noexcept {
    return weighted && std::ranges::any_of(
                           asks, [](const auto& ask) { return ask.part != metrics::Part::kValue; });
  }
  // The labels that codes stand for; null: pairs of labels travel.
  [[nodiscard]] const Labels* coded() const noexcept {
    return labels ? &*labels : found ? &*found : nullptr;
  }
};

constexpr std::uint8_t kMessageVersion = 3;

// What a message may hold behind its version and its length (32 bits), each at most once and in
// this order: the number of the field in a byte, then its value. A switch has none: it is on where
// its field is there. `python/confmat/frames/asked.py` numbers them alike.
enum class MessageField : std::uint8_t {
  kMetrics = 1,
  kScoreMetrics,
  kOfBooleans,
  kLabels,
  kFound,
  kPositive,
  kUndefined,
  kSmoothing,
  kBins,
  kBucketOther,
  kNanDrop,
  kWeighted,
  kKeepEmpty,
  kImplied,
  kReasons,
  kApart,
  kReach,
  kRegressionMetrics,
};

// Throws StateError for malformed bytes, InputError for unknown metric names.
Spec parse_spec(std::span<const std::uint8_t> bytes);

// The same, remembered for each thread: a plan passes the same bytes over and over.
std::shared_ptr<const Spec> spec_for(std::span<const std::uint8_t> bytes);

// The position of the positive class in `labels`, or -1. Where the spec names none it is 1 or True
// of labels within {0, 1}, {False, True} or {-1, 1}: others must be named.
std::int64_t positive_in(const Spec& spec, const Labels& labels);

// The same request, of labels that a dtype declares. Throws InputError for a positive class that is
// asked about and is none of them.
Spec with_labels(const Spec& spec, Labels labels);

}  // namespace confmat
