#include <memory>
#include <optional>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/wide_code.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/finish_lists.hpp"

namespace confmat::plugin {
namespace {

WideCode code_of(WideCode row) { return row; }
WideCode code_of(const WeightedCode& row) { return row.code; }

// The rows of one group, and the evaluator of their label set. Where the classes have no names
// here, they are called by their positions.
class WideGroups {
 public:
  WideGroups(const Spec& spec, const Labels* categories) : spec_(spec), categories_(categories) {}

  [[nodiscard]] std::span<const std::string> reasons() const noexcept {
    return evaluator_->reasons();
  }

  GroupTotals codes(std::span<const WideCode> rows, double* values) {
    prepare(rows);
    GroupTotals totals;
    if (few(rows, totals, values)) return totals;
    clear(rows);
    for (const auto row : rows) ++counts_[row.code()];
    return evaluator_->codes(counts_, values);
  }

  GroupTotals weighted(std::span<const WeightedCode> rows, double* values) {
    prepare(rows);
    GroupTotals totals;
    if (few(rows, totals, values)) return totals;
    clear(rows);
    // Exact sums, one cell after the other: rows are sorted by code first.
    for (const auto& row : rows) ++counts_[row.code.code()];
    std::vector<std::size_t> next(counts_.size() + 1);
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      next[c + 1] = next[c] + static_cast<std::size_t>(counts_[c]);
    }
    std::vector<double> sorted(rows.size());
    for (const auto& row : rows) {
      sorted[next[row.code.code()]++] = row.weight;
    }
    const auto k = static_cast<std::size_t>(classes_);
    const auto side = k + 2;
    std::vector<double> cells(k * k);
    totals = {};
    ExactSum n;
    for (std::size_t c = 0, at = 0; c < counts_.size(); ++c) {
      const auto i = c / side;
      const auto j = c % side;
      const auto end = at + static_cast<std::size_t>(counts_[c]);
      if (i > k || j > k) {
        totals.n_dropped += counts_[c];
      } else if (i == k || j == k) {
        totals.n_other += counts_[c];
      } else if (at < end) {
        ExactSum cell;
        for (std::size_t r = at; r < end; ++r) {
          check_weight(sorted[r]);
          cell.add(sorted[r]);
        }
        cells[i * k + j] = cell.value();
        n.add(cells[i * k + j]);
      }
      at = end;
    }
    totals.weight = n.value();
    return evaluator_->weighted(cells, totals, values);
  }

 private:
  template <class Row>
  bool few(std::span<const Row> rows, GroupTotals& totals, double* values) {
    if (!evaluator_->are_few(rows.size())) return false;
    codes_.clear();
    weights_.clear();
    for (const auto& row : rows) {
      codes_.push_back(code_of(row).code());
      if constexpr (std::is_same_v<Row, WeightedCode>) weights_.push_back(row.weight);
    }
    return evaluator_->few(codes_, weights_, totals, values);
  }

  // Empty counts.
  template <class Row>
  void clear(std::span<const Row> rows) {
    const auto side = static_cast<std::uint64_t>(classes_) + 2;
    counts_.assign(side * side, 0);
    for (const auto& row : rows) {
      if (code_of(row).code() >= side * side) throw InputError("a code that no label pair has");
    }
  }

  // The evaluator for the label set of these rows, which is the same for all of them.
  template <class Row>
  void prepare(std::span<const Row> rows) {
    const bool known = spec_.labels.has_value();
    const auto classes = known          ? spec_.labels->size()
                         : rows.empty() ? 0
                                        : code_of(rows[0]).classes();
    const auto pos = known || rows.empty() ? -1 : code_of(rows[0]).pos();
    if (!evaluator_ || classes != classes_ || pos != pos_) {
      classes_ = classes;
      pos_ = pos;
      own_ = spec_;
      if (!known) own_.labels = named(classes);
      if (!known) own_.options.implied = true;  // categories of an Enum
      // A positive class that is no category has no position, and must not pass for a name.
      if (!known) own_.positive.reset();
      if (!known && pos >= 0) {
        const auto at = static_cast<std::size_t>(pos);
        own_.positive = Labels{Labels::Kind::kText, {}, {own_.labels->texts.at(at)}};
      }
      evaluator_ = std::make_unique<GroupEvaluator>(own_);
    }
    for (const auto& row : rows) {
      if (code_of(row).classes() != classes) {
        throw InputError("a code that no label pair has");
      }
    }
  }

  [[nodiscard]] Labels named(std::int64_t classes) const {
    require_table_fits(static_cast<std::size_t>(classes));
    if (categories_ != nullptr && categories_->size() == classes) return *categories_;
    Labels labels;
    labels.kind = Labels::Kind::kText;
    for (std::int64_t i = 0; i < classes; ++i) labels.texts.push_back(std::to_string(i));
    return labels;
  }

  const Spec& spec_;
  const Labels* categories_;
  Spec own_;
  std::int64_t classes_ = 0;
  std::int64_t pos_ = -1;
  std::unique_ptr<GroupEvaluator> evaluator_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> codes_;
  std::vector<double> weights_;
};

template <class Row>
std::span<const Row> rows_of(const Lists& lists, std::int64_t i) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return {};
  const auto* rows = static_cast<const Row*>(lists.elements->buffers[1]) + lists.elements->offset;
  return {rows + begin, rows + end};
}

}  // namespace

void finish_wide(const ListInput& input, const Spec& spec, const Labels* categories,
                 MetricStruct& out) {
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads_for(input), [&] {
      return [&, groups = std::make_unique<WideGroups>(spec, categories),
              values = out.scratch()](std::int64_t i) mutable {
        const auto totals = spec.weighted
                                ? groups->weighted(rows_of<WeightedCode>(lists, i), values.data())
                                : groups->codes(rows_of<WideCode>(lists, i), values.data());
        out.set(lists.first_row + i, totals, values, groups->reasons());
      };
    });
  }
}

}  // namespace confmat::plugin
