// Many states that hold several sweeps each as one: those of the first label or class of all of
// them, then those of the second, as each sum has a table of all bins.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/sweep.hpp"

namespace confmat {

// Needs: require_alike(one, other, verb), added(one, other) and sweeps_in(state), which gives their
// addresses.
template <class State>
class ManySweepsSum {
 public:
  // Throws InputError: it does not go with those before.
  void add(State state) {
    if (!parts_.empty()) require_alike(parts_.front(), state, "add");
    for (const Sweep* const sweep : sweeps_in(state)) n_entries_ += sweep->size();
    parts_.push_back(std::move(state));
    if (n_entries_ > kMostEntries) join();
  }
  // Then it is empty. Throws InputError: there was none.
  [[nodiscard]] State take() {
    if (parts_.empty()) throw InputError("nothing to merge: wanted at least one state");
    join();
    State out = std::move(parts_.front());
    parts_.clear();
    n_entries_ = 0;
    return out;
  }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 22U;  // some 100 MB

  void join() {
    if (parts_.size() < 2) return;
    SweepSum sum;
    const std::size_t n_sweeps = sweeps_in(parts_.front()).size();
    std::vector<Sweep> sums;
    sums.reserve(n_sweeps);
    const StopSign sign;
    for (std::size_t i = 0; i < n_sweeps; ++i) {
      sign.obey();
      for (State& part : parts_) sum.add(std::exchange(*sweeps_in(part)[i], Sweep{}));
      sums.push_back(sum.take());
    }
    MergeTree<State> rest;
    for (State& part : parts_) rest.add(std::move(part));
    parts_.clear();
    parts_.push_back(rest.take());
    n_entries_ = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      n_entries_ += sums[i].size();
      *sweeps_in(parts_.front())[i] = std::move(sums[i]);
    }
  }

  std::vector<State> parts_;  // that wait for their sweeps to be added, each with its likes
  std::size_t n_entries_ = 0;
};

}  // namespace confmat
