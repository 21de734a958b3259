// A column of labels as a plugin call gives it; whole numbers in floats become integers.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "confmat/batch/whole_numbers.hpp"
#include "plugin/category_texts.hpp"
#include "plugin/inputs.hpp"

namespace confmat::plugin {

inline bool is_text(const ArrowSchema& field) {
  const std::string_view format = field.format;
  return field.dictionary != nullptr || format == "vu" || format == "u" || format == "U";
}

// Whether the request says which labels it is about. Of others, a flood is refused.
enum class Labelling : bool { kFound, kNamed };

class LabelColumn {
 public:
  LabelColumn() = default;
  // Input `i`, without chunks that have no row, unless none has one. Where there is an input `type`
  // it is a null of the dtype of the labels, and input `i` holds their physical values: codes of
  // categories, others as they are. `scores_go_to` is for a hint, see Place.
  LabelColumn(const Inputs& inputs, std::size_t i, std::size_t type, Labelling labelling,
              const char* argument, const char* scores_go_to = "cm.sweep_metrics");

  [[nodiscard]] Chunks chunks() const noexcept {
    return columns_.empty() ? as_it_lies_.chunks() : Chunks(columns_);
  }

 private:
  void become_whole(const Place& place);
  void become_keys(const Inputs& inputs, std::size_t type, Labelling labelling,
                   const char* argument);
  void look_up_in(const CategoriesName& categories, Labelling labelling, const char* argument);
  void renumber(const CategoriesName& categories, Labelling labelling, const char* argument);

  ArrowColumns as_it_lies_;
  std::deque<WholeColumn> whole_;
  ArrowColumns categories_;                 // of an Enum
  std::shared_ptr<const CodeTexts> texts_;  // of a Categorical
  std::deque<std::vector<std::uint32_t>> codes_;
  std::unique_ptr<Column> dictionary_;  // its address stays
  std::vector<Column> columns_;         // what has become of the chunks; none: they are as they lie
};

// The type of label column `i` of `columns` inputs or fields, behind which their types may follow.
inline std::size_t type_of(std::size_t i, std::size_t columns, std::size_t all) noexcept {
  return columns + i < all ? columns + i : i;
}

}  // namespace confmat::plugin
