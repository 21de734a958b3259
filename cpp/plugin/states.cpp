// States of groups of label pairs as Binary columns, and metrics of matrices.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/count_state.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/evaluate/met_outsiders.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/functions.hpp"
#include "plugin/known_labels.hpp"
#include "plugin/lists.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

// So many fewer codes than cells are sorted, not counted in a table.
constexpr std::size_t kFewShare = 16;

SharedLabels shared(Labels labels, Origin origin) {
  if (labels.size() == 0) labels.kind = Labels::Kind::kInt;  // none of any kind
  return std::make_shared<const LabelSet>(LabelSet{std::move(labels), origin, 0});
}

// The states of groups, one after the other, by one thread.
class GroupStates {
 public:
  // `known`: the labels that codes stand for; null: codes of pairs.
  GroupStates(const Spec& spec, SharedLabels known, std::string_view format, Weights weights)
      : spec_(spec), known_(std::move(known)), weights_(weights) {
    if (!known_) {
      pairs_ = std::make_unique<PairReading>(PairDictionary::shared().reading());
      tally_ = std::make_unique<PairTally>(*pairs_);
    } else if (!spec.weighted) {
      width_ = width_of(format, known_->labels);
    }
  }

  // `dropped`: rows left out beside those of the list.
  std::vector<std::uint8_t> of(const Lists& lists, std::int64_t i, std::int64_t dropped) {
    Counts state = known_ ? of_known(lists, i) : of_pairs(lists, i);
    if (weights_ == Weights::kRows) state.rows.dropped = dropped;
    if (state.rows.other > 0 && !spec_.bucket_other) {
      MetOutsiders::shared().refuse(state.labels->labels, state.rows.other);
    }
    if (spec_.positive) state = with_positive(std::move(state), *spec_.positive);
    return confmat::encode(state);
  }

 private:
  Counts of_known(const Lists& lists, std::int64_t i) {
    const auto side = static_cast<std::size_t>(known_->size()) + 2;
    if (spec_.weighted) {
      const auto rows = rows_of<WeightedCode>(lists, i);
      for (const WeightedCode& row : rows) {
        if (row.code >= side * side) throw InputError("a code that no label pair has");
      }
      return state_of(rows, known_, weights_);
    }
    const auto [codes, n] = codes_of(lists, i, width_);
    if (static_cast<std::size_t>(n) < side * side / kFewShare) {
      widen(codes, n, width_, codes_);
      for (const std::uint32_t code : codes_) {
        if (code >= side * side) throw InputError("a code that no label pair has");
      }
      return state_of(codes_, known_);
    }
    cells_.assign(side * side, 0);
    if (n > 0 && !tally_codes(codes, n, width_, cells_)) {
      throw InputError("a code that no label pair has");
    }
    return state_of(cells_, known_);
  }

  Counts of_pairs(const Lists& lists, std::int64_t i) {
    add_pairs(*tally_, lists, lists.range(i), spec_.weighted);
    const Categories* const categories = tally_->resolve();
    if (categories != nullptr) {
      if (!of_type_ || of_type_->labels.texts != *categories) {
        of_type_ = shared({Labels::Kind::kText, {}, *categories}, Origin::kOfType);
      }
      if (spec_.weighted) {
        tally_->take_known(rows_);
        return state_of(rows_, of_type_, weights_);
      }
      const auto side = static_cast<std::size_t>(of_type_->size()) + 2;
      cells_.assign(side * side, 0);
      tally_->take_known(cells_);
      return state_of(cells_, of_type_);
    }
    if (!spec_.weighted) return state_of(tally_->take(false));
    Labels found = tally_->take_found(rows_);
    return state_of(rows_, shared(std::move(found), Origin::kFound), weights_);
  }

  const Spec& spec_;
  SharedLabels known_;
  Weights weights_;
  CodeWidth width_ = CodeWidth::k8;
  std::unique_ptr<PairReading> pairs_;
  std::unique_ptr<PairTally> tally_;
  SharedLabels of_type_;  // of the Enum met last
  std::vector<std::int64_t> cells_;
  std::vector<std::uint32_t> codes_;
  std::vector<WeightedCode> rows_;
};

// The metrics of matrices. One that names its positive class is asked about it, unless the request
// names another.
class StateMetrics {
 public:
  explicit StateMetrics(const Spec& spec) : asked_(spec), evaluator_(asked_) {}

