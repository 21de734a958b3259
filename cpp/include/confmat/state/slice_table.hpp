// A table of slices, their keys and the states of each, with what was asked: a whole evaluation, or
// a checkpoint of one, as one state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/state/codec.hpp"

namespace confmat {

enum class KeyKind : std::uint8_t { kInt, kUInt, kFloat, kText };
inline constexpr std::uint8_t kKeyKinds = 4;

struct KeyColumn {
  std::string name;
  std::string dtype;  // what the front end calls its type, categories and units included
  KeyKind kind = KeyKind::kInt;
  bool operator==(const KeyColumn&) const = default;
};

// What must be equal to merge.
struct TableHead {
  std::string asked;  // a text of the front end: canonical JSON
  std::vector<KeyColumn> keys;
  std::vector<std::string> states;  // names of the columns of states
  bool operator==(const TableHead&) const = default;
};

// The values of a key, one a row.
struct KeyValues {
  std::vector<std::uint8_t> nulls;      // 1: null; empty: none is
  std::vector<std::uint64_t> ranks;     // numbers: ascend as these do (see rank_of); null: 0
  std::vector<std::string_view> texts;  // null: empty

  [[nodiscard]] bool is_null(std::size_t row) const noexcept {
    return !nulls.empty() && nulls[row] != 0;
  }
};

struct SliceTable {
  TableHead head;
  std::map<std::string, std::int64_t> totals;  // rows left out before they were cut into slices
  std::size_t rows = 0;
  std::vector<KeyValues> keys;
  std::vector<std::vector<Bytes>> states;  // by columns; empty: null. Who made it keeps the bytes
};

// Numbers as unsigned ones in their order. Of floats -0 is 0, and all nan are one, the largest.
std::uint64_t rank_of_int(std::int64_t value) noexcept;
std::uint64_t rank_of_float(double value) noexcept;
std::int64_t int_of_rank(std::uint64_t rank) noexcept;
double float_of_rank(std::uint64_t rank) noexcept;

// The table of all rows, sorted by key, nulls last: rows of the same key become one, whose states
// are the sums of theirs; totals add. A state that is alone at its key is copied as it is, and not
// read. `threads`: 0 for every core. Throws InputError: what was asked, keys or states differ, what
// cannot be added, in which slice; no table. StateError: a state that is none.
std::vector<std::uint8_t> merged(std::span<const SliceTable> tables, int threads = 0);

// The same of saved tables. Throws StateError: see decode_table.
std::vector<std::uint8_t> merge_saved_tables(std::span<const Bytes> saved, int threads = 0);

// The first without the rows of the other, whose slices it has: none goes, nor does a total.
// Needs: both are as decode_table() gives them, in order. Throws InputError, StateError likewise.
std::vector<std::uint8_t> taken_away(const SliceTable& one, const SliceTable& other);

// The payload in the making: needs rows that are sorted, each with a key of its own.
struct TableRows {
  std::vector<KeyValues> keys;
  struct States {
    std::vector<std::uint64_t> sizes;              // one a row; 0: null
    std::vector<std::vector<std::uint8_t>> parts;  // their bytes, one after the other
  };
  std::vector<States> states;
  std::size_t rows = 0;
};
std::vector<std::uint8_t> encode(const TableHead& head,
                                 const std::map<std::string, std::int64_t>& totals,
                                 const TableRows& rows);

// Throws StateError: it is no state, as far as the header and the checksum tell, or a table.
void check_slice_state(Bytes state);

// Keys and totals are read, and of each state the header and the checksum; states are read where
// they are added or asked. The table points into `bytes`. Throws StateError: see open_state; rows
// that are not in order, a state that is a table, what encode() does not write.
SliceTable decode_table(Bytes bytes);

}  // namespace confmat
