// Memory that is not cleared, and grows to the largest size asked for.
#pragma once

#include <cstddef>

#include "confmat/base/pages.hpp"

namespace confmat {

template <class T>
class Room {
 public:
  T* get(std::size_t n) {
    if (n > pages_.size()) {
      give_back();
      pages_ = Pages<T>(n);
    }
    return pages_.data();
  }
  [[nodiscard]] T* get() const noexcept { return pages_.data(); }
  void give_back() noexcept { pages_ = {}; }

 private:
  Pages<T> pages_;
};

}  // namespace confmat
