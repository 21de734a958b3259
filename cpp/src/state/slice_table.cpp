// Merges tables of slices, and takes one away from another.
#include "confmat/state/slice_table.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "confmat/base/cores.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/state/state_difference.hpp"
#include "confmat/state/state_sum.hpp"
#include "slice_heads.hpp"
#include "slice_order.hpp"

namespace confmat {
namespace {

constexpr std::size_t kWorthThreads = std::size_t{1} << 20;  // bytes of states that are added
constexpr int kPartsEach = 4;                                // of a thread: slices differ in size

struct RowPlace {
  std::size_t table, row;
};

bool is_before(std::span<const SliceTable> tables, const RowPlace& a, const RowPlace& b) {
  return comes_before(tables[a.table], a.row, tables[b.table], b.row);
}

// All rows in order; those of the same key in that of the tables.
std::vector<RowPlace> in_order(std::span<const SliceTable> tables) {
  std::vector<RowPlace> out;
  std::vector<std::size_t> ends = {0};  // of runs that are in order
  const auto before = [&](const RowPlace& a, const RowPlace& b) { return is_before(tables, a, b); };
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t row = 0; row < tables[t].rows; ++row) out.push_back({t, row});
    const auto run = out.begin() + static_cast<std::ptrdiff_t>(ends.back());
    if (!std::is_sorted(run, out.end(), before)) std::stable_sort(run, out.end(), before);
    ends.push_back(out.size());
  }
  std::vector<RowPlace> merged(out.size());
  const auto at = [](std::vector<RowPlace>& of, std::size_t i) {
    return of.begin() + static_cast<std::ptrdiff_t>(i);
  };
  while (ends.size() > 2) {
    StopSign().obey();
    std::vector<std::size_t> next = {0};
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const std::size_t end = ends[std::min(i + 2, ends.size() - 1)];
      std::merge(at(out, ends[i]), at(out, ends[i + 1]), at(out, ends[i + 1]), at(out, end),
                 at(merged, ends[i]), before);
      next.push_back(end);
    }
    out.swap(merged);
    ends = std::move(next);
  }
  return out;
}

// The keys of one row, for messages.
std::string shown_slice(const SliceTable& table, std::size_t row) {
  std::string out;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const KeyValues& key = table.keys[i];
    out += (i == 0 ? "" : ", ") + shown_text(table.head.keys[i].name) + "=";
    if (key.is_null(row)) {
      out += "null";
      continue;
    }
    switch (table.head.keys[i].kind) {
      case KeyKind::kText:
        out += shown_text(key.texts[row]);
        break;
      case KeyKind::kInt:
        out += std::to_string(int_of_rank(key.ranks[row]));
        break;
      case KeyKind::kUInt:
        out += std::to_string(key.ranks[row]);
        break;
      case KeyKind::kFloat: {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", float_of_rank(key.ranks[row]));
        out += text;
      }
    }
  }
  return out.empty() ? "of all rows" : out;
}

void add_key(KeyValues& to, KeyKind kind, const KeyValues& from, std::size_t row) {
  to.nulls.push_back(from.is_null(row) ? 1 : 0);
  if (kind == KeyKind::kText) {
    to.texts.push_back(from.texts[row]);
  } else {
    to.ranks.push_back(from.ranks[row]);
  }
}

// The keys of the first row of each group.
std::vector<KeyValues> keys_of(std::span<const SliceTable> tables,
                               std::span<const RowPlace> firsts) {
  const std::vector<KeyColumn>& columns = tables[0].head.keys;
  std::vector<KeyValues> out(columns.size());
  for (std::size_t key = 0; key < columns.size(); ++key) {
    for (const auto [first, last] : Strides(firsts.size())) {
      for (std::size_t i = first; i < last; ++i) {
        const auto& [table, row] = firsts[i];
        add_key(out[key], columns[key].kind, tables[table].keys[key], row);
      }
    }
  }
  return out;
}

void append(std::vector<std::uint8_t>& to, Bytes bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Rows of the same key, one group after the other.
struct Groups {
  std::vector<RowPlace> rows;
  std::vector<std::size_t> begins;  // and the end of the last

  [[nodiscard]] std::size_t size() const noexcept { return begins.size() - 1; }
  [[nodiscard]] std::span<const RowPlace> of(std::size_t group) const {
    return std::span(rows).subspan(begins[group], begins[group + 1] - begins[group]);
  }
};

Groups grouped(std::span<const SliceTable> tables) {
  Groups out{in_order(tables), {}};
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    if (i == 0 || is_before(tables, out.rows[i - 1], out.rows[i])) out.begins.push_back(i);
  }
  out.begins.push_back(out.rows.size());
  return out;
}

// The states of some groups, of one column.
class ColumnSum {
 public:
  ColumnSum(std::span<const SliceTable> tables, std::size_t column)
      : tables_(tables), column_(column) {}

  // Appends the sum of a group. Returns its size; 0: all are null.
  std::uint64_t add(std::span<const RowPlace> rows, std::vector<std::uint8_t>& out) {
    found_.clear();
    for (const auto& [table, row] : rows) {
      const Bytes state = tables_[table].states[column_][row];
      if (!state.empty()) found_.push_back(state);
    }
    if (found_.empty()) return 0;
    if (found_.size() == 1) {
      append(out, found_[0]);
      return found_[0].size();
    }
    try {
      for (const Bytes state : found_) sum_.add(state);
      const auto state = sum_.take();
      append(out, state);
      return state.size();
    } catch (const InputError& error) {
      throw InputError(where(rows) + error.what());
    } catch (const StateError& error) {
      throw StateError(where(rows) + error.what());
    }
  }

