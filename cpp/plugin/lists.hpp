// List columns, one list of codes a group.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "confmat/evaluate/pair_tally.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/tally/encode.hpp"
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

// The format of the elements of a List column; empty for another one.
std::string_view element_format(const ArrowSchema& field);

// The first of so many columns. Throws InputError: there are not as many, it is no List column.
ListInput read_lists(const Inputs& inputs, std::size_t columns = 1);

// How many threads the elements are worth.
int threads_for(const ListInput& input);

// How wide the codes of such labels are. Throws InputError where the elements are none.
CodeWidth width_of(std::string_view format, const Labels& labels);

// The codes of known labels of list i, and how many they are.
std::pair<const std::byte*, std::int64_t> codes_of(const Lists& lists, std::int64_t i,
                                                   CodeWidth width);
// The same as numbers.
void widen(const std::byte* codes, std::int64_t n, CodeWidth width,
           std::vector<std::uint32_t>& out);

// Codes of known labels tell of nulls themselves. Throws InputError: one is null.
void require_no_nulls(const ListInput& input);

// Adds a range of elements, codes of pairs, with or without weights.
void add_pairs(PairTally& tally, const Lists& lists, std::pair<std::int64_t, std::int64_t> range,
               bool weighted);

// The elements of list i.
template <class Row>
std::span<const Row> rows_of(const Lists& lists, std::int64_t i) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return {};
  const auto* rows = static_cast<const Row*>(lists.elements->buffers[1]) + lists.elements->offset;
  return {rows + begin, rows + end};
}

}  // namespace confmat::plugin
