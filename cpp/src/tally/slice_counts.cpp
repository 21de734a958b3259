// Counts batches into the tables that are there; where a row has what these do not know, lays out
// wider tables, and counts the batch again.
#include "confmat/tally/slice_counts.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "cell_sums.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/count.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "kept_groups.hpp"
#include "short_ranges.hpp"
#include "slice_row_tables.hpp"
#include "slice_weight_tables.hpp"
#include "wider_keys.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostFound = 1024;  // labels; of more, tables of all slices are mostly empty

Labels united(const Labels& known, Labels&& fresh) {
  if (known.size() == 0) return std::move(fresh);
  Labels out;
  out.kind = known.kind;
  std::ranges::set_union(known.ints, fresh.ints, std::back_inserter(out.ints));
  std::ranges::set_union(known.texts, fresh.texts, std::back_inserter(out.texts));
  return out;
}

// Throws InputError where a batch has labels of another kind than those before.
void require_same(Chunks y_true, Chunks y_pred, Labels::Kind kind, Labels::Kind before) {
  require_kind(y_true, "y_true", before);
  require_kind(y_pred, "y_pred", before);
  const auto has_values = [](Chunks column) {
    return std::ranges::any_of(column, [](const Column& c) { return c.type != DType::kNull; });
  };
  if (kind != before && (has_values(y_true) || has_values(y_pred))) {
    throw InputError("the labels of rows before were " +
                     std::string(before == Labels::Kind::kBool ? "Booleans" : "integers") +
                     ", and these are " +
                     std::string(kind == Labels::Kind::kBool ? "Booleans" : "integers") +
                     ": labels of one kind are needed");
  }
}

bool are_null(Chunks column) {
  return std::ranges::all_of(column, [](const Column& c) { return c.type == DType::kNull; });
}

// The state of a slice, of the cells of its table; labels that were found are those of its rows.
template <class Cell>
Counts weighted_state(const Cell* cells, const std::int64_t* rows, const SharedLabels& shared) {
  const Labels& labels = shared->labels;
  const bool found = shared->origin == Origin::kFound;
  const auto k = static_cast<std::size_t>(labels.size());
  const std::size_t side = k + 2;
  Counted counted;
  counted.labels.kind = labels.kind;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < k; ++i) {
    bool stays = !found;
    for (std::size_t j = 0; j < k && !stays; ++j) {
      stays = rows[i * side + j] != 0 || rows[j * side + i] != 0;
    }
    if (!stays) continue;
    kept.push_back(i);
    counted.labels.add(labels, i);
  }
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      const std::int64_t n = rows[i * side + j];
      counted.n_rows += n;
      (std::max(i, j) > k ? counted.n_dropped : counted.n_other) += std::max(i, j) >= k ? n : 0;
    }
  }
  const std::size_t n = kept.size();
  const auto at = [&](std::size_t i) -> const Cell& {
    return cells[kept[i / n] * side + kept[i % n]];
  };
  put_sums(n * n, at, counted);
  Counts state = state_of(std::move(counted), !found, true);
  if (!found) state.labels = shared;
  return state;
}

// The slices whose tables have rows.
template <class Cell>
WeightedSlices states_of(SliceWeightTables<Cell>& tables, const GroupPlan& plan,
                         const SharedLabels& labels, int threads) {
  tables.settle();
  const std::vector<std::int64_t>& rows = tables.rows();
  WeightedSlices out;
  out.numbers.resize(plan.keys.size());
  std::vector<std::size_t> slots;
  std::vector<std::uint32_t> numbers(plan.keys.size());
  for (std::size_t slot = 0; slot < plan.tables; ++slot) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(slot * plan.cells);
    if (std::none_of(first, first + static_cast<std::ptrdiff_t>(plan.cells), std::identity{})) {
      continue;
    }
    if (!split(slot, plan.keys, numbers)) continue;
    slots.push_back(slot);
    for (std::size_t at = 0; at < numbers.size(); ++at) out.numbers[at].push_back(numbers[at]);
  }
  out.states.resize(slots.size());
  constexpr std::size_t kWorthThreads = 64;
  for_each_task(static_cast<std::int64_t>(slots.size()),
                slots.size() < kWorthThreads ? 1 : core_count(threads), [&] {
                  return [&](std::int64_t slice) {
                    const auto at = static_cast<std::size_t>(slice);
                    const std::size_t first = slots[at] * plan.cells;
                    out.states[at] =
                        weighted_state(tables.cells().data() + first, rows.data() + first, labels);
                  };
                });
  return out;
}

}  // namespace

// What is counted is known when the first batch comes.
struct SliceCounts::Tables {
  WeightKind kind;
  std::variant<SliceRowTables, SliceWeightTables<IntWeightCell>, SliceWeightTables<FloatWeightCell>>
      of;

  explicit Tables(WeightKind weights) : kind(weights) {
    if (weights == WeightKind::kInt) of.emplace<SliceWeightTables<IntWeightCell>>();
    if (weights == WeightKind::kFloat) of.emplace<SliceWeightTables<FloatWeightCell>>();
  }
  [[nodiscard]] std::int64_t cell_bytes(int threads) const {
    return std::visit([&](const auto& tables) { return tables.cell_bytes(threads); }, of);
  }
};

