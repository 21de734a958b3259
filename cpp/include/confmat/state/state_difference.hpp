// Saved states without the rows of others of their kind.
#pragma once

#include <any>
#include <cstdint>
#include <vector>

#include "confmat/state/kinds.hpp"

namespace confmat {

class StateDifference {
 public:
  // The rows of `whole` that are not in `part`. The same bytes of `whole`, one call after the
  // other, are read once. Needs: they outlive the next call.
  // Throws StateError, InputError: `part` is none of it, or of another kind.
  [[nodiscard]] std::vector<std::uint8_t> of(Bytes whole, Bytes part);

 private:
  Bytes read_;
  std::any whole_;
};

}  // namespace confmat
