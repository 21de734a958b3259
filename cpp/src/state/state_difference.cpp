// Takes saved states of any kind away from each other.
#include "confmat/state/state_difference.hpp"

#include "confmat/state/codec.hpp"

namespace confmat {

std::vector<std::uint8_t> StateDifference::of(Bytes whole, Bytes part) {
  const KindRow& one = row_of_kind(kind_of(whole));
  if (whole.data() != read_.data() || whole.size() != read_.size()) {
    read_ = {};
    whole_ = one.type->read(whole);
    read_ = whole;
  }
  const KindRow& two = row_of_kind(kind_of(part));
  const std::any other = two.type->read(part);
  require_one_type(one, two);
  return one.type->taken_away(whole_, other);
}

}  // namespace confmat
