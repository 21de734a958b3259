// Adds saved states of any kind.
#include "confmat/state/state_sum.hpp"

#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/state/codec.hpp"

namespace confmat {

void StateSum::add(Bytes bytes) {
  const KindRow& row = row_of_kind(kind_of(bytes));
  if (first_ == nullptr) {
    std::unique_ptr<KindSum>& sum = sums_[row.type];
    if (sum == nullptr) sum = row.type->sum();
    sum_ = sum.get();
    first_ = &row;
  }
  require_one_type(*first_, row);
  sum_->add(bytes);
}

std::vector<std::uint8_t> StateSum::take() {
  if (std::exchange(first_, nullptr) == nullptr) {
    throw InputError("nothing to merge: wanted at least one state");
  }
  return sum_->take();
}

}  // namespace confmat
