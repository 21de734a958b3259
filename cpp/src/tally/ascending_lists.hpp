// Lists of labels of which each ascends and has no label twice: as they lie, or in a copy.
#pragma once

#include <cstdint>

#include "confmat/base/pages.hpp"
#include "confmat/tally/set_side.hpp"

namespace confmat {

class AscendingLists {
 public:
  // `parts`: threads that read a range of rows each. Needs: the ends ascend up to the labels, and
  // the lists outlive this.
  AscendingLists(const SetLists& lists, int parts);

  [[nodiscard]] const SetLists& lists() const noexcept { return lists_; }

 private:
  void copy(const SetLists& from, int parts);

  SetLists lists_;
  Pages<std::uint32_t> labels_;
  Pages<std::int64_t> ends_;
};

}  // namespace confmat
