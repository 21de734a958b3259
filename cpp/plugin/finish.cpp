// Lists of codes, one a group, as metrics or counts: codes of labels that are known beforehand.
#include "confmat/arrow/check.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/weighted_groups.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/finish_lists.hpp"
#include "plugin/functions.hpp"
#include "plugin/known_labels.hpp"

namespace confmat::plugin {
namespace {

// From here on the elements of a call are worth threads of our own: Polars hands over all groups
// of a query in one call, or in calls of 100,000 groups.
constexpr std::int64_t kManyElements = std::int64_t{1} << 20;

// The codes of list i of a chunk, and how many they are.
std::pair<const std::byte*, std::int64_t> codes_of(const Lists& lists, std::int64_t i,
                                                   CodeWidth width) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return {nullptr, 0};
  return {static_cast<const std::byte*>(lists.elements->buffers[1]) +
              (lists.elements->offset + begin) * static_cast<std::int64_t>(width),
          end - begin};
}

// Adds list i of a chunk to the cells.
void tally_list(const Lists& lists, std::int64_t i, CodeWidth width, std::span<std::int64_t> cells,
                int threads) {
  const auto [codes, n] = codes_of(lists, i, width);
  if (n > 0 && !tally_codes(codes, n, width, cells, threads)) {
    throw InputError("a code that no label pair has");
  }
}

void widen(const std::byte* codes, std::int64_t n, CodeWidth width,
           std::vector<std::uint32_t>& out) {
  const auto fill = [&](auto like) {
    const auto* from = reinterpret_cast<const decltype(like)*>(codes);
    out.assign(from, from + n);
  };
  if (width == CodeWidth::k8) {
    fill(std::uint8_t{});
  } else if (width == CodeWidth::k16) {
    fill(std::uint16_t{});
  } else {
    fill(std::uint32_t{});
  }
}

// Counts each list of codes; `make_sink()` gives each thread a sink: few(row of the result,
// codes, their number), and cells(row of the result, cells) where that returns false.
template <class MakeSink>
void for_each_table(const ListInput& input, const Labels& labels, const MakeSink& make_sink) {
  const CodeWidth width = width_of(input.format, labels);
  const auto side = static_cast<std::size_t>(labels.size()) + 2;
  const int threads = threads_for(input);
  const int inside = input.length == 1 ? threads : 1;  // one huge list: threads within it
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, sink = make_sink(), cells = std::vector<std::int64_t>()](std::int64_t i) mutable {
        const auto [codes, n] = codes_of(lists, i, width);
        if (sink.few(lists.first_row + i, codes, n)) return;
        cells.assign(side * side, 0);
        tally_list(lists, i, width, cells, inside);
        sink.cells(lists.first_row + i, std::span<const std::int64_t>(cells));
      };
    });
  }
}

class MetricSink {
 public:
  MetricSink(const Spec& spec, CodeWidth width, MetricStruct& out)
      : evaluator_(spec, *spec.coded()), width_(width), values_(out.scratch()), out_(&out) {}
  bool few(std::int64_t row, const std::byte* codes, std::int64_t n) {
    if (!evaluator_.are_few(static_cast<std::size_t>(n))) return false;
    widen(codes, n, width_, codes_);
    GroupTotals totals;
    if (!evaluator_.few(codes_, {}, totals, values_.data())) return false;
    out_->set(row, totals, values_, evaluator_.reasons());
    return true;
  }
  void cells(std::int64_t row, std::span<const std::int64_t> cells) {
    const auto totals = evaluator_.codes(cells, values_.data());
    out_->set(row, totals, values_, evaluator_.reasons());
  }

 private:
  GroupEvaluator evaluator_;
  CodeWidth width_;
  std::vector<double> values_;
  std::vector<std::uint32_t> codes_;
  MetricStruct* out_;
};

class CountSink {
 public:
  CountSink(const Spec& spec, std::int64_t k, std::int64_t* to)
      : evaluator_(spec), unused_(spec.asks.size()), k_(k), to_(to) {}
  static bool few(std::int64_t /*row*/, const std::byte* /*codes*/, std::int64_t /*n*/) {
    return false;
  }
  void cells(std::int64_t row, std::span<const std::int64_t> cells) {
    static_cast<void>(evaluator_.codes(cells, unused_.data()));  // refuses other labels
    auto* to = to_ + row * k_ * k_;
    for (std::int64_t i = 0; i < k_; ++i) {
      std::copy_n(cells.begin() + i * (k_ + 2), k_, to + i * k_);
    }
  }

 private:
  GroupEvaluator evaluator_;
  std::vector<double> unused_;
  std::int64_t k_;
  std::int64_t* to_;
};

