// One metric of a regression is one row: facts, the further sums that it needs, and its formula.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "confmat/metrics/least_loss.hpp"
#include "confmat/metrics/param.hpp"
#include "confmat/state/moments.hpp"

namespace confmat::metrics {

// What must hold, or the value is undefined.
enum RegressionNeed : unsigned {
  kRowsOnly = 0,
  kVariedTruth = 1U << 0U,
  kVariedPrediction = 1U << 1U,
  kTruthBounds = 1U << 2U,  // the least and the largest truth are known
  kErrorBound = 1U << 6U,   // the largest error is known
  kSpareRows = 1U << 3U,
  kTruthMean = 1U << 4U,  // is not 0
  kDigits = 1U << 5U,     // what is divided by has digits
};

// What formulas see: sums over rows of weight w, truth y, prediction p and error e = p - y. Central
// sums are about the means, times n.
struct RegressionView {
  double rows = 0, n = 0;
  double error = 0, size = 0, over = 0, under = 0;  // of e, |e|, and of |e| where p > y, p < y
  double squared_error = 0;
  double mean_truth = 0, intercept = 0;
  double truth = 0, prediction = 0, both = 0;  // central sums of y^2, p^2, y p
  double r2 = 0, explained = 0, ccc = 0;       // quotients of exact sums
  double least_truth = 0, largest_truth = 0, largest_error = 0;
  double first = 0, second = 0;  // of the further term
  // Of the mean as the only prediction; of the number with the least loss as that.
  double null_deviance = 0, null_loss = 0;
  std::span<const double> sizes, shares;  // of errors, ascending; of the rows up to each
};

struct RegressionRow {
  std::string_view name;
  std::string_view aliases = "";  // separated by spaces
  std::string_view symbol;
  std::string_view formula;
  double lo = 0.0;
  double hi = 1.0;
  std::string_view better = "higher";
  std::string_view summary;
  std::string_view reference;  // a key of references.hpp
  unsigned needs = kRowsOnly;
  std::optional<MomentTerm> term = {};
  std::string_view none = "";  // why a row has no such term, or all together have 0/0
  Params params = {};          // one at most
  // Of the best number as the only prediction, for all rows together; null: it needs none.
  LeastLoss (*least_loss)(const NumberRanges& truths, double param) = nullptr;
  double (*value)(const RegressionView& s, double param) = nullptr;
};

std::span<const RegressionRow> regression_rows();

}  // namespace confmat::metrics
