#include "confmat/base/error.hpp"
#include "confmat/evaluate/workers.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/finish_lists.hpp"
#include "plugin/functions.hpp"

namespace confmat::plugin {
namespace {

// From here on the elements of a call are worth threads of our own: Polars hands over all groups
// of a query in one call, or in calls of 100,000 groups.
constexpr std::int64_t kManyElements = std::int64_t{1} << 20;

CodeWidth width_of(std::string_view format, const Labels& labels) {
  const CodeWidth width = code_width(labels.size());
  const char expected = width == CodeWidth::k8 ? 'C' : width == CodeWidth::k16 ? 'S' : 'I';
  if (format.size() != 1 || format[0] != expected) {
    throw InputError("the lists do not hold codes for these labels");
  }
  return width;
}

// Adds list i of a chunk to the cells.
void tally_list(const Lists& lists, std::int64_t i, CodeWidth width, std::span<std::int64_t> cells,
                int threads) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return;
  const auto* codes = static_cast<const std::byte*>(lists.elements->buffers[1]) +
                      (lists.elements->offset + begin) * static_cast<std::int64_t>(width);
  if (!tally_codes(codes, end - begin, width, cells, threads)) {
    throw InputError("a code that no label pair has");
  }
}

// Counts each list of codes; `make_sink()` gives each thread a sink(row of the result, cells).
template <class MakeSink>
void for_each_table(const ListInput& input, const Labels& labels, const MakeSink& make_sink) {
  const CodeWidth width = width_of(input.format, labels);
  const auto side = static_cast<std::size_t>(labels.size()) + 2;
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;  // one huge list: threads within it
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, sink = make_sink(),
              cells = std::vector<std::int64_t>(side * side)](std::int64_t i) mutable {
        std::ranges::fill(cells, 0);
        tally_list(lists, i, width, cells, inside);
        sink(lists.first_row + i, std::span<const std::int64_t>(cells));
      };
    });
  }
}

void finish_codes(const ListInput& input, const Spec& spec, const Labels& labels,
                  MetricStruct& out) {
  for_each_table(input, labels, [&] {
    return [&, evaluator = GroupEvaluator(spec), values = out.scratch()](
               std::int64_t row, std::span<const std::int64_t> cells) mutable {
      const auto totals = evaluator.codes(cells, values.data());
      out.set(row, totals, values);
    };
  });
}

}  // namespace

ListInput read_lists(const Inputs& inputs) {
  if (inputs.size() != 1) throw InputError("the expression takes one column");
  const ArrowSchema& schema = inputs.schema(0);
  if (std::string_view(schema.format) != "+L" || schema.n_children != 1) {
    throw InputError("the expression takes one List column, found " +
                     std::string(dtype_word(schema)));
  }
  ListInput out;
  out.format = schema.children[0]->format;
  for (const ArrowArray* array : inputs.chunks(0)) {
    Lists lists{array, nullptr, array->children[0], out.length};
    if (array->length > 0) {
      lists.offsets = static_cast<const std::int64_t*>(array->buffers[1]) + array->offset;
      out.n_elements += lists.offsets[array->length] - lists.offsets[0];
    }
    out.length += array->length;
    out.chunks.push_back(lists);
  }
  return out;
}

int threads_for(const ListInput& input) {
  return input.n_elements < kManyElements ? 1 : core_count(0);
}

Type finish_type(Fields fields, const Spec& spec) {
  return metric_struct_type(fields.empty() ? "" : fields[0].name, spec);
}

Result finish(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs);
  if (spec.weighted && input.format != "_pli128" && (spec.labels || input.format != "vz")) {
    throw InputError("the lists do not hold weighted pairs");
  }
  MetricStruct out(spec, input.length);
  if (input.format == (spec.weighted ? "_pli128" : "l")) {
    finish_wide(input, spec, out);
  } else if (spec.labels) {
    finish_codes(input, spec, *spec.labels, out);
  } else {
    finish_pairs(input, spec, out);
  }
  return {metric_struct_type(inputs.schema(0).name, spec), out.take()};
}

Type counts_type(Fields fields, const Spec& /*spec*/) {
  Type cells{"+L", fields.empty() ? "" : fields[0].name, {{"+L", "item", {{"L", "item"}}}}};
  return cells;
}

Result counts(const Inputs& inputs, const Spec& spec) {
  if (!spec.labels) throw InputError("`labels` is needed for counts");
  const ListInput input = read_lists(inputs);
  const auto k = spec.labels->size();
  const auto groups = static_cast<std::size_t>(input.length);
  Buffer values(groups * static_cast<std::size_t>(k * k) * sizeof(std::int64_t));
  Buffer inner((groups * static_cast<std::size_t>(k) + 1) * sizeof(std::int64_t));
  Buffer outer((groups + 1) * sizeof(std::int64_t));
  for (std::int64_t i = 0; i <= input.length * k; ++i) inner.as<std::int64_t>()[i] = i * k;
  for (std::int64_t i = 0; i <= input.length; ++i) outer.as<std::int64_t>()[i] = i * k;
  for_each_table(input, *spec.labels, [&] {
    return [&, evaluator = GroupEvaluator(spec), unused = std::vector<double>(spec.asks.size())](
               std::int64_t row, std::span<const std::int64_t> cells) mutable {
      static_cast<void>(evaluator.codes(cells, unused.data()));  // refuses other labels
      auto* to = values.as<std::int64_t>() + row * k * k;
      for (std::int64_t i = 0; i < k; ++i) {
        std::copy_n(cells.begin() + i * (k + 2), k, to + i * k);
      }
    };
  });
  Array inner_array{.length = input.length * k, .null_count = 0, .buffers = {}};
  inner_array.buffers.emplace_back();
  inner_array.buffers.push_back(std::move(inner));
  inner_array.children.push_back(primitive(input.length * k * k, std::move(values)));
  Array out{.length = input.length, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.push_back(std::move(outer));
  out.children.push_back(std::move(inner_array));
  Type type = counts_type({}, spec);
  type.name = inputs.schema(0).name;
  return {std::move(type), std::move(out)};
}

}  // namespace confmat::plugin
