// Counts all groups of a frame, then evaluates them on every core.
#include "confmat/evaluate/groups_by_key.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/kernels/validity.hpp"
#include "confmat/tally/groups.hpp"

namespace confmat {

GroupKeyColumn values_of(const GroupKey& key, std::span<const std::uint32_t> numbers) {
  GroupKeyColumn out{.numbers = {}, .base = key.base, .listed = {}};
  out.numbers.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    out.numbers.push_back(number == key.null() ? -1 : std::int64_t{number});
  }
  if (key.set) out.listed = key.listed;
  return out;
}

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

using Grouping = std::vector<std::size_t>;

// Of every grouping, one after the other; those without the key have null.
GroupKeyColumn values_in(const GroupKey& key, std::size_t at, std::span<const GroupTables> all) {
  std::vector<std::uint32_t> numbers;
  for (const GroupTables& tables : all) {
    const std::vector<std::uint32_t>& own = tables.numbers[at];
    numbers.insert(numbers.end(), own.begin(), own.end());
    if (own.empty())
      numbers.resize(numbers.size() + static_cast<std::size_t>(tables.groups), key.null());
  }
  return values_of(key, numbers);
}

// Whether the tables of all groupings are within the bound of those of one.
bool are_affordable(std::span<const GroupKey> keys, std::span<const Grouping> groupings,
                    const Labels& labels) {
  const std::int64_t side = labels.size() + 2;
  const std::int64_t most = kMostBytes / (side * side * 8);
  std::int64_t sum = 0;
  for (const Grouping& grouping : groupings) {
    std::int64_t groups = 1;
    for (const std::size_t key : grouping) {
      if (keys[key].numbers() > most / groups) return false;
      groups *= keys[key].numbers();
    }
    sum += groups;
    if (sum > 2 * most) return false;
  }
  return true;
}

// The tables of every grouping, each from the smallest that has its keys. Needs: the first is of
// all keys; larger ones come first.
std::vector<GroupTables> rolled_up(GroupTables&& finest, std::span<const GroupKey> keys,
                                   std::span<const Grouping> groupings, int threads) {
  std::vector<GroupTables> out(groupings.size());
  out[0] = std::move(finest);
  const auto fits = [&](std::size_t finer, std::size_t at) {
    return groupings[finer].size() > groupings[at].size() &&
           std::ranges::includes(groupings[finer], groupings[at]);
  };
  for (std::size_t first = 1, last = 1; first < groupings.size(); first = last) {
    while (last < groupings.size() && groupings[last].size() == groupings[first].size()) ++last;
    for_each_task(static_cast<std::int64_t>(last - first), core_count(threads), [&, first] {
      return [&, first](std::int64_t i) {
        const std::size_t at = first + static_cast<std::size_t>(i);
        std::size_t least = 0;
        for (std::size_t finer = 1; finer < first; ++finer) {
          if (fits(finer, at) && out[finer].groups < out[least].groups) least = finer;
        }
        out[at] = roll_up(out[least], keys, groupings[at]);
      };
    });
  }
  return out;
}

constexpr std::size_t kGroups = 1024;  // of a block: whole bytes of bits

// Some groups by one thread: those of two classes side by side.
class BlockOfGroups {
 public:
  // Needs: all outlive it.
  BlockOfGroups(const Spec& spec, const Labels& labels, std::size_t cells,
                std::span<const std::int64_t* const> counts, GroupColumns& out)
      : spec_(spec),
        cells_(cells),
        counts_(counts),
        out_(out),
        evaluator_(spec, labels),
        values_(spec.asks.size()) {
    if (!evaluator_.are_two()) return;
    tables_ = std::make_unique<metrics::TwoClassTables>(spec.asks, spec.options);
  }

  void operator()(std::size_t first, std::size_t last) {
    const StopSign sign;
    sign.obey();
    for (std::size_t g = first; g < last; ++g) {
      // The first one of all as any other: so what the asks refuse is refused.
      const auto totals = tables_ != nullptr && g > 0
                              ? evaluator_.side_by_side({counts_[g], cells_}, *tables_)
                              : std::nullopt;
      if (totals) {
        set(g, *totals);
      } else {
        alone(g);
        if (tables_ != nullptr) keep_place(g);
      }
    }
    if (tables_ != nullptr) take(first, last);
    for (std::size_t m = 0; m < values_.size(); ++m) {
      valid_bits({&value(m, first), last - first}, out_.valid[m].data() + first / 8);
    }
  }

 private:
  void alone(std::size_t g) {
    set(g, evaluator_.codes({counts_[g], cells_}, values_.data()));
    for (std::size_t m = 0; m < values_.size(); ++m) value(m, g) = values_[m];
    if (out_.reasons) out_.reasons->set(static_cast<std::int64_t>(g), evaluator_.reasons());
  }

