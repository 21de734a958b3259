// Where the cells of the tables of slices go when tables of wider keys and more labels are laid
// out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "confmat/batch/labels.hpp"
#include "wider_keys.hpp"

namespace confmat {

class CellMoves {
 public:
  // Needs: the wider keys and labels have all values of the others; given labels are the same.
  CellMoves(std::span<const GroupKey> keys, const Labels& labels, std::span<const GroupKey> wider,
            const Labels& more)
      : classes_(places(labels, more)), side_(static_cast<std::size_t>(more.size()) + 2) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys_.push_back(key_places(keys[i], wider[i]));
      numbers_.push_back(static_cast<std::size_t>(wider[i].numbers()));
    }
  }

  // Calls visit(from, to) for each cell.
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t slots = 1;
    for (const std::vector<std::size_t>& key : keys_) slots *= key.size();
    const std::size_t old_side = classes_.size();
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::size_t from = slot * old_side * old_side;
      const std::size_t to = wider_slot(slot) * side_ * side_;
      for (std::size_t i = 0; i < old_side; ++i) {
        for (std::size_t j = 0; j < old_side; ++j) {
          visit(from + i * old_side + j, to + classes_[i] * side_ + classes_[j]);
        }
      }
    }
  }

 private:
  // Of each class, of other labels and of null; given labels, whose order has a meaning, stay.
  static std::vector<std::size_t> places(const Labels& from, const Labels& to) {
    std::vector<std::size_t> out;
    out.reserve(static_cast<std::size_t>(from.size()) + 2);
    for (std::int64_t i = 0; i < from.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (from.size() == to.size()) {
        out.push_back(at);
        continue;
      }
      out.push_back(static_cast<std::size_t>(
          from.kind == Labels::Kind::kText
              ? std::ranges::lower_bound(to.texts, from.texts[at]) - to.texts.begin()
              : std::ranges::lower_bound(to.ints, from.ints[at]) - to.ints.begin()));
    }
    const auto k = static_cast<std::size_t>(to.size());
    out.push_back(k);
    out.push_back(k + 1);
    return out;
  }

  [[nodiscard]] std::size_t wider_slot(std::size_t slot) const {
    std::size_t to = 0, step = 1;
    for (std::size_t i = keys_.size(); i-- > 0;) {
      to += keys_[i][slot % keys_[i].size()] * step;
      step *= numbers_[i];
      slot /= keys_[i].size();
    }
    return to;
  }

  std::vector<std::size_t> classes_;
  std::size_t side_;
  std::vector<std::vector<std::size_t>> keys_;  // of each number its place
  std::vector<std::size_t> numbers_;
};

}  // namespace confmat
