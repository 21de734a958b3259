#include <bit>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "confmat/evaluate/workers.hpp"
#include "confmat/tally/encode.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/functions.hpp"
#include "plugin/metric_struct.hpp"

namespace confmat::plugin {
namespace {

// From here on the elements of a call are worth threads of our own: Polars hands over all groups
// of a query in one call, or in calls of 100,000 groups.
constexpr std::int64_t kManyElements = std::int64_t{1} << 20;

// One chunk of a List column: offsets into one array of elements.
struct Lists {
  const ArrowArray* array;
  const std::int64_t* offsets;
  const ArrowArray* elements;
  std::int64_t first_row;  // of the result

  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(std::int64_t i) const noexcept {
    return {offsets[i], offsets[i + 1]};
  }
};

struct ListInput {
  std::vector<Lists> chunks;
  std::string_view format;  // of the elements
  std::int64_t length = 0;
  std::int64_t n_elements = 0;
};

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

// Rows of known labels with weights: exact sums, one cell after the other.
class WeightedCells {
 public:
  explicit WeightedCells(const Spec& spec)
      : side_(static_cast<std::size_t>(spec.labels->size()) + 2), rows_(side_ * side_) {}

  GroupTotals sum(const Int128Bits* pairs, std::int64_t n, std::vector<double>& cells) {
    std::fill(rows_.begin(), rows_.end(), 0);
    for (std::int64_t i = 0; i < n; ++i) {
      if (pairs[i].high >= rows_.size()) throw InputError("a code that no label pair has");
      ++rows_[pairs[i].high];
    }
    std::vector<std::size_t> next(rows_.size() + 1);
    for (std::size_t c = 0; c < rows_.size(); ++c) next[c + 1] = next[c] + rows_[c];
    sorted_.resize(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      sorted_[next[pairs[i].high]++] = std::bit_cast<double>(pairs[i].low);
    }
    GroupTotals totals;
    const auto k = side_ - 2;
    ExactSum n_sum;
    ExactSum cell;
    std::size_t at = 0;
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      const auto i = c / side_;
      const auto j = c % side_;
      const auto rows = rows_[c];
      if (i > k || j > k) {
        totals.n_dropped += static_cast<std::int64_t>(rows);
      } else if (i == k || j == k) {
        totals.n_other += static_cast<std::int64_t>(rows);
      } else {
        cell = ExactSum();
        for (std::size_t r = 0; r < rows; ++r) {
          check_weight(sorted_[at + r]);
          cell.add(sorted_[at + r]);
        }
        cells[i * k + j] = cell.value();
        n_sum.add(cells[i * k + j]);
      }
      at += rows;
    }
    totals.n = n_sum.value();
    return totals;
  }

 private:
  std::size_t side_;
  std::vector<std::size_t> rows_;  // by code
  std::vector<double> sorted_;
};

void finish_weighted(const ListInput& input, const Spec& spec, MetricStruct& out) {
  if (input.format != "_pli128") throw InputError("the lists do not hold weighted codes");
  const auto k = static_cast<std::size_t>(spec.labels->size());
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads_for(input), [&] {
      return [&, evaluator = GroupEvaluator(spec), sums = WeightedCells(spec),
              cells = std::vector<double>(k * k), values = out.scratch()](std::int64_t i) mutable {
        const auto [begin, end] = lists.range(i);
        const auto* pairs = begin == end
                                ? nullptr
                                : static_cast<const Int128Bits*>(lists.elements->buffers[1]) +
                                      lists.elements->offset + begin;
        auto totals = sums.sum(pairs, end - begin, cells);
        totals = evaluator.weighted(cells, totals, values.data());
        out.set(lists.first_row + i, totals, values);
      };
    });
  }
}

template <class Word>
void add_words(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* words = static_cast<const Word*>(elements.buffers[1]) + elements.offset;
  const auto* validity =
      elements.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (validity != nullptr && ((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      tally.add_null();
    } else {
      tally.add(words[i]);
    }
  }
}

void finish_pairs(const ListInput& input, const Spec& spec, MetricStruct& out) {
  for (const auto& lists : input.chunks) {
    ArrowColumns binary;
    if (input.format == "vz") binary.add_binary(*lists.elements);
    for_each_task(lists.array->length, threads_for(input), [&] {
      return
          [&, evaluator = GroupEvaluator(spec), tally = std::make_unique<PairTally>(spec.weighted),
           values = out.scratch()](std::int64_t i) mutable {
            const auto [begin, end] = lists.range(i);
            if (begin == end) {
            } else if (input.format == "I") {
              add_words<std::uint32_t>(*tally, lists, begin, end);
            } else if (input.format == "L") {
              add_words<std::uint64_t>(*tally, lists, begin, end);
            } else if (input.format == "_pli128") {
              add_words<Int128Bits>(*tally, lists, begin, end);
            } else if (input.format == "vz") {
              for (std::int64_t row = begin; row < end; ++row) {
                if (binary.front().valid(row)) {
                  tally->add_binary(binary.front().text(row));
                } else {
                  tally->add_null();
                }
              }
            } else {
              throw InputError("the lists do not hold label pairs");
            }
            const auto totals = evaluator.table(tally->take(), values.data());
            out.set(lists.first_row + i, totals, values);
          };
    });
  }
}

}  // namespace

Type finish_type(Fields fields, const Spec& spec) {
  return metric_struct_type(fields.empty() ? "" : fields[0].name, spec);
}

Result finish(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs);
  MetricStruct out(spec, input.length);
  if (!spec.labels) {
    finish_pairs(input, spec, out);
  } else if (spec.weighted) {
    finish_weighted(input, spec, out);
  } else {
    finish_codes(input, spec, out);
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
