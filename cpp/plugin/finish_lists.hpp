// List columns, one list of codes or pairs a group, and the ways to finish each kind of element.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "confmat/evaluate/spec.hpp"
#include "plugin/inputs.hpp"
#include "plugin/metric_struct.hpp"

namespace confmat::plugin {

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

// Of the first of so many columns. Throws InputError for anything but a List column.
ListInput read_lists(const Inputs& inputs, std::size_t columns = 1);

// How many threads the elements are worth.
int threads_for(const ListInput& input);

// Codes that carry their label set (evaluate/wide_code.hpp), with or without weights. `categories`
// are the names of the classes, or null.
void finish_wide(const ListInput& input, const Spec& spec, const Labels* categories,
                 MetricStruct& out);

// Pairs of labels that are not known (evaluate/pairs.hpp).
void finish_pairs(const ListInput& input, const Spec& spec, MetricStruct& out);

}  // namespace confmat::plugin
