// Saved states of any one kind: many as one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "confmat/state/kinds.hpp"

namespace confmat {

class StateSum {
 public:
  // Throws StateError, InputError: it does not go with those before. Needs: the bytes stay until
  // take().
  void add(Bytes bytes);
  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
  // Then it is empty; its memory stays. Throws InputError: it was.
  [[nodiscard]] std::vector<std::uint8_t> take();

 private:
  const KindRow* first_ = nullptr;
  std::map<const KindType*, std::unique_ptr<KindSum>> sums_;
  KindSum* sum_ = nullptr;  // that of the first
};

}  // namespace confmat
