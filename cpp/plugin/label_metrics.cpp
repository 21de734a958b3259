// Lists of codes, one a group, as metrics: codes of labels that are known beforehand, or of pairs
// of labels that nobody has named.
#include <memory>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/enum_groups.hpp"
#include "confmat/evaluate/pair_tally.hpp"
#include "confmat/evaluate/weighted_groups.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/functions.hpp"
#include "plugin/known_labels.hpp"
#include "plugin/lists.hpp"

namespace confmat::plugin {
namespace {

// Codes of known labels, each list of them counted in a table, or sorted where they are few.
class CodeGroups {
 public:
  CodeGroups(const Spec& spec, std::string_view format, int threads, MetricStruct& out)
      : evaluator_(spec, *spec.coded()),
        width_(width_of(format, *spec.coded())),
        side_(static_cast<std::size_t>(spec.coded()->size()) + 2),
        threads_(threads),
        values_(out.scratch()),
        out_(&out) {}
  void evaluate(const Lists& lists, std::int64_t i) {
    const auto [codes, n] = codes_of(lists, i, width_);
    const GroupTotals totals = totals_of(codes, n);
    out_->set(lists.first_row + i, totals, values_, evaluator_.reasons());
  }

 private:
  GroupTotals totals_of(const std::byte* codes, std::int64_t n) {
    if (evaluator_.are_few(static_cast<std::size_t>(n))) {
      widen(codes, n, width_, codes_);
      GroupTotals totals;
      if (evaluator_.few(codes_, {}, totals, values_.data())) return totals;
    }
    cells_.assign(side_ * side_, 0);
    if (n > 0 && !tally_codes(codes, n, width_, cells_, threads_)) {
      throw InputError("a code that no label pair has");
    }
    return evaluator_.codes(cells_, values_.data());
  }

  GroupEvaluator evaluator_;
  CodeWidth width_;
  std::size_t side_;
  int threads_;
  std::vector<double> values_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::int64_t> cells_;
  MetricStruct* out_;
};

void evaluate_codes(const ListInput& input, const Spec& spec, MetricStruct& out) {
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;  // one huge list: threads within it
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, groups = CodeGroups(spec, input.format, inside, out)](std::int64_t i) mutable {
        groups.evaluate(lists, i);
      };
    });
  }
}

// The request behind the codes: another one where they are of two Boolean columns.
const Spec* asked_of(const Spec& spec, const ArrowSchema& lists) {
  const bool booleans = spec.of_booleans != nullptr && are_of_booleans(element_format(lists));
  return booleans ? spec.of_booleans.get() : &spec;
}

void evaluate_weighted(const ListInput& input, const Spec& spec, MetricStruct& out) {
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads_for(input), [&] {
      return [&, groups = WeightedGroups(spec), values = out.scratch()](std::int64_t i) mutable {
        const auto totals = groups.evaluate(rows_of<WeightedCode>(lists, i), values.data());
        out.set(lists.first_row + i, totals, values, groups.reasons());
      };
    });
  }
}

// One huge list, cut into a part for each thread.
void tally_in_parts(PairTally& tally, const PairReading& pairs, const Lists& lists, int threads) {
  const auto [begin, end] = lists.range(0);
  std::vector<std::unique_ptr<PairTally>> parts;
  parts.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) parts.push_back(std::make_unique<PairTally>(pairs));
  for_each_task(threads, threads, [&, first = begin, n = end - begin] {
    return [&, first, n](std::int64_t i) {
      add_pairs(*parts[static_cast<std::size_t>(i)], lists,
                {first + n * i / threads, first + n * (i + 1) / threads}, false);
    };
  });
  for (const auto& part : parts) tally.add(*part);
}

// Codes of labels that nobody has named (evaluate/pair_dictionary.hpp), with or without weights.
void evaluate_pairs(const ListInput& input, const Spec& spec, MetricStruct& out) {
  if (input.format != (spec.weighted ? "_pli128" : "I")) {
    throw InputError("the lists do not hold codes of label pairs");
  }
  const PairReading pairs = PairDictionary::shared().reading();
  const int threads = threads_for(input);
  const bool in_parts = input.length == 1 && threads > 1 && !spec.weighted;
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, evaluator = GroupEvaluator(spec), tally = std::make_unique<PairTally>(pairs),
              of_enum = EnumGroups(spec), values = out.scratch()](std::int64_t i) mutable {
        const auto [begin, end] = lists.range(i);
        if (in_parts) {
          tally_in_parts(*tally, pairs, lists, threads);
        } else {
          add_pairs(*tally, lists, {begin, end}, spec.weighted);
        }
        const Categories* categories = tally->resolve();
        if (categories == nullptr) {
          const std::int64_t rows = tally->rows();
          GroupTable table = tally->take(spec.weighted, spec.wants_squares());
          refuse_identifiers(table.labels.size(), rows);
          const auto totals = evaluator.table(std::move(table), values.data());
          out.set(lists.first_row + i, totals, values, evaluator.reasons());
        } else {
          const auto totals = of_enum.evaluate(*tally, end - begin, *categories, values.data());
          out.set(lists.first_row + i, totals, values, of_enum.reasons());
        }
      };
    });
  }
}

}  // namespace

Type label_metrics_type(Fields fields, const Spec& spec) {
  if (fields.empty()) throw InputError("the expression takes 1 column");
  return metric_struct_type(fields[0].name, *asked_of(spec, fields[0]));
}

Result label_metrics(const Inputs& inputs, const Spec& request) {
  const ListInput input = read_lists(inputs);
  const Spec& asked = *asked_of(request, inputs.schema(0));
  const bool booleans = asked.coded() == nullptr && are_of_booleans(input.format);
  const Spec spec =
      booleans ? with_labels(asked, {.kind = Labels::Kind::kBool, .ints = {0, 1}, .texts = {}})
               : asked;
  if (spec.weighted && input.format != (booleans ? kWeightedBooleanCodes : "_pli128")) {
    throw InputError("the lists do not hold weighted codes");
  }
  if (spec.coded() != nullptr) require_no_nulls(input);
  MetricStruct out(spec, input.length);
  if (spec.coded() == nullptr) {
    evaluate_pairs(input, spec, out);
  } else if (spec.weighted) {
    evaluate_weighted(input, spec, out);
  } else {
    evaluate_codes(input, spec, out);
  }
  return {metric_struct_type(inputs.schema(0).name, spec), out.take()};
}

}  // namespace confmat::plugin