  GroupTotals evaluate(const Counts& counts, double* values) {
    const std::uint32_t positive = asked_.positive ? 0 : counts.labels->positive;
    last_ = &evaluator_;
    if (positive > 0) {
      Labels label{counts.labels->labels.kind, {}, {}};
      label.add(counts.labels->labels, positive - 1);
      if (!named_ || named_->positive != label) {
        named_evaluator_.reset();
        named_ = std::make_unique<Spec>(asked_);
        named_->positive = std::move(label);
        named_evaluator_ = std::make_unique<GroupEvaluator>(*named_);
      }
      last_ = named_evaluator_.get();
    }
    return last_->table(table_of(counts), values);
  }
  [[nodiscard]] std::span<const std::string> reasons() const { return last_->reasons(); }

 private:
  const Spec& asked_;
  GroupEvaluator evaluator_;
  std::unique_ptr<Spec> named_;
  std::unique_ptr<GroupEvaluator> named_evaluator_;
  GroupEvaluator* last_ = &evaluator_;
};

// The states of lists of codes. `dropped`: the rows left out of each beside those of its list.
Result states_of(const ListInput& input, const ArrowSchema& lists, const Spec& spec,
                 Weights weights, std::span<const std::int64_t> dropped) {
  SharedLabels known;
  if (spec.labels) {
    known = shared(*spec.labels, Origin::kGiven);
  } else if (are_of_booleans(input.format)) {
    known = shared({Labels::Kind::kBool, {0, 1}, {}}, Origin::kOfType);
  }
  const bool of_weights = input.format == "_pli128" || input.format == kWeightedBooleanCodes;
  if (of_weights != spec.weighted || (!known && !spec.weighted && input.format != "I")) {
    throw InputError("the lists do not hold codes of label pairs");
  }
  if (known) require_no_nulls(input);
  BinaryViews states(static_cast<std::size_t>(input.length));
  for (const Lists& part : input.chunks) {
    for_each_task(part.array->length, threads_for(input), [&] {
      return [&, groups = std::make_unique<GroupStates>(spec, known, input.format, weights)](
                 std::int64_t i) {
        const auto row = static_cast<std::size_t>(part.first_row + i);
        states.put(row, groups->of(part, i, dropped.empty() ? 0 : dropped[row]));
      };
    });
  }
  return {label_state_type({&lists, 1}, spec), binaries(std::move(states))};
}

}  // namespace

Type label_state_type(Fields fields, const Spec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result label_state(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs, spec.weighted ? 2 : 1);
  const bool whole = spec.weighted && are_integers(inputs.schema(1));
  return states_of(input, inputs.schema(0), spec, whole ? Weights::kIntegers : Weights::kFloats,
                   {});
}

Type state_from_counts_type(Fields fields, const Spec& spec) {
  return label_state_type(fields, spec);
}

Result state_from_counts(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs, 2);
  if (!spec.weighted) throw InputError("the numbers of rows are missing");
  if (inputs.length(1) != input.length) throw InputError("columns of unequal lengths");
  const ArrowColumns owner = inputs.rows(1, "n");
  const Chunks chunks[] = {owner.chunks()};
  std::vector<std::int64_t> dropped, part;
  for_each_run(chunks, input.length, [&](std::int64_t, const std::vector<Column>& run) {
    read_numbers(run[0], run[0].length, part);
    dropped.insert(dropped.end(), part.begin(), part.end());
  });
  if (std::ranges::any_of(dropped, [](std::int64_t n) { return n < 0; })) {
    throw InputError("the numbers of rows of `n` sum to more than 2^63 - 1");
  }
  return states_of(input, inputs.schema(0), spec, Weights::kRows, dropped);
}

Type state_metrics_type(Fields fields, const Spec& spec) {
  Type type = label_metrics_type(fields, spec);
  OtherStates::add_field(type, spec);
  return type;
}

Result state_metrics(const Inputs& inputs, const Spec& spec) {
  const std::int64_t rows = rows_of_states(inputs);
  MetricStruct out(spec, rows);
  OtherStates others(spec, rows, "predicted classes");
  for (std::int64_t row = 0; row < rows; ++row) out.set_null(row);
  for_each_state_in_parallel(inputs, [&] {
    return [&, values = out.scratch(), metrics = std::make_unique<StateMetrics>(spec)](
               std::int64_t row, Bytes bytes) mutable {
      const StateKind kind = kind_of(bytes);
      if (kind != StateKind::kCounts) return others.take(row, kind, bytes);
      const auto totals = metrics->evaluate(decode_counts(bytes), values.data());
      out.set(row, totals, values, metrics->reasons());
    };
  });
  Array array = out.take();
  others.put(array);
  return {state_metrics_type({&inputs.schema(0), 1}, spec), std::move(array)};
}

}  // namespace confmat::plugin
