// Reads List columns of codes.
#include "plugin/lists.hpp"

#include "confmat/arrow/check.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "plugin/known_labels.hpp"

namespace confmat::plugin {
namespace {

// From here on the elements of a call are worth threads of our own: Polars hands over all groups
// of a query in one call, or in calls of 100,000 groups.
constexpr std::int64_t kManyElements = std::int64_t{1} << 20;

// The first and the last were looked at by check_array().
void check_offsets(const Lists& lists) {
  const std::int64_t n = lists.array->length;
  bool ascend = true;
  for (std::int64_t i = 0; i < n; ++i) ascend &= lists.offsets[i] <= lists.offsets[i + 1];
  if (!ascend || lists.offsets[n] > lists.elements->length) {
    throw InputError("the offsets of the lists do not ascend, or pass their elements");
  }
}

// Adds rows begin ... end - 1 of the elements. Null codes are no codes of ours, but lists may have
// been cut and put together since.
template <class Row>
void add_rows(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* rows = static_cast<const Row*>(elements.buffers[1]) + elements.offset;
  if (elements.null_count == 0 || elements.buffers[0] == nullptr) {
    tally.add(std::span(rows + begin, rows + end));
    return;
  }
  const auto* validity = static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      tally.add_null();
    } else {
      tally.add(std::span(rows + i, 1));
    }
  }
}

}  // namespace

std::string_view element_format(const ArrowSchema& field) {
  const bool list = std::string_view(field.format) == "+L" && field.n_children == 1 &&
                    field.children != nullptr && field.children[0] != nullptr &&
                    field.children[0]->format != nullptr;
  return list ? std::string_view(field.children[0]->format) : std::string_view();
}

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
  if (element_format(schema).empty()) {
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

std::pair<const std::byte*, std::int64_t> codes_of(const Lists& lists, std::int64_t i,
                                                   CodeWidth width) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return {nullptr, 0};
  return {static_cast<const std::byte*>(lists.elements->buffers[1]) +
              (lists.elements->offset + begin) * static_cast<std::int64_t>(width),
          end - begin};
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

int threads_for(const ListInput& input) {
  return input.n_elements < kManyElements ? 1 : core_count(0);
}

void add_pairs(PairTally& tally, const Lists& lists, std::pair<std::int64_t, std::int64_t> range,
               bool weighted) {
  const auto [begin, end] = range;
  if (begin == end) return;
  if (weighted) {
    add_rows<WeightedCode>(tally, lists, begin, end);
  } else {
    add_rows<std::uint32_t>(tally, lists, begin, end);
  }
}

}  // namespace confmat::plugin
