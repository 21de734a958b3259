// Many states that hold several sweeps each as one: those of the first label or class of all of
// them, then those of the second, as each sum has a table of all bins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/sweep_sum.hpp"

namespace confmat {

// Needs: require_alike(one, other, verb), added(one, other), sweeps_in(state), which gives their
// addresses, decode(bytes, read, state), which reads them by `read`, in that order, and
// encode(state, sweeps), which takes them as saved, of counts.
template <class State>
class ManySweepsSum {
 public:
  // Throws InputError: it does not go with those before.
  void add(State state) {
    std::vector<AnySweep> sweeps;
    for (Sweep* const sweep : sweeps_in(state)) sweeps.emplace_back(std::move(*sweep));
    add({std::move(state), std::move(sweeps)});
  }
  // Throws StateError, and what the other one throws. Needs: the bytes stay until take().
  void add(Bytes saved) {
    Part part;
    decode(
        saved, [&](Bytes bytes) { return about_of(part.sweeps.emplace_back(open_sweep(bytes))); },
        part.rest);
    add(std::move(part));
  }
  // Then it is empty. Throws InputError: there was none.
  [[nodiscard]] State take() {
    if (parts_.empty()) throw InputError("nothing to merge: wanted at least one state");
    join();
    State out = std::move(parts_.front().rest);
    const std::vector<Sweep*> places = sweeps_in(out);
    for (std::size_t i = 0; i < places.size(); ++i) {
      *places[i] = as_sweep(std::move(parts_.front().sweeps[i]));
    }
    parts_.clear();
    n_entries_ = 0;
    return out;
  }
  // take(), saved.
  [[nodiscard]] std::vector<std::uint8_t> saved() {
    const auto is_saved = [](const AnySweep& of) { return std::holds_alternative<SavedBins>(of); };
    if (!std::ranges::all_of(
            parts_, [&](const Part& part) { return std::ranges::all_of(part.sweeps, is_saved); })) {
      return encode(take());
    }
    std::vector<std::vector<std::uint8_t>> sweeps;
    const State rest = joined([&](SweepSum& sum) { sweeps.push_back(sum.saved()); });
    return encode(rest, sweeps);
  }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 22U;  // some 100 MB

  struct Part {
    State rest;  // with no entries in its sweeps
    std::vector<AnySweep> sweeps;
  };

  // What the checks of a state need.
  static Sweep about_of(const AnySweep& sweep) {
    if (const auto* const saved = std::get_if<SavedBins>(&sweep)) return saved->about();
    return std::get<Sweep>(sweep);
  }
  static Sweep as_sweep(AnySweep sweep) {
    if (const auto* const saved = std::get_if<SavedBins>(&sweep)) return saved->decoded();
    return std::get<Sweep>(std::move(sweep));
  }

  void add(Part part) {
    for (Sweep* const sweep : sweeps_in(part.rest)) *sweep = {};
    if (!parts_.empty()) require_alike(parts_.front().rest, part.rest, "add");
    for (const AnySweep& sweep : part.sweeps) {
      n_entries_ += std::visit([](const auto& of) { return of.size(); }, sweep);
    }
    parts_.push_back(std::move(part));
    if (n_entries_ > kMostEntries) join();
  }

  void join() {
    if (parts_.size() < 2) return;
    Part out;
    out.rest = joined([&](SweepSum& sum) { out.sweeps.emplace_back(sum.take()); });
    add(std::move(out));
  }

  // All parts but their sweeps, whose sums `take` is called with.
  template <class Take>
  State joined(const Take& take) {
    if (parts_.empty()) throw InputError("nothing to merge: wanted at least one state");
    const std::size_t n_sweeps = parts_.front().sweeps.size();
    std::unique_ptr<SweepSum> sum = std::move(sum_);  // where one throws it goes
    if (sum == nullptr) sum = std::make_unique<SweepSum>();
    const StopSign sign;
    for (std::size_t i = 0; i < n_sweeps; ++i) {
      sign.obey();
      for (Part& part : parts_) sum->add(std::exchange(part.sweeps[i], Sweep{}));
      take(*sum);
    }
    sum_ = std::move(sum);
    MergeTree<State> rest;
    for (Part& part : parts_) rest.add(std::move(part.rest));
    parts_.clear();
    n_entries_ = 0;
    return rest.take();
  }

  std::vector<Part> parts_;  // that wait for their sweeps to be added, each with its likes
  std::size_t n_entries_ = 0;
  std::unique_ptr<SweepSum> sum_;  // whose memory stays
};

}  // namespace confmat
