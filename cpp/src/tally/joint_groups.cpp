// Sums the triples of groups, and names the classes of each.
#include "confmat/tally/joint_groups.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/cores.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kWorthThreads = std::int64_t{1} << 15;  // triples

// Which labels some rows have; of labels that were found only these are kept.
class UsedLabels {
 public:
  explicit UsedLabels(const SharedLabels& all) : all_(all), used_(all->size()) {}

  void clear() { std::ranges::fill(used_, std::uint32_t{0}); }
  void use(std::int64_t label) { used_[static_cast<std::size_t>(label)] = 1; }

  // Then place() is known.
  SharedLabels named() {
    const bool keeps_all =
        all_->origin != Origin::kFound || std::ranges::find(used_, std::uint32_t{0}) == used_.end();
    std::uint32_t next = 0;
    LabelSet kept{{all_->labels.kind, {}, {}}, all_->origin, 0};
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!keeps_all && used_[i] == 0) continue;
      used_[i] = next++;
      if (!keeps_all) kept.labels.add(all_->labels, static_cast<std::uint32_t>(i));
    }
    k_ = next;
    if (kept.labels.size() == 0) kept.labels.kind = Labels::Kind::kInt;  // none of any kind
    return keeps_all ? all_ : std::make_shared<const LabelSet>(std::move(kept));
  }
  [[nodiscard]] std::int64_t place(std::int64_t t, std::int64_t a, std::int64_t b) const {
    const auto at = [this](std::int64_t label) {
      return std::int64_t{used_[static_cast<std::size_t>(label)]};
    };
    return (at(t) * k_ + at(a)) * k_ + at(b);
  }

 private:
  const SharedLabels& all_;
  std::vector<std::uint32_t> used_;  // then the positions of those kept
  std::int64_t k_ = 0;
};

void require_classes(std::size_t k) {
  if (k <= kMostJointClasses) return;
  throw InputError(std::to_string(k) + " labels; joint counts have at most " +
                   std::to_string(kMostJointClasses) + ": give those that count as `labels`");
}

class Group {
 public:
  Group(const JointTriples& triples, const SharedLabels& labels)
      : triples_(triples), used_(labels), k_(static_cast<std::int32_t>(labels->size())) {}

  Joint of(std::size_t first, std::size_t last) {
    RowTotals rows{.counted = 0};
    used_.clear();
    counted_.clear();
    const StopSign sign;
    for (std::size_t i = first; i < last; ++i) {
      if (i % 1024 == 0) sign.obey();
      const std::int32_t codes[] = {triples_.truth[i], triples_.a[i], triples_.b[i]};
      const auto [least, most] = std::ranges::minmax(codes);
      if (least < kOtherCode || most >= k_ || triples_.n[i] < 0) {
        throw InputError("codes of classes, or numbers of rows, that are none");
      }
      const bool is_null = std::ranges::find(codes, kNullCode) != std::end(codes);
      std::int64_t& total = is_null ? rows.dropped : least < 0 ? rows.other : rows.counted;
      if (__builtin_add_overflow(total, triples_.n[i], &total)) {
        throw InputError("the number of rows is beyond 64-bit integers");
      }
      if (least < 0) continue;
      counted_.push_back(i);
      for (const std::int32_t code : codes) used_.use(code);
    }
    SharedLabels labels = used_.named();
    EntrySums numbers;
    std::vector<std::int64_t> counts;
    counts.reserve(counted_.size());
    for (const std::size_t i : counted_) counts.push_back(triples_.n[i]);
    numbers.counts = std::move(counts);
    std::vector<JointEntry> entries;
    entries.reserve(counted_.size());
    for (std::size_t entry = 0; entry < counted_.size(); ++entry) {
      const std::size_t i = counted_[entry];
      entries.push_back(
          {used_.place(triples_.truth[i], triples_.a[i], triples_.b[i]), &numbers, entry});
    }
    return joint_of(std::move(labels), rows, std::move(entries), numbers);
  }

 private:
  const JointTriples& triples_;
  UsedLabels used_;
  std::int32_t k_;
  std::vector<std::size_t> counted_;
};

}  // namespace

std::vector<std::vector<std::uint8_t>> joint_states(const JointTriples& triples,
                                                    std::span<const std::int64_t> starts,
                                                    const SharedLabels& labels, int threads) {
  require_classes(labels->size());
  const auto rows = static_cast<std::int64_t>(triples.n.size());
  for (const auto codes : {triples.truth, triples.a, triples.b}) {
    if (codes.size() != triples.n.size()) throw InputError("columns differ in length");
  }
  if (starts.empty() || starts.front() != 0 || starts.back() != rows ||
      !std::ranges::is_sorted(starts)) {
    throw InputError("the starts of groups are not those of the rows");
  }
  std::vector<std::vector<std::uint8_t>> out(starts.size() - 1);
  if (rows < kWorthThreads) threads = 1;
  for_each_task(static_cast<std::int64_t>(out.size()), threads > 0 ? threads : usable_cores(), [&] {
    return [&, group = Group(triples, labels)](std::int64_t g) mutable {
      const auto at = static_cast<std::size_t>(g);
      out[at] = encode(
          group.of(static_cast<std::size_t>(starts[at]), static_cast<std::size_t>(starts[at + 1])));
    };
  });
  return out;
}

Joint joint_of_pairs(const Counts& pairs, const SharedLabels& labels, std::int64_t other) {
  require_classes(labels->size());
  const auto k = static_cast<std::int64_t>(labels->size());
  const std::vector<std::int64_t>& codes = pairs.labels->labels.ints;
  UsedLabels used(labels);
  for (const std::int64_t code : codes) {
    if (code < -k || code >= k * k) throw InputError("a code that no pair of classes has");
    if (code < 0) {
      used.use(-1 - code);
    } else {
      used.use(code / k);
      used.use(code % k);
    }
  }
  SharedLabels kept = used.named();
  const EntrySums sums{pairs.has_floats, pairs.has_squares, pairs.cells, pairs.weights,
                       pairs.squares};
  std::vector<JointEntry> entries;
  const std::size_t side = pairs.k();
  for (const auto [first, last] : Strides(pairs.held())) {
    for (std::size_t i = first; i < last; ++i) {
      if (sums.is_zero(i)) continue;
      const auto place = static_cast<std::size_t>(pairs.place(i));
      const std::int64_t truth = -1 - codes[place / side];
      const std::int64_t pair = codes[place % side];
      if (truth < 0 || pair < 0) throw InputError("a code that no pair of classes has");
      entries.push_back({used.place(truth, pair / k, pair % k), &sums, i});
    }
  }
  RowTotals rows = pairs.rows;
  if (other < 0 || other > rows.dropped) throw InputError("more rows of other labels than dropped");
  rows.dropped -= other;
  rows.other += other;
  return joint_of(std::move(kept), rows, std::move(entries), sums);
}

}  // namespace confmat
