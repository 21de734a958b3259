// Columns for tests, laid out in memory in every way the library accepts, and a naive count.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/tally/count.hpp"

namespace test {

using confmat::Column;
using confmat::count;
using confmat::Counted;
using confmat::CountOptions;
using confmat::DType;
using confmat::InputError;
using confmat::Labels;
using confmat::TextLayout;

using Ints = std::vector<std::optional<std::int64_t>>;
using Texts = std::vector<std::optional<std::string>>;

struct Shape {
  int stride = 1;  // in values
  bool reversed = false;
  bool swapped = false;
  int misaligned = 0;   // bytes before the first value
  int bit_offset = 0;   // of bit-packed booleans
  int null_offset = 0;  // of the validity bitmap
  TextLayout layout = TextLayout::kOffsets32;
};

inline void set_bit(std::vector<std::uint8_t>& bits, std::size_t at) {
  bits[at / 8] = static_cast<std::uint8_t>(bits[at / 8] | (1U << (at % 8)));
}

// Memory of columns; every buffer is exactly as long as needed, so that sanitizers see each step
// beyond it.
class Memory {
 public:
  Column ints(const Ints& values, DType type, const Shape& shape = {}) {
    Column column;
    column.type = type;
    column.length = static_cast<std::int64_t>(values.size());
    nulls(values, shape, column);
    if (type == DType::kNull || values.empty()) return column;
    if (type == DType::kBoolBits) {
      auto& bits =
          bytes_.emplace_back((values.size() + static_cast<std::size_t>(shape.bit_offset) + 7) / 8);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].value_or(1) != 0)
          set_bit(bits, i + static_cast<std::size_t>(shape.bit_offset));
      }
      column.data = reinterpret_cast<const std::byte*>(bits.data());
      column.bit_offset = shape.bit_offset;
      return column;
    }
    const auto width = static_cast<std::size_t>(confmat::width_of(type));
    const auto step = width * static_cast<std::size_t>(shape.stride);
    const auto start = static_cast<std::size_t>(shape.misaligned);
    auto& memory =
        bytes_.emplace_back(start + (values.size() - 1) * step + width, std::uint8_t{0xA5});
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t place = shape.reversed ? values.size() - 1 - i : i;
      // Nulls hide a value that is no label.
      std::uint64_t bits = static_cast<std::uint64_t>(values[i].value_or(113));
      if (type == DType::kFloat64) {
        bits = std::bit_cast<std::uint64_t>(static_cast<double>(values[i].value_or(113)));
      } else if (type == DType::kFloat32) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[i].value_or(113)));
      }
      std::uint8_t raw[8];
      std::memcpy(raw, &bits, 8);
      if (shape.swapped) std::reverse(raw, raw + width);
      std::memcpy(memory.data() + start + place * step, raw, width);
    }
    const std::size_t first = shape.reversed ? (values.size() - 1) * step : 0;
    column.data = reinterpret_cast<const std::byte*>(memory.data() + start + first);
    column.stride = static_cast<std::int64_t>(step) * (shape.reversed ? -1 : 1);
    column.swapped = shape.swapped;
    return column;
  }

  Column doubles(const std::vector<double>& values) {
    auto& memory = bytes_.emplace_back(values.size() * 8);
    if (!values.empty()) std::memcpy(memory.data(), values.data(), memory.size());
    Column column;
    column.type = DType::kFloat64;
    column.length = static_cast<std::int64_t>(values.size());
    column.data = reinterpret_cast<const std::byte*>(memory.data());
    column.stride = 8;
    return column;
  }

  Column texts(const Texts& values, const Shape& shape = {}) {
    Column column;
    column.type = DType::kText;
    column.layout = shape.layout;
    column.length = static_cast<std::int64_t>(values.size());
    nulls(values, shape, column);
    auto& text = bytes_.emplace_back();
    auto& head = bytes_.emplace_back();
    const auto put = [&head](auto word) {
      const auto at = head.size();
      head.resize(at + sizeof word);
      std::memcpy(head.data() + at, &word, sizeof word);
    };
    const bool view = shape.layout == TextLayout::kView;
    const bool large = shape.layout == TextLayout::kOffsets64;
    const auto offset = [&] {
      if (large) put(static_cast<std::int64_t>(text.size()));
      if (!large && !view) put(static_cast<std::int32_t>(text.size()));
    };
    offset();
    for (const auto& value : values) {
      const std::string one = value.value_or("");
      const bool inlined = view && one.size() <= 12;
      if (view) {
        put(static_cast<std::int32_t>(one.size()));
        char raw[12] = {};
        std::memcpy(raw, one.data(), std::min<std::size_t>(one.size(), inlined ? 12 : 4));
        if (!inlined) {
          const std::int32_t where[2] = {0, static_cast<std::int32_t>(text.size())};
          std::memcpy(raw + 4, where, 8);
        }
        for (const char c : raw) put(c);
      }
      if (!inlined) text.insert(text.end(), one.begin(), one.end());
      offset();
    }
    text.shrink_to_fit();
    column.data = reinterpret_cast<const std::byte*>(head.data());
    column.bytes = reinterpret_cast<const char*>(text.data());
    auto& buffers = pointers_.emplace_back(1, text.data());
    if (view) {
      column.buffers = buffers;
      auto& sizes = bytes_.emplace_back(sizeof(std::int64_t));
      const auto size = static_cast<std::int64_t>(text.size());
      std::memcpy(sizes.data(), &size, sizeof size);
      column.sizes = reinterpret_cast<const std::byte*>(sizes.data());
    }
    return column;
  }

  Column keys(const Ints& values, DType key_type, const Column& dictionary,
              const Shape& shape = {}) {
    Column column = ints(values, key_type, shape);
    column.type = DType::kDictionary;
    column.key_type = key_type;
    column.dictionary = &columns_.emplace_back(dictionary);
    return column;
  }

 private:
  template <class Values>
  void nulls(const Values& values, const Shape& shape, Column& column) {
    const auto first = static_cast<std::size_t>(shape.null_offset);
    if (std::all_of(values.begin(), values.end(), [](const auto& v) { return v.has_value(); })) {
      return;
    }
    auto& bits = bytes_.emplace_back((first + values.size() + 7) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].has_value()) set_bit(bits, first + i);
    }
    column.validity = bits.data();
    column.validity_offset = shape.null_offset;
  }

  std::deque<std::vector<std::uint8_t>> bytes_;
  std::deque<std::vector<const void*>> pointers_;
  std::deque<Column> columns_;
};

