// Rows of whole columns, and of groups, to exact sums.
#include "confmat/tally/moments.hpp"

#include <algorithm>
#include <vector>

#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "moment_rows.hpp"

namespace confmat {
struct GroupMoments::Work {
  Work(const MomentOptions& options, bool has_weights)
      : sums(options, has_weights), rows(sums, options.nan_drop) {}
  MomentSums sums;
  MomentRows rows;
};

GroupMoments::GroupMoments(const MomentOptions& options, bool has_weights)
    : work_(std::make_unique<Work>(options, has_weights)) {}
GroupMoments::GroupMoments(GroupMoments&&) noexcept = default;
GroupMoments& GroupMoments::operator=(GroupMoments&&) noexcept = default;
GroupMoments::~GroupMoments() = default;

void GroupMoments::add(const Column& y_true, const Column& y_pred, const Column* sample_weight,
                       std::int64_t first_row) {
  work_->rows.add(work_->sums, {&y_true, 0}, {&y_pred, 0}, {sample_weight, 0}, y_true.length,
                  first_row);
}

Moments GroupMoments::take() { return work_->sums.take(); }

Moments moments_of(Chunks y_true, Chunks y_pred, Chunks sample_weight, bool has_weights,
                   const MomentOptions& options) {
  require_numbers(y_true, "y_true");
  require_numbers(y_pred, "y_pred");
  weight_kind(sample_weight);  // refuses texts
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  if (has_weights) {
    require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  }
  const int threads = thread_count(options.threads, rows);
  std::vector<MomentSums> parts(static_cast<std::size_t>(threads), {options, has_weights});
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    MomentSums& sums = parts[static_cast<std::size_t>(part)];
    MomentRows to(sums, options.nan_drop);
    Cursor truth(y_true, first), prediction(y_pred, first), weight(sample_weight, 0);
    if (has_weights) weight = Cursor(sample_weight, first);
    constexpr std::int64_t kAtOnce = std::int64_t{1} << 16;  // between looks
    for (std::int64_t row = first; row < last;) {
      std::int64_t n = std::min({last - row, kAtOnce, truth.left(), prediction.left()});
      if (has_weights) n = std::min(n, weight.left());
      MomentRows::Part of_weight;
      if (has_weights) of_weight = {&weight.chunk(), weight.at()};
      to.add(sums, {&truth.chunk(), truth.at()}, {&prediction.chunk(), prediction.at()}, of_weight,
             n, row);
      truth.advance(n);
      prediction.advance(n);
      if (has_weights) weight.advance(n);
      row += n;
    }
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts[0].add(parts[part]);
  return parts[0].take();
}

}  // namespace confmat