 private:
  std::string where(std::span<const RowPlace> rows) const {
    return "slice " + shown_slice(tables_[rows[0].table], rows[0].row) + ": ";
  }

  std::span<const SliceTable> tables_;
  std::size_t column_;
  StateSum sum_;
  std::vector<Bytes> found_;
};

TableRows::States column_of(std::span<const SliceTable> tables, const Groups& groups,
                            std::size_t column, int threads) {
  std::size_t work = 0;
  for (const SliceTable& table : tables) {
    for (const Bytes state : table.states[column]) work += state.size();
  }
  if (work < kWorthThreads || groups.rows.size() == groups.size()) threads = 1;
  const auto parts = static_cast<std::size_t>(threads == 1 ? 1 : threads * kPartsEach);
  TableRows::States out;
  out.sizes.resize(groups.size());
  out.parts.resize(parts);
  for_each_part(static_cast<int>(parts), threads, [&](int part) {
    const auto number = static_cast<std::size_t>(part);
    std::vector<std::uint8_t>& bytes = out.parts[number];
    bytes.reserve(threads == 1 && tables.size() == 1 ? work : work / parts / tables.size());
    ColumnSum sum(tables, column);
    const StopSign sign;
    for (std::size_t group = groups.size() * number / parts;
         group < groups.size() * (number + 1) / parts; ++group) {
      if (group % 64 == 0) sign.obey();
      out.sizes[group] = sum.add(groups.of(group), bytes);
    }
  });
  return out;
}

std::map<std::string, std::int64_t> summed(std::span<const SliceTable> tables) {
  std::map<std::string, std::int64_t> out;
  for (const SliceTable& table : tables) {
    for (const auto& [name, total] : table.totals) {
      std::int64_t& sum = out[name];
      if (__builtin_add_overflow(sum, total, &sum)) {
        throw InputError("cannot add: the total " + shown_text(name) +
                         " is beyond 64-bit integers");
      }
    }
  }
  return out;
}

}  // namespace

std::vector<std::uint8_t> merged(std::span<const SliceTable> tables, int threads) {
  if (tables.empty()) throw InputError("nothing to merge: wanted at least one state");
  for (const SliceTable& table : tables) require_alike("add", tables[0].head, table.head);
  const auto totals = summed(tables);
  const Groups groups = grouped(tables);
  std::vector<RowPlace> firsts;
  firsts.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) firsts.push_back(groups.of(i)[0]);
  TableRows rows{keys_of(tables, firsts), {}, groups.size()};
  for (std::size_t column = 0; column < tables[0].states.size(); ++column) {
    rows.states.push_back(
        column_of(tables, groups, column, threads > 0 ? threads : usable_cores()));
  }
  return encode(tables[0].head, totals, rows);
}

std::vector<std::uint8_t> merge_saved_tables(std::span<const Bytes> saved, int threads) {
  std::vector<SliceTable> tables(saved.size());
  std::size_t work = 0;
  for (const Bytes bytes : saved) work += bytes.size();
  const int cores = work < kWorthThreads ? 1 : threads > 0 ? threads : usable_cores();
  for_each_part(static_cast<int>(saved.size()), cores, [&](int part) {
    const auto at = static_cast<std::size_t>(part);
    tables[at] = decode_table(saved[at]);
  });
  return merged(tables, threads);
}

std::vector<std::uint8_t> taken_away(const SliceTable& one, const SliceTable& other) {
  require_alike("subtract", one.head, other.head);
  auto totals = one.totals;
  for (const auto& [name, total] : other.totals) {
    std::int64_t& rest = totals[name];
    if (__builtin_sub_overflow(rest, total, &rest) || rest < 0) {
      throw InputError("cannot subtract: the total " + shown_text(name) +
                       " is larger in the second");
    }
  }
  std::vector<RowPlace> rows;
  rows.reserve(one.rows);
  for (std::size_t row = 0; row < one.rows; ++row) rows.push_back({0, row});
  TableRows out{keys_of({&one, 1}, rows), {}, one.rows};
  for (std::size_t column = 0; column < one.states.size(); ++column) {
    TableRows::States& states = out.states.emplace_back();
    std::vector<std::uint8_t>& bytes = states.parts.emplace_back();
    const StopSign sign;
    std::size_t row = 0;
    const auto keep = [&](Bytes state) {
      states.sizes.push_back(state.size());
      append(bytes, state);
      ++row;
    };
    for (std::size_t taken = 0; taken < other.rows; ++taken) {
      const Bytes state = other.states[column][taken];
      if (state.empty()) continue;
      sign.obey();
      while (row < one.rows && comes_before(one, row, other, taken)) keep(one.states[column][row]);
      const std::string where = "slice " + shown_slice(other, taken) + ": ";
      if (row == one.rows || order_of(one, row, other, taken) != 0 ||
          one.states[column][row].empty()) {
        throw InputError(where + "cannot subtract: it is in the second alone");
      }
      try {
        keep(StateDifference{}.of(one.states[column][row], state));
      } catch (const InputError& error) {
        throw InputError(where + error.what());
      } catch (const StateError& error) {
        throw StateError(where + error.what());
      }
    }
    while (row < one.rows) keep(one.states[column][row]);
  }
  return encode(one.head, totals, out);
}

}  // namespace confmat
