// Tables of slices as saved states. `compatible`, which must be equal to merge:
//   1           0
//   4, ...      what was asked: a text behind its length
//   4           number of keys; for each its name and its type, texts, and 1 for its kind (KeyKind)
//   4           number of columns of states; the name of each
// The payload:
//   8           number of slices
//   8           number of totals; for each, by their names, the name and 8 for the number
//   of each key:
//     1         whether some are null; then a bit a slice, 1 for null
//     ...       8 bytes a number (floats: their bits; null: 0); or of texts 1 for the bytes of a
//               length, the lengths, and all texts
//   of each column of states:
//     1, ...    bytes of a size; the sizes, 0 for null; all states, each as it is saved alone
// Slices ascend by their keys, nulls last.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/utf8.hpp"
#include "confmat/state/slice_table.hpp"
#include "payload.hpp"
#include "slice_order.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfTables{StateKind::kTable};
constexpr std::size_t kMostNameBytes = 65'536;
constexpr std::size_t kChecksumBytes = 4;

std::uint64_t written_bits(KeyKind kind, std::uint64_t rank) noexcept {
  switch (kind) {
    case KeyKind::kInt:
      return static_cast<std::uint64_t>(int_of_rank(rank));
    case KeyKind::kFloat:
      return std::bit_cast<std::uint64_t>(float_of_rank(rank));
    default:
      return rank;
  }
}

std::uint64_t rank_of(KeyKind kind, std::uint64_t bits) noexcept {
  switch (kind) {
    case KeyKind::kInt:
      return rank_of_int(static_cast<std::int64_t>(bits));
    case KeyKind::kFloat:
      return rank_of_float(std::bit_cast<double>(bits));
    default:
      return bits;
  }
}

void put_nulls(ByteWriter& out, const KeyValues& values) {
  const bool has_nulls =
      std::ranges::any_of(values.nulls, [](std::uint8_t null) { return null != 0; });
  out.put(static_cast<std::uint8_t>(has_nulls ? 1 : 0));
  if (!has_nulls) return;
  std::vector<std::uint8_t> bits((values.nulls.size() + 7) / 8);
  for (std::size_t row = 0; row < values.nulls.size(); ++row) {
    bits[row / 8] |= static_cast<std::uint8_t>((values.nulls[row] != 0 ? 1U : 0U) << (row % 8));
  }
  put_array(out, std::span<const std::uint8_t>(bits));
}

void put_sizes(ByteWriter& out, std::span<const std::uint64_t> sizes) {
  std::uint64_t bits = 0;
  for (const std::uint64_t size : sizes) bits |= size;
  out.put(static_cast<std::uint8_t>(narrowest(bits)));
  put_numbers(out, sizes, narrowest(bits));
}

