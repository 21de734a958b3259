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

CodeWidth width_of(std::string_view format, const Spec& spec) {
  const CodeWidth width = code_width(spec.labels->size());
  const char expected = width == CodeWidth::k8 ? 'C' : width == CodeWidth::k16 ? 'S' : 'I';
  if (format.size() != 1 || format[0] != expected) {
    throw InputError("the lists do not hold codes for these labels");
  }
  return width;
}

// The codes of list i of a chunk.
const std::byte* codes_at(const Lists& lists, std::int64_t i, CodeWidth width) {
  const auto* values = static_cast<const std::byte*>(lists.elements->buffers[1]);
  return values +
         (lists.elements->offset + lists.range(i).first) * static_cast<std::int64_t>(width);
}

void tally_list(const Lists& lists, std::int64_t i, CodeWidth width,
                std::vector<std::int64_t>& cells, int threads) {
  std::fill(cells.begin(), cells.end(), 0);
  const auto [begin, end] = lists.range(i);
  if (begin == end) return;
  if (!tally_codes(codes_at(lists, i, width), end - begin, width, cells, threads)) {
    throw InputError("a code that no label pair has");
  }
}

std::vector<std::int64_t> code_cells(const Spec& spec) {
  const auto side = static_cast<std::size_t>(spec.labels->size()) + 2;
  return std::vector<std::int64_t>(side * side);
}

void finish_codes(const ListInput& input, const Spec& spec, MetricStruct& out) {
  const CodeWidth width = width_of(input.format, spec);
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;  // one huge list: threads within it
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, evaluator = GroupEvaluator(spec), cells = code_cells(spec),
              values = out.scratch()](std::int64_t i) mutable {
        tally_list(lists, i, width, cells, inside);
        const auto totals = evaluator.codes(cells, values.data());
        out.set(lists.first_row + i, totals, values);
      };
    });
  }
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
    finish_codes(input, spec, out);
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
  const CodeWidth width = width_of(input.format, spec);
  const auto k = spec.labels->size();
  const auto cells_each = static_cast<std::size_t>(k * k);
  const auto groups = static_cast<std::size_t>(input.length);
  Buffer values(groups * cells_each * sizeof(std::int64_t));
  Buffer inner((groups * static_cast<std::size_t>(k) + 1) * sizeof(std::int64_t));
  Buffer outer((groups + 1) * sizeof(std::int64_t));
  for (std::int64_t i = 0; i <= input.length * k; ++i) inner.as<std::int64_t>()[i] = i * k;
  for (std::int64_t i = 0; i <= input.length; ++i) outer.as<std::int64_t>()[i] = i * k;
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, evaluator = GroupEvaluator(spec), cells = code_cells(spec),
              unused = std::vector<double>(spec.asks.size())](std::int64_t i) mutable {
        tally_list(lists, i, width, cells, inside);
        static_cast<void>(evaluator.codes(cells, unused.data()));
        auto* to = values.as<std::int64_t>() + (lists.first_row + i) * k * k;
        for (std::int64_t row = 0; row < k; ++row) {
          std::copy_n(cells.begin() + row * (k + 2), k, to + row * k);
        }
      };
    });
  }
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