  // Until the others are taken, all at once, into the places of a whole block.
  void keep_place(std::size_t g) {
    tables_->skip();
    alone_.push_back(g);
    of_alone_.insert(of_alone_.end(), values_.begin(), values_.end());
  }

  void take(std::size_t first, std::size_t last) {
    tables_->take(&value(0, first), counts_.size());
    for (std::size_t i = 0; i < alone_.size(); ++i) {
      const double* const from = of_alone_.data() + i * values_.size();
      for (std::size_t m = 0; m < values_.size(); ++m) value(m, alone_[i]) = from[m];
    }
    if (out_.reasons) explain(first, last);
    alone_.clear();
    of_alone_.clear();
  }

  // Those that have reasons are evaluated again, alone, which tells them.
  void explain(std::size_t first, std::size_t last) {
    auto told = alone_.begin();
    for (std::size_t g = first; g < last; ++g) {
      if (told != alone_.end() && *told == g) {
        ++told;
        continue;
      }
      for (std::size_t m = 0; m < values_.size(); ++m) values_[m] = value(m, g);
      if (metrics::may_have_reasons(spec_.asks, spec_.options, values_.data())) alone(g);
    }
  }

  [[nodiscard]] double& value(std::size_t m, std::size_t g) const {
    return out_.values[m * counts_.size() + g];
  }

  void set(std::size_t g, const GroupTotals& totals) {
    out_.n[g] = totals.n;
    out_.n_dropped[g] = totals.n_dropped;
    out_.n_other[g] = totals.n_other;
  }

  const Spec& spec_;
  std::size_t cells_;
  std::span<const std::int64_t* const> counts_;
  GroupColumns& out_;
  GroupEvaluator evaluator_;
  std::vector<double> values_;
  std::unique_ptr<metrics::TwoClassTables> tables_;  // null: groups are no such ones
  std::vector<std::size_t> alone_;                   // of this block, and their values
  std::vector<double> of_alone_;
};

}  // namespace

std::optional<GroupColumns> evaluate_by_keys(std::span<const Chunks> columns, Chunks y_true,
                                             Chunks y_pred, const Labels& labels, const Spec& spec,
                                             int threads, std::span<const Grouping> groupings) {
  std::vector<GroupKey> keys;
  for (const Chunks column : columns) {
    auto key = group_key(column, threads);
    if (!key) return std::nullopt;
    keys.push_back(std::move(*key));
  }
  if (!are_affordable(keys, groupings, labels)) return std::nullopt;
  auto tables =
      count_groups(keys, y_true, y_pred, labels, {.threads = threads, .max_bytes = kMostBytes});
  if (!tables) return std::nullopt;
  return evaluate_tables(std::move(*tables), keys, labels, spec, threads, groupings);
}

std::optional<GroupColumns> evaluate_tables(GroupTables&& finest, std::span<const GroupKey> keys,
                                            const Labels& labels, const Spec& spec, int threads,
                                            std::span<const Grouping> groupings) {
  if (!are_affordable(keys, groupings, labels)) return std::nullopt;
  const std::vector<GroupTables> all = rolled_up(std::move(finest), keys, groupings, threads);
  const auto cells = static_cast<std::size_t>(all[0].side * all[0].side);
  GroupColumns out;
  std::vector<const std::int64_t*> counts;
  for (const GroupTables& of : all) {
    out.sizes.push_back(of.groups);
    for (std::size_t g = 0; g < static_cast<std::size_t>(of.groups); ++g) {
      counts.push_back(of.cells.data() + g * cells);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) out.keys.push_back(values_in(keys[i], i, all));
  const std::size_t groups = counts.size();
  for (auto* const totals : {&out.n, &out.n_dropped, &out.n_other}) {
    *totals = Pages<std::int64_t>(groups);
  }
  out.values = Pages<double>(groups * spec.asks.size());
  for (std::size_t m = 0; m < spec.asks.size(); ++m) out.valid.emplace_back((groups + 7) / 8);
  if (spec.reasons) {
    out.reasons = std::make_unique<Reasons>(static_cast<std::int64_t>(groups), spec.asks.size());
  }
  const std::size_t blocks = (groups + kGroups - 1) / kGroups;
  for_each_task(static_cast<std::int64_t>(blocks), blocks < 2 ? 1 : core_count(threads), [&] {
    return [&, block_of =
                   BlockOfGroups(spec, labels, cells, counts, out)](std::int64_t block) mutable {
      const std::size_t first = static_cast<std::size_t>(block) * kGroups;
      block_of(first, std::min(first + kGroups, groups));
    };
  });
  return out;
}

}  // namespace confmat
