// Inserts where the order has it.
#include "confmat/state/added_class.hpp"

#include <algorithm>

namespace confmat {

AddedClass::AddedClass(Labels& found, const Labels& one) : k_(found.size()) {
  const auto insert = [this](auto& all, const auto& label) {
    const auto place = std::ranges::lower_bound(all, label);
    at_ = place - all.begin();
    all.insert(place, label);
  };
  if (one.kind == Labels::Kind::kText) {
    found.kind = Labels::Kind::kText;
    insert(found.texts, one.texts[0]);
  } else {
    insert(found.ints, one.ints[0]);
  }
}

}  // namespace confmat