void put_key(ByteWriter& out, KeyKind kind, const KeyValues& values) {
  put_nulls(out, values);
  if (kind != KeyKind::kText) {
    std::vector<std::uint64_t> bits(values.ranks.size());
    for (std::size_t row = 0; row < bits.size(); ++row) {
      bits[row] = values.is_null(row) ? 0 : written_bits(kind, values.ranks[row]);
    }
    return put_array(out, std::span<const std::uint64_t>(bits));
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(values.texts.size());
  for (const std::string_view text : values.texts) sizes.push_back(text.size());
  put_sizes(out, sizes);
  for (const std::string_view text : values.texts) out.append(text.data(), text.size());
}

[[noreturn]] void refuse(const char* what) {
  throw StateError(std::string("not written as this format writes a table: ") + what);
}

std::string take_text(ByteReader& reader, std::size_t most) {
  const std::string_view text = reader.text();
  if (text.size() > most) throw StateError("a name is longer than the limit");
  if (!is_utf8(text)) throw StateError("a text is not valid UTF-8");
  return std::string(text);
}

TableHead take_head(Bytes compatible) {
  ByteReader reader(compatible);
  TableHead out;
  if (reader.get<std::uint8_t>() != 0) throw StateError("unknown content of a table");
  out.asked = take_text(reader, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::string> names;
  const std::uint32_t n_keys = reader.count(2 * sizeof(std::uint32_t) + 1);
  for (std::uint32_t i = 0; i < n_keys; ++i) {
    KeyColumn& key = out.keys.emplace_back();
    key.name = take_text(reader, kMostNameBytes);
    key.dtype = take_text(reader, std::numeric_limits<std::uint32_t>::max());
    const auto kind = reader.get<std::uint8_t>();
    if (kind >= kKeyKinds) throw StateError("unknown kind of a key");
    key.kind = static_cast<KeyKind>(kind);
    names.push_back(key.name);
  }
  const std::uint32_t n_states = reader.count(sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < n_states; ++i) {
    names.push_back(out.states.emplace_back(take_text(reader, kMostNameBytes)));
  }
  if (reader.left() != 0) refuse("bytes after its columns");
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) refuse("a column is there twice");
  if (out.states.empty()) refuse("no column of states");
  return out;
}

// Bits, one a row. Needs: they are there.
std::vector<std::uint8_t> take_nulls(ByteReader& reader, std::size_t rows) {
  const auto has_nulls = reader.get<std::uint8_t>();
  if (has_nulls > 1) refuse("the flag of nulls");
  if (has_nulls == 0) return {};
  const auto bits = take_array<std::uint8_t>(reader, (rows + 7) / 8);
  std::vector<std::uint8_t> out(rows);
  bool any = false;
  for (std::size_t row = 0; row < rows; ++row) {
    out[row] = (static_cast<unsigned>(bits[row / 8]) >> (row % 8)) & 1U;
    any = any || out[row] != 0;
  }
  const bool ends = rows % 8 == 0 || (bits.back() >> (rows % 8)) == 0;
  if (!any || !ends) refuse("the bits of nulls");
  return out;
}

std::vector<std::uint64_t> take_sizes(ByteReader& reader, std::size_t rows) {
  const unsigned width = reader.get<std::uint8_t>();
  if (!is_width(width)) refuse("the width of sizes");
  auto sizes = take_numbers<std::uint64_t>(reader, rows, width);
  std::uint64_t bits = 0;
  for (const std::uint64_t size : sizes) bits |= size;
  if (narrowest(bits) != width) refuse("the width of sizes");
  return sizes;
}

KeyValues take_key(ByteReader& reader, KeyKind kind, std::size_t rows) {
  KeyValues out;
  // A bit, or else a byte and more a row: so that no more is asked for than is there.
  require_left(reader, rows / 8, 1);
  out.nulls = take_nulls(reader, rows);
  if (kind != KeyKind::kText) {
    out.ranks = take_array<std::uint64_t>(reader, rows);
    for (const auto [first, last] : Strides(rows)) {
      for (std::size_t row = first; row < last; ++row) {
        const std::uint64_t bits = out.ranks[row];
        out.ranks[row] = rank_of(kind, bits);
        const bool is_canonical =
            out.is_null(row) ? bits == 0 : written_bits(kind, out.ranks[row]) == bits;
        if (!is_canonical) refuse("a key of other bits");
        if (out.is_null(row)) out.ranks[row] = 0;
      }
    }
    return out;
  }
  const auto sizes = take_sizes(reader, rows);
  out.texts.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    require_left(reader, sizes[row], 1);
    const Bytes bytes = reader.take(static_cast<std::size_t>(sizes[row]));
    const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    if (!is_utf8(text)) throw StateError("a key is not valid UTF-8");
    if (out.is_null(row) && !text.empty()) refuse("a null with a text");
    out.texts.push_back(text);
  }
  return out;
}