SliceCounts::SliceCounts(std::optional<Labels> given, const SliceOptions& options)
    : given_(given.has_value()), options_(options) {
  if (given) labels_ = std::move(*given);
  set_ = fixed_classes(labels_);
}
SliceCounts::SliceCounts(SliceCounts&&) noexcept = default;
SliceCounts& SliceCounts::operator=(SliceCounts&&) noexcept = default;
SliceCounts::~SliceCounts() = default;

bool SliceCounts::is_weighted() const noexcept {
  return tables_ != nullptr && tables_->kind != WeightKind::kNone;
}

GroupPlan SliceCounts::plan(Chunks y_true, Chunks y_pred) const {
  GroupPlan plan{.keys = keys_, .y_true = y_true, .y_pred = y_pred, .set = &set_};
  plan.tables = slots_;
  plan.cells = (std::size_t{set_.classes} + 2) * (set_.classes + 2);
  return plan;
}

bool SliceCounts::add(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred,
                      Chunks sample_weight) {
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  for (const Chunks key : keys) require_equal_lengths(rows, "y_true", total_length(key), "by");
  WeightKind weights = weight_kind(sample_weight);
  if (weights != WeightKind::kNone) {
    require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  }
  if (slots_ == 0) {
    tables_ = std::make_unique<Tables>(weights);
  } else if (weights != WeightKind::kNone && are_null(sample_weight)) {
    weights = tables_->kind;
  }
  if (given_) {
    require_kind(y_true, "y_true", labels_.kind);
    require_kind(y_pred, "y_pred", labels_.kind);
  } else {
    const Labels::Kind kind = joint_kind(y_true, y_pred);
    if (labels_.size() > 0) require_same(y_true, y_pred, kind, labels_.kind);
  }
  bool readable = keys_.size() == keys.size();
  for (std::size_t i = 0; readable && i < keys.size(); ++i) {
    readable = can_read(keys_[i], keys[i]);
    keys_[i].values = keys[i];
  }
  refused_ = false;
  if (tables_->kind != weights) return false;
  if (readable && count(y_true, y_pred, sample_weight, rows)) return true;
  if (refused_) return false;
  return learn(keys, y_true, y_pred) && count(y_true, y_pred, sample_weight, rows);
}

// Counts a batch; or nothing, where a row has what the tables do not know or reading throws.
bool SliceCounts::count(Chunks y_true, Chunks y_pred, Chunks sample_weight, std::int64_t rows) {
  const GroupPlan plan = this->plan(y_true, y_pred);
  const int threads = thread_count(options_.threads, rows);
  const Refusal refusal{.of_labels = !given_ || options_.refuse_other};
  const Strangers met = std::visit(
      [&](auto& tables) {
        if constexpr (std::is_same_v<decltype(tables), SliceRowTables&>) {
          return tables.count(plan, rows, threads, refusal);
        } else {
          return tables.count(plan, sample_weight, rows, threads, refusal);
        }
      },
      tables_->of);
  refused_ = given_ && options_.refuse_other && met.label;
  return !refusal.applies(met);
}

// Learns what the batch has; false where it does not fit.
bool SliceCounts::learn(std::span<const Chunks> keys, Chunks y_true, Chunks y_pred) {
  std::optional<std::vector<GroupKey>> wider = wider_keys(keys_, keys, options_.threads);
  if (!wider) return false;
  Labels labels = labels_;
  if (!given_) {
    Counted found = confmat::count(y_true, y_pred, {}, {.threads = options_.threads});
    if (found.labels.size() > kMostFound) return false;
    labels = united(labels_, std::move(found.labels));
    if (labels.size() > kMostFound) return false;
  }
  return lay_out(std::move(*wider), std::move(labels));
}

// Moves what was counted to tables of wider keys and of more labels; false where these are too
// large.
bool SliceCounts::lay_out(std::vector<GroupKey>&& keys, Labels&& labels) {
  const auto side = static_cast<std::size_t>(labels.size()) + 2;
  const int threads = core_count(options_.threads);
  const auto cells = static_cast<std::int64_t>(side * side);
  const std::int64_t most = options_.max_bytes / (cells * tables_->cell_bytes(threads));
  std::int64_t slots = 1;
  for (const GroupKey& key : keys) {
    if (key.numbers() > most / slots) return false;
    slots *= key.numbers();
  }
  std::optional<CellMoves> moves;
  if (slots_ > 0) moves.emplace(keys_, labels_, keys, labels);
  const auto size = static_cast<std::size_t>(slots * cells);
  const CellMoves* const to = moves ? &*moves : nullptr;
  std::visit([&](auto& tables) { tables.lay_out(size, threads, to); }, tables_->of);
  ClassSet set = fixed_classes(labels);
  keys_ = std::move(keys);
  labels_ = std::move(labels);
  set_ = std::move(set);
  slots_ = static_cast<std::size_t>(slots);
  return true;
}

GroupTables SliceCounts::tables() const {
  if (slots_ == 0) return {};
  return keep_groups(std::get<SliceRowTables>(tables_->of).sums(), plan({}, {}));
}

WeightedSlices SliceCounts::weighted(Origin origin) {
  if (slots_ == 0) return {};
  const GroupPlan plan = this->plan({}, {});
  const auto states = [&](auto& tables) -> WeightedSlices {
    if constexpr (std::is_same_v<decltype(tables), SliceRowTables&>) {
      return {};
    } else {
      const auto labels = std::make_shared<const LabelSet>(LabelSet{labels_, origin, 0});
      return states_of(tables, plan, labels, options_.threads);
    }
  };
  return std::visit(states, tables_->of);
}

}  // namespace confmat
