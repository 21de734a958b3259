// A batch as the bytes of a state; states as the table of their sum.
#include "confmat/evaluate/streamed_counts.hpp"

#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/count_state.hpp"
#include "confmat/tally/count.hpp"

namespace confmat {
std::vector<std::uint8_t> partial_counts(Chunks y_true, Chunks y_pred, const Spec& spec,
                                         int threads) {
  const CountOptions options{.labels = spec.labels ? &*spec.labels : nullptr, .threads = threads};
  Counted counted = count(y_true, y_pred, {}, options);
  if (counted.n_other > 0 && !spec.bucket_other) {
    throw refused_outsider(counted.outsider, counted.outsider.in_truth ? "y_true" : "y_pred",
                           counted.labels, kOrBucket);
  }
  return encode(state_of(std::move(counted), spec.labels.has_value(), false));
}

GroupTable merge_partials(std::span<const Bytes> parts) {
  GroupTable out;
  if (parts.empty()) return out;
  CountsSum sum;
  for (const Bytes part : parts) sum.add(part);
  const Counts all = sum.take();
  if (all.has_floats || all.has_squares) throw StateError("a part with weights");
  return table_of(all);
}

}  // namespace confmat
