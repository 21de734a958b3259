// Lists of codes, one a group, as metrics: codes of labels that are known beforehand.
#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
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
  void finish(const Lists& lists, std::int64_t i) {
    const auto [codes, n] = codes_of(lists, i, width_);
    const GroupTotals totals = evaluate(codes, n);
    out_->set(lists.first_row + i, totals, values_, evaluator_.reasons());
  }

 private:
  GroupTotals evaluate(const std::byte* codes, std::int64_t n) {
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

void finish_codes(const ListInput& input, const Spec& spec, MetricStruct& out) {
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;  // one huge list: threads within it
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, groups = CodeGroups(spec, input.format, inside, out)](std::int64_t i) mutable {
        groups.finish(lists, i);
      };
    });
  }
}

// The request behind the codes: another one where they are of two Boolean columns.
const Spec* asked_of(const Spec& spec, const ArrowSchema& lists) {
  const bool booleans = spec.of_booleans != nullptr && are_of_booleans(element_format(lists));
  return booleans ? spec.of_booleans.get() : &spec;
}

void finish_weighted(const ListInput& input, const Spec& spec, MetricStruct& out) {
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads_for(input), [&] {
      return [&, groups = WeightedGroups(spec), values = out.scratch()](std::int64_t i) mutable {
        const auto totals = groups.evaluate(rows_of<WeightedCode>(lists, i), values.data());
        out.set(lists.first_row + i, totals, values, groups.reasons());
      };
    });
  }
}

}  // namespace

Type finish_type(Fields fields, const Spec& spec) {
  if (fields.empty()) throw InputError("the expression takes 1 column");
  return metric_struct_type(fields[0].name, *asked_of(spec, fields[0]));
}

Result finish(const Inputs& inputs, const Spec& request) {
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
    finish_pairs(input, spec, out);
  } else if (spec.weighted) {
    finish_weighted(input, spec, out);
  } else {
    finish_codes(input, spec, out);
  }
  return {metric_struct_type(inputs.schema(0).name, spec), out.take()};
}

}  // namespace confmat::plugin
