// Many states as one, those of like sizes with each other: each is added about log2(n) times, and
// not into an ever larger sum. To tables, which do not grow, all is added at once.
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
    const std::size_t size = size_of(state, 1);
    parts_.push_back({std::move(state), size});
    while (parts_.size() > 1 && goes_with_last(parts_[parts_.size() - 2])) join_last();
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
    std::size_t size;
  };
  // How much it holds or, where it does not say, of how many it is the sum.
  static std::size_t size_of(const State& state, std::size_t parts) noexcept {
    if constexpr (requires { state.held(); }) {
      return state.held();
    } else {
      return parts;
    }
  }
  [[nodiscard]] bool goes_with_last(const Part& part) const noexcept {
    if constexpr (requires { part.state.is_sparse; }) {
      if (!part.state.is_sparse) return true;
    }
    return part.size <= parts_.back().size;
  }
  void join_last() {
    const Part last = std::move(parts_.back());
    parts_.pop_back();
    const std::size_t parts = parts_.back().size + last.size;
    parts_.back().state = added(parts_.back().state, last.state);
    parts_.back().size = size_of(parts_.back().state, parts);
  }

  std::vector<Part> parts_;  // each larger than the next, none but the last a table
};

}  // namespace confmat
