// The sum of saved matrices of rows as one table, whose cells are added where they lie.
//
// Matrices of labels that were found may each have other labels: their table is by the order in
// which labels came, and what is known of labels stays from sum to sum. A state costs its bytes and
// its cells, then, and its labels are read where they come for the first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "confmat/state/counts.hpp"

namespace confmat {

class TableSum {
 public:
  // False, and nothing was added: it does not go with what is there, or is better read otherwise,
  // bytes that are no state among these. Throws InputError: totals out of range.
  bool add(Bytes bytes);
  [[nodiscard]] bool is_empty() const noexcept { return rows_.counted == RowTotals::kUnknown; }
  // Then it is empty. Needs: it was not.
  [[nodiscard]] Counts take();

 private:
  // States that begin with the same bytes.
  struct Alike {
    std::string leading;
    LabelSet labels;
    bool may_grow = false;          // labels were found, and no positive class is named
    std::vector<std::uint32_t> at;  // where they are in the table, then
  };

  const Alike* alike(Bytes leading, Bytes bytes);
  bool place(Alike& fresh);
  bool goes(const Alike& of) const noexcept;
  bool read(const Alike& of, Bytes payload, const RowTotals& rows);
  void start(const Alike& of);
  void spread(std::size_t labels);
  Counts take_found();
  void forget();

  std::unordered_map<std::string_view, Alike> known_;  // views of their own `leading`
  std::size_t known_bytes_ = 0;
  Alike spare_;  // where more than can be known
  const Alike* last_ = nullptr;
  // Labels by their places, of one kind.
  Labels labels_;
  std::unordered_map<std::int64_t, std::uint32_t> ints_;
  std::unordered_map<std::string, std::uint32_t> texts_;

  const Alike* of_ = nullptr;  // those of the sum, where no others may come
  RowTotals rows_;             // none counted yet: unknown
  std::size_t side_ = 0;
  std::vector<std::int64_t> cells_;
  std::vector<bool> is_there_;
  std::vector<std::uint32_t> there_;
  // Of the last state read.
  std::vector<std::uint32_t> places_, values_;
};

}  // namespace confmat
