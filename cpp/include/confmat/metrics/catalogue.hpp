// All rows in one list, and every name that reaches one: `recall`, `recall_macro`, aliases.
// Built once, on first use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/metrics/own_rows.hpp"
#include "confmat/metrics/row.hpp"
#include "confmat/metrics/suffixes.hpp"

namespace confmat::metrics {

struct Entry {
  std::int32_t row = -1;
  Average average = Average::kNone;
  std::string_view bound = "";  // "(2)" where the alias fixes the parameters
};

class Catalogue {
 public:
  Catalogue();

  std::span<const Row> rows() const { return rows_; }
  // Behind the rows come those of callers.
  const Row& row(std::int32_t index) const {
    const auto n = static_cast<std::int32_t>(rows_.size());
    return index < n ? rows_[static_cast<std::size_t>(index)] : own_row(index - n);
  }
  const Row& base(const Row& row) const;        // of an averaged row
  const Row* one_of_two(const Row& row) const;  // see RowFacts; null: it has none
  const Entry* find(std::string_view name) const;
  const std::map<std::string, Entry, std::less<>>& names() const { return names_; }
  // "recall_macro" of the row recall; aliases likewise.
  std::string name_of(const Row& row, Average average) const;
  std::vector<std::string> aliases_of(const Row& row, Average average) const;

 private:
  void add(std::string name, Entry entry);
  void add_row(std::int32_t index);

  std::vector<Row> rows_;
  std::map<std::string, Entry, std::less<>> names_;
};

const Catalogue& catalogue();
// Whether `row` has this average; geometric means and the like need values that are never negative.
bool allows(const Row& row, Average average);
// What an ask of it takes: the parameters of the row, and the exponent of Average::kPower.
std::vector<Param> params_taken(const Row& row, Average average);

}  // namespace confmat::metrics
