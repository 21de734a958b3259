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

// Weights as doubles, as read_numbers(). Throws InputError for an integer beyond 2^53, up to which
// doubles hold all of them.
inline void read_weights(const Column& column, std::int64_t n, const Place& place,
                         std::vector<double>& out) {
  read_numbers(column, n, out);
  if (column.type != DType::kInt64 && column.type != DType::kUInt64) return;
  constexpr double kExact = 9007199254740992.0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (!(out[static_cast<std::size_t>(i)] >= kExact)) continue;
    const std::int64_t row = column.length == 1 ? 0 : i;
    const auto bits = load<std::uint64_t>(column, row);
    if (bits <= static_cast<std::uint64_t>(kExact) || !column.valid(row)) continue;
    place.fail("weight " + std::to_string(bits), i,
               "is beyond 2^53, the most that expressions take of integers; cast to Float64 for "
               "rounded sums");
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
