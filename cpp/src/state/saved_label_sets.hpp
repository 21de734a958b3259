// Distinct sets of labels in payloads of states: as bits, or as lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/state/label_sets.hpp"

namespace confmat {

// Throws StateError: not what rows with sets of labels give.
[[noreturn]] void refuse_sets(const char* what);

class SavedSets {
 public:
  // Needs: the sets live as long as this.
  SavedSets(const LabelSets& sets, std::size_t n_labels);
  // Of lists how many bytes the size of each takes; 0: bits.
  [[nodiscard]] std::uint8_t form() const noexcept { return form_; }
  void put(ByteWriter& out) const;

 private:
  const LabelSets& sets_;
  std::size_t n_labels_;
  std::uint8_t form_ = 0;
  std::vector<std::uint64_t> sizes_;  // of lists
};

// As they were saved; their order is not checked. Throws StateError: sets that have no such labels,
// in a form that they are not saved in.
LabelSets take_label_sets(ByteReader& reader, std::size_t n, std::size_t n_labels,
                          std::uint8_t form);

}  // namespace confmat
