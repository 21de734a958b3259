// Many states as one, those of like numbers of parts with each other: each is added about log2(n)
// times, and not into an ever larger sum.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"

namespace confmat {

template <class State>
class MergeTree {
 public:
  // Throws InputError.
  void add(State state) {
    parts_.push_back({std::move(state), 1});
    while (parts_.size() > 1 && parts_[parts_.size() - 2].of <= parts_.back().of) join_last();
  }
  [[nodiscard]] bool is_empty() const noexcept { return parts_.empty(); }
  // Then it is empty. Throws InputError: there was none.
  [[nodiscard]] State take() {
    if (parts_.empty()) throw InputError("nothing to merge: wanted at least one state");
    while (parts_.size() > 1) join_last();
    State out = std::move(parts_.back().state);
    parts_.clear();
    return out;
  }

 private:
  struct Part {
    State state;
    std::size_t of;  // how many were added to it
  };
  void join_last() {
    const Part last = std::move(parts_.back());
    parts_.pop_back();
    parts_.back() = {added(parts_.back().state, last.state), parts_.back().of + last.of};
  }

  std::vector<Part> parts_;  // of which each is of more than the next
};

}  // namespace confmat