// Rows first ... last - 1, as if sliced by the source.
inline Column slice(const Column& column, std::int64_t first, std::int64_t last) {
  Column part = column;
  part.length = last - first;
  part.validity_offset += first;
  part.bit_offset += first;
  if (column.type == DType::kText) {
    const std::int64_t width = column.layout == TextLayout::kView        ? 16
                               : column.layout == TextLayout::kOffsets64 ? 8
                                                                         : 4;
    part.data += first * width;
  } else if (column.type != DType::kBoolBits && column.data != nullptr) {
    part.data += first * column.stride;
  }
  return part;
}

// Random cuts, some of them empty.
inline std::vector<Column> chunks(const Column& column, int cuts, std::mt19937_64& random) {
  std::vector<std::int64_t> at{0, column.length};
  for (int i = 0; i < cuts; ++i) {
    at.push_back(
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(column.length + 1)));
  }
  at.push_back(at.back());
  std::sort(at.begin(), at.end());
  std::vector<Column> parts;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) parts.push_back(slice(column, at[i], at[i + 1]));
  return parts;
}

template <class Label>
struct Naive {
  std::map<std::pair<Label, Label>, std::int64_t> cells;
  std::set<Label> labels;
  std::int64_t n_dropped = 0;
};

template <class Label>
Naive<Label> naive_count(const std::vector<std::optional<Label>>& y_true,
                         const std::vector<std::optional<Label>>& y_pred) {
  Naive<Label> naive;
  for (std::size_t i = 0; i < y_true.size(); ++i) {
    if (!y_true[i] || !y_pred[i]) {
      ++naive.n_dropped;
      continue;
    }
    ++naive.cells[{*y_true[i], *y_pred[i]}];
    naive.labels.insert(*y_true[i]);
    naive.labels.insert(*y_pred[i]);
  }
  return naive;
}

inline const std::vector<std::int64_t>& labels_of(const confmat::Labels& labels, std::int64_t) {
  return labels.ints;
}
inline const std::vector<std::string>& labels_of(const confmat::Labels& labels,
                                                 const std::string&) {
  return labels.texts;
}

// As a table, also where the counts are sparse.
inline confmat::Counted as_table(confmat::Counted counted, bool weighted) {
  if (!counted.is_sparse) return counted;
  const auto k = static_cast<std::size_t>(counted.labels.size());
  const auto spread = [&](auto& values) {
    auto table = values;
    table.assign(k * k, {});
    for (std::size_t i = 0; i < values.size(); ++i) {
      table[static_cast<std::size_t>(counted.places[i])] = values[i];
    }
    values = table;
  };
  if (counted.has_floats) {
    spread(counted.weights);
  } else {
    spread(counted.cells);
  }
  if (weighted) spread(counted.weights_sq);
  return counted;
}

// Whether the counts are those of the naive count, label by label.
template <class Label>
bool agrees(confmat::Counted counted, const Naive<Label>& naive, std::size_t rows) {
  counted = as_table(std::move(counted), false);
  const auto& labels = labels_of(counted.labels, Label{});
  if (!std::equal(labels.begin(), labels.end(), naive.labels.begin(), naive.labels.end())) {
    return false;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const auto cell = naive.cells.find({labels[i], labels[j]});
      const std::int64_t wanted = cell == naive.cells.end() ? 0 : cell->second;
      if (counted.cells[i * labels.size() + j] != wanted) return false;
    }
  }
  return counted.n_rows == static_cast<std::int64_t>(rows) &&
         counted.n_dropped == naive.n_dropped && counted.n_other == 0;
}

inline Ints random_ints(std::size_t n, std::int64_t low, std::int64_t high, int null_percent,
                        std::mt19937_64& random) {
  Ints values(n);
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  for (auto& value : values) {
    if (static_cast<int>(random() % 100) < null_percent) continue;
    const std::uint64_t offset = span == 0 ? random() : random() % span;
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
  }
  return values;
}

}  // namespace test
