// Row-wise access to Arrow columns: runs that lie in one chunk of every input, and their values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/number_dispatch.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/tally/text_reader.hpp"
#include "confmat/tally/weight_reader.hpp"

namespace confmat::plugin {

// Needs: 0 <= start, start + n <= column.length.
inline Column slice(Column column, std::int64_t start, std::int64_t n) {
  if (column.type == DType::kBoolBits) {
    column.bit_offset += start;
  } else if (column.data != nullptr) {
    column.data += start * column.stride;
  }
  column.validity_offset += start;
  column.length = n;
  return column;
}

// As slice(), for a column that may stand for every row.
inline Column block_of(const Column& column, std::int64_t start, std::int64_t n) {
  return column.length == 1 ? column : slice(column, start, n);
}

// Calls body(first row, runs) for each maximal run of rows inside one chunk of every column.
// A column of one row stands for every row.
template <class Body>
void for_each_run(std::span<const Chunks> columns, std::int64_t length, Body&& body) {
  struct Cursor {
    std::size_t chunk = 0;
    std::int64_t row = 0;
  };
  std::vector<Cursor> cursors(columns.size());
  std::vector<Column> runs(columns.size());
  for (std::int64_t start = 0; start < length;) {
    std::int64_t n = length - start;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto& [chunk, row] = cursors[i];
      while (row == columns[i][chunk].length && chunk + 1 < columns[i].size()) {
        ++chunk;
        row = 0;
      }
      const bool broadcast = columns[i][chunk].length == 1 && columns[i].size() == 1;
      if (!broadcast) n = std::min(n, columns[i][chunk].length - row);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto& [chunk, row] = cursors[i];
      const Column& column = columns[i][chunk];
      if (column.length == 1 && columns[i].size() == 1) {
        runs[i] = column;
      } else {
        runs[i] = slice(column, row, n);
        row += n;
      }
    }
    body(start, runs);
    start += n;
  }
}

template <class T>
T load(const Column& column, std::int64_t i) {
  T value;
  std::memcpy(&value, column.data + i * column.stride, sizeof(T));
  return value;
}

inline bool bit_at(const Column& column, std::int64_t i) {
  const std::int64_t bit = column.bit_offset + i;
  return ((static_cast<unsigned>(column.data[bit >> 3]) >> (bit & 7)) & 1U) != 0;
}

// out[i] = value of row i as T (integers keep their value); rows that are null get 0.
// Needs: column.length == n, or 1 for a broadcast.
template <class T>
void read_numbers(const Column& column, std::int64_t n, std::vector<T>& out) {
  out.assign(static_cast<std::size_t>(n), T{});
  const std::int64_t step = column.length == 1 ? 0 : 1;
  if (column.type == DType::kBoolBits) {
    for (std::int64_t i = 0; i < n; ++i) {
      out[static_cast<std::size_t>(i)] = static_cast<T>(bit_at(column, i * step) ? 1 : 0);
    }
    return;
  }
  if (!is_int(column.type) && !is_float(column.type)) return;
  with_number_type(column.type, [&](auto tag) {
    using Value = decltype(tag);
    for (std::int64_t i = 0; i < n; ++i) {
      out[static_cast<std::size_t>(i)] = static_cast<T>(load<Value>(column, i * step));
    }
  });
}

// out[i] = weight of row i, or any weight where it is null or counts(i) is false. Throws InputError
// for the first that counts and is none. Needs: column.length == n, or 1 for a broadcast.
template <class Counts>
void read_weights(const Column& column, std::int64_t n, std::int64_t first_row,
                  const Counts& counts, std::vector<double>& out) {
  out.resize(static_cast<std::size_t>(n));
  if (n == 0) return;
  Scratch scratch;
  WeightReader reader(scratch);
  reader.start(column, first_row);
  bool good = true;
  constexpr auto kMost = static_cast<std::int64_t>(kBlock);
  for (std::int64_t at = 0; at < column.length; at += kMost) {
    const auto block = static_cast<std::size_t>(std::min(kMost, column.length - at));
    good &= reader.plain(at, block, out.data() + at);
  }
  const bool one = column.length == 1;
  if (one) std::ranges::fill(out, out[0]);
  if (good) return;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = one ? 0 : i;
    double& weight = out[static_cast<std::size_t>(i)];
    weight = column.valid(at) && counts(i) ? reader.checked<double>(at) : 0;
  }
}

// Needs: a text or dictionary column. False where the row is null. Throws InputError, for row `i`
// of `place`, for a text that is too long or lies outside its buffer.
inline bool read_text(const Column& column, std::int64_t i, const Place& place,
                      std::string_view& out) {
  if (!column.valid(i)) return false;
  const auto take = [&out](const TextSource::Text& text) { out = {text.data, text.length}; };
  if (column.type == DType::kText) {
    take(TextSource(column, place)[i]);
    return true;
  }
  const std::int64_t key = dictionary_key(column, i, place);
  const Column& texts = *column.dictionary;
  if (!texts.valid(key)) return false;
  take(TextSource(texts,
                  {.argument = place.argument, .first_row = 0, .unit = "dictionary entry"})[key]);
  return true;
}

}  // namespace confmat::plugin