// The format of the elements of a List column; empty for another one.
std::string_view element_of(const ArrowSchema& field) {
  const bool list = std::string_view(field.format) == "+L" && field.n_children == 1 &&
                    field.children != nullptr && field.children[0] != nullptr &&
                    field.children[0]->format != nullptr;
  return list ? std::string_view(field.children[0]->format) : std::string_view();
}

// The request behind the codes: another one where they are of two Boolean columns.
const Spec* asked_of(const Spec& spec, const ArrowSchema& lists) {
  const bool booleans = spec.of_booleans != nullptr && are_of_booleans(element_of(lists));
  return booleans ? spec.of_booleans.get() : &spec;
}

// Throws InputError when the matrices of all groups are larger than 1 GiB.
void require_counts_fit(std::int64_t groups, std::int64_t k) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  const std::int64_t bytes = k * k * static_cast<std::int64_t>(sizeof(std::int64_t));
  if (bytes == 0 || groups <= kMostBytes / bytes) return;
  throw InputError("the counts of " + std::to_string(groups) + " groups with " + std::to_string(k) +
                   " labels need " + std::to_string(bytes) + " bytes each, the limit of all is " +
                   std::to_string(kMostBytes));
}

// Codes of known labels tell of nulls themselves.
void require_no_nulls(const ListInput& input) {
  for (const Lists& lists : input.chunks) {
    const ArrowArray& elements = *lists.elements;
    if (elements.null_count == 0 || elements.length == 0 || elements.buffers[0] == nullptr)
      continue;
    const auto* validity = static_cast<const std::uint8_t*>(elements.buffers[0]);
    for (std::int64_t bit = elements.offset; bit < elements.offset + elements.length; ++bit) {
      if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) throw InputError("a code that is null");
    }
  }
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

// The first and the last were looked at by check_array().
void check_offsets(const Lists& lists) {
  const std::int64_t n = lists.array->length;
  bool ascend = true;
  for (std::int64_t i = 0; i < n; ++i) ascend &= lists.offsets[i] <= lists.offsets[i + 1];
  if (!ascend || lists.offsets[n] > lists.elements->length) {
    throw InputError("the offsets of the lists do not ascend, or pass their elements");
  }
}

}  // namespace

CodeWidth width_of(std::string_view format, const Labels& labels) {
  const CodeWidth width = code_width(labels.size());
  const std::string_view expected = labels.kind == Labels::Kind::kBool && are_of_booleans(format)
                                        ? kBooleanCodes
                                    : width == CodeWidth::k8  ? "C"
                                    : width == CodeWidth::k16 ? "S"
                                                              : "I";
  if (format != expected) throw InputError("the lists do not hold codes for these labels");
  return width;
}

ListInput read_lists(const Inputs& inputs, std::size_t columns) {
  if (inputs.size() != columns) {
    throw InputError("the expression takes " + std::to_string(columns) +
                     (columns == 1 ? " column" : " columns"));
  }
  const ArrowSchema& schema = inputs.schema(0);
  if (std::string_view(schema.format) != "+L" || schema.n_children != 1) {
    throw InputError("the expression takes one List column, found " +
                     std::string(dtype_word(schema)));
  }
  if (element_of(schema).empty()) {
    throw InputError("the expression takes one List column, found lists of nothing");
  }
  const ArrowSchema& element = *schema.children[0];
  ListInput out;
  out.format = element.format;
  for (const ArrowArray* array : inputs.chunks(0)) {
    check_array(schema, format_of(schema.format), *array, "lists");
    if (array->children[0] == nullptr) throw InputError("the elements of the lists are null");
    Lists lists{array, nullptr, array->children[0], out.length};
    if (array->length > 0) {
      check_array(element, format_of(element.format), *lists.elements, "lists");
      lists.offsets = static_cast<const std::int64_t*>(array->buffers[1]) + array->offset;
      check_offsets(lists);
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
    const Labels& labels = *spec.coded();
    for_each_table(input, labels, [&] { return MetricSink(spec, code_width(labels.size()), out); });
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
  require_no_nulls(input);
  const auto k = spec.labels->size();
  const auto groups = static_cast<std::size_t>(input.length);
  require_counts_fit(input.length, k);
  Buffer values(groups * static_cast<std::size_t>(k * k) * sizeof(std::int64_t));
  Buffer inner((groups * static_cast<std::size_t>(k) + 1) * sizeof(std::int64_t));
  Buffer outer((groups + 1) * sizeof(std::int64_t));
  for (std::int64_t i = 0; i <= input.length * k; ++i) inner.as<std::int64_t>()[i] = i * k;
  for (std::int64_t i = 0; i <= input.length; ++i) outer.as<std::int64_t>()[i] = i * k;
  for_each_table(input, *spec.labels,
                 [&] { return CountSink(spec, k, values.as<std::int64_t>()); });
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
