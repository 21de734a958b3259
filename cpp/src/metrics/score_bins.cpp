// Sums over bins of scores. Scores descend, so a bin is a range of entries; bins are shared out
// among the threads, and each is summed block by block.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/threads.hpp"
#include "score_sums.hpp"

namespace confmat::metrics {
namespace {

constexpr std::size_t kStretch = 2048;

struct Range {
  std::size_t first, end;
};

// The bin of a score: the least b with score <= (b + 1) / bins.
std::int64_t bin_of(double score, std::int64_t bins) {
  const auto width = static_cast<double>(bins);
  const auto upper = [width](std::int64_t b) { return static_cast<double>(b + 1) / width; };
  const double near = std::ceil(score * width);
  std::int64_t b = near > 1 ? static_cast<std::int64_t>(std::min(near, width)) - 1 : 0;
  // The product was rounded; the quotients decide.
  while (b > 0 && score <= upper(b - 1)) --b;
  while (b + 1 < bins && score > upper(b)) ++b;
  return b;
}

template <class S>
void find_ranges(const S* scores, std::size_t size, std::int64_t bins, std::vector<Range>& out) {
  out.clear();
  for (std::size_t first = 0; first < size;) {
    const auto b = bin_of(static_cast<double>(scores[first]), bins);
    const double lower = static_cast<double>(b) / static_cast<double>(bins);
    const auto inside = [&](S score) { return b == 0 || static_cast<double>(score) > lower; };
    // Steps that double, then halve: short bins are found at once.
    std::size_t step = 1;
    while (first + step < size && inside(scores[first + step])) step *= 2;
    const S* const from = scores + first + step / 2;
    const S* const to = scores + std::min(size, first + step);
    const auto found = static_cast<std::size_t>(std::partition_point(from, to, inside) - scores);
    const std::size_t end = std::max(found, first + 1);  // whatever the scores are, it ends
    out.push_back({first, end});
    first = end;
  }
}

template <class A>
double weight_of(const A* amounts, std::size_t n) {
  if constexpr (std::is_same_v<A, double>) {
    return sum_of(amounts, n).value();
  } else {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) total += static_cast<std::int64_t>(amounts[i]);
    return static_cast<double>(total);
  }
}

template <class S, class A>
ScoreBin bin_sums(const S* scores, const Amounts<A>& amounts, Range range) {
  const std::size_t n = range.end - range.first;
  const A* const p = amounts.positives + range.first;
  const A* const q = amounts.negatives + range.first;
  Sum2 total;
  double terms[kStretch];
  const StopSign sign;
  for (std::size_t first = 0; first < n; first += kStretch) {
    sign.obey();
    const std::size_t size = std::min(kStretch, n - first);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = first + i;
      terms[i] = (static_cast<double>(p[at]) + static_cast<double>(q[at])) *
                 static_cast<double>(scores[range.first + at]);
    }
    total.add(sum_of(terms, size));
  }
  const double positives = weight_of(p, n);
  return {positives + weight_of(q, n), positives, total.value()};
}

}  // namespace

void sum_bins(const SweepView& sweep, std::int64_t bins, int threads, std::vector<ScoreBin>& out) {
  thread_local std::vector<Range> found;
  std::vector<Range>& ranges = found;  // of this thread, also in the others
  std::visit(
      [&](const auto* scores, const auto& amounts) {
        find_ranges(scores, sweep.size, bins, ranges);
        out.resize(ranges.size());
        for_each_task(static_cast<std::int64_t>(ranges.size()),
                      thread_count(threads, static_cast<std::int64_t>(sweep.size)), [&] {
                        return [&](std::int64_t i) {
                          const auto at = static_cast<std::size_t>(i);
                          out[at] = bin_sums(scores, amounts, ranges[at]);
                        };
                      });
      },
      sweep.scores, sweep.amounts);
  std::erase_if(out, [](const ScoreBin& bin) { return !(bin.n > 0); });
}

}  // namespace confmat::metrics
