// Lists of codes of labels and scores, one a group, as metrics.
#include <cstring>
#include <memory>
#include <string>

#include "plugin/metric_struct.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_lists.hpp"

namespace confmat::plugin {
namespace {

// Calls body(i) for the elements that are not null; the others were dropped on the way.
template <class Body>
void for_each_valid(ScoreGroup& group, const ArrowArray& elements, std::int64_t begin,
                    std::int64_t end, const Body& body) {
  const auto* validity =
      elements.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (validity != nullptr && ((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      group.add({ScoredKind::kDropped});
    } else {
      body(i);
    }
  }
}

template <class Code>
void add_fixed(ScoreGroup& group, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* codes =
      static_cast<const typename Code::Bits*>(elements.buffers[1]) + elements.offset;
  if (elements.null_count == 0) {
    return group.add_codes<Code>(codes + begin, static_cast<std::size_t>(end - begin));
  }
  for_each_valid(group, elements, begin, end,
                 [&](std::int64_t i) { group.add(Code::unpack(codes[i])); });
}

void add_long(ScoreGroup& group, const Lists& lists, std::int64_t begin, std::int64_t end) {
  ArrowColumns column;
  column.add_binary(*lists.elements);
  for_each_valid(group, *lists.elements, begin, end, [&](std::int64_t i) {
    const std::string_view bytes = column.front().text(i);
    LongScore::Bits bits;
    if (bytes.size() != sizeof(bits)) throw StateError("a code that no label and score have");
    std::memcpy(&bits, bytes.data(), sizeof(bits));
    group.add(LongScore::unpack(bits));
  });
}

}  // namespace

AddScores add_scores_for(std::string_view format, const Spec& spec) {
  if (spec.weighted) {
    if (format == "_pli128") return add_fixed<WeightedScore>;
    if (format == "vz") return add_long;
  } else {
    if (format == "L") return add_fixed<NarrowScore>;
    if (format == "_pli128") return add_fixed<WideScore>;
  }
  throw InputError("the lists do not hold codes of labels and scores");
}

Type score_metrics_type(Fields fields, const Spec& spec) {
  return metric_struct_type(fields.empty() ? "" : fields[0].name, {spec, spec.weighted});
}

Result score_metrics(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs);
  MetricStruct out({spec, spec.weighted}, input.length);
  const std::size_t n = spec.score_asks.size();
  for_each_score_group(input, spec, [&] {
    return [&, values = std::vector<double>(n), texts = std::vector<std::string>(n)](
               std::int64_t row, ScoreGroup& group) mutable {
      group.sweep();
      group.values(values.data());
      if (spec.reasons) group.reasons(values.data(), texts.data());
      const auto rows = static_cast<std::int64_t>(spec.weighted ? 0 : group.n());
      out.set(row, {.n = rows, .weight = group.n(), .n_dropped = group.n_dropped()}, values, texts);
    };
  });
  return {metric_struct_type(inputs.schema(0).name, {spec, spec.weighted}), out.take()};
}

}  // namespace confmat::plugin