std::vector<Bytes> take_states(ByteReader& reader, std::size_t rows) {
  const auto sizes = take_sizes(reader, rows);
  std::vector<Bytes> out;
  out.reserve(rows);
  for (const auto [first, last] : Strides(rows)) {
    for (std::size_t row = first; row < last; ++row) {
      require_left(reader, sizes[row], 1);
      const Bytes state = reader.take(static_cast<std::size_t>(sizes[row]));
      if (!state.empty()) check_slice_state(state);
      out.push_back(state);
    }
  }
  return out;
}

}  // namespace

std::vector<std::uint8_t> encode(const TableHead& head,
                                 const std::map<std::string, std::int64_t>& totals,
                                 const TableRows& rows) {
  ByteWriter compatible;
  compatible.put(std::uint8_t{0});
  compatible.text(head.asked);
  compatible.put(static_cast<std::uint32_t>(head.keys.size()));
  for (const KeyColumn& key : head.keys) {
    compatible.text(key.name);
    compatible.text(key.dtype);
    compatible.put(static_cast<std::uint8_t>(key.kind));
  }
  compatible.put(static_cast<std::uint32_t>(head.states.size()));
  for (const std::string& name : head.states) compatible.text(name);
  StateWriter writer(StateKind::kTable, compatible.bytes(), LabelSet{}, RowTotals{});
  ByteWriter& out = writer.payload();
  out.put(static_cast<std::uint64_t>(rows.rows));
  out.put(static_cast<std::uint64_t>(totals.size()));
  for (const auto& [name, total] : totals) {
    out.text(name);
    out.put(total);
  }
  for (std::size_t i = 0; i < head.keys.size(); ++i) put_key(out, head.keys[i].kind, rows.keys[i]);
  std::size_t size = kChecksumBytes;
  for (const TableRows::States& column : rows.states) {
    size += 1 + rows.rows * sizeof(std::uint64_t);
    for (const auto& part : column.parts) size += part.size();
  }
  out.reserve(out.bytes().size() + size);
  for (const TableRows::States& column : rows.states) {
    put_sizes(out, column.sizes);
    for (const auto& part : column.parts) out.append(part.data(), part.size());
  }
  return writer.seal();
}

void check_slice_state(Bytes state) {
  const StateKind kind = kind_of(state);
  if (kind == StateKind::kTable) throw StateError("a table lies within a table");
  check_sealed(state, {&kind, 1});
}

SliceTable decode_table(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfTables);
  if (state.labels != LabelSet{} || state.rows != RowTotals{}) {
    throw StateError("a table has no labels and counts no rows");
  }
  SliceTable out;
  out.head = take_head(state.compatible);
  ByteReader reader(state.payload);
  const auto rows = reader.get<std::uint64_t>();
  const auto n_totals = reader.get<std::uint64_t>();
  std::string last;
  for (std::uint64_t i = 0; i < n_totals; ++i) {
    std::string name = take_text(reader, kMostNameBytes);
    if (i > 0 && name <= last) refuse("the order of the totals");
    last = name;
    const auto total = reader.get<std::int64_t>();
    if (total < 0) throw StateError("a total is out of range");
    out.totals.emplace_hint(out.totals.end(), std::move(name), total);
  }
  require_left(reader, rows, 1);  // for each state at least a size
  out.rows = static_cast<std::size_t>(rows);
  for (const KeyColumn& key : out.head.keys) {
    out.keys.push_back(take_key(reader, key.kind, out.rows));
  }
  for (std::size_t i = 0; i < out.head.states.size(); ++i) {
    out.states.push_back(take_states(reader, out.rows));
  }
  if (reader.left() != 0) throw StateError("bytes are left after the last state");
  for (const auto [first, last_row] : Strides(out.rows)) {
    for (std::size_t row = std::max<std::size_t>(first, 1); row < last_row; ++row) {
      if (!comes_before(out, row - 1, out, row)) refuse("the order of the slices");
    }
  }
  return out;
}

}  // namespace confmat
