// The states of groups of scores, as they lie in columns.
#pragma once

#include "confmat/evaluate/score_group.hpp"
#include "confmat/metrics/score.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// What codes do not hold of the labels of a group.
struct GroupLabels {
  Labels::Kind kind = Labels::Kind::kInt;
  std::optional<std::int64_t> ints[2];  // the lowest and the highest
  std::optional<std::string> texts[2];
};

// The classes of a group of rows. One that is packed as a hash is known only as one of `seen`.
SharedLabels labels_of(const ScoreGroup& group, const GroupLabels& seen);

// What is kept of a group, in the bins of a map, or else score by score. `view`: its sweep.
// `whole_weights`: they are integers, and add up to counts.
Sweep state_of(const ScoreGroup& group, const metrics::SweepView& view,
               const std::optional<BinMap>& map, const GroupLabels& seen, bool whole_weights);

// A sweep as metrics take it: the scores, or bins as scores that tie, at their lower bounds.
class ScoreView {
 public:
  explicit ScoreView(const Sweep& sweep);
  [[nodiscard]] const metrics::SweepView& view() const noexcept { return view_; }

 private:
  std::vector<double> lower_;
  metrics::SweepView view_;
};

// The values of what is asked of a sweep, seen through its view. Metrics of probabilities take the
// rows of a bin of several scores as tied at its middle.
void score_values(const Spec& spec, const Sweep& sweep, const ScoreView& view, double* out);

// The sum of all amounts.
double total(const Sweep& sweep);
// How far the area under the ROC curve can be from that of the view: half the share of the pairs
// that lie within one bin of several scores.
double auc_error(const Sweep& sweep);

}  // namespace confmat
