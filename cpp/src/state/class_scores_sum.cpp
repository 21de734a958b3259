// Adds up states of scores of many classes, a sweep of all of them after the other.
#include "confmat/state/class_scores_sum.hpp"

#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/merge_tree.hpp"

namespace confmat {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 22U;  // some 100 MB

std::size_t entries_of(const ClassScores& scores) {
  std::size_t out = scores.top.size();
  for (const Sweep& sweep : scores.sweeps) out += sweep.size();
  return out;
}

}  // namespace

void ClassScoresSum::add(ClassScores scores) {
  if (!parts_.empty()) require_alike(parts_.front(), scores, "add");
  n_entries_ += entries_of(scores);
  parts_.push_back(std::move(scores));
  if (n_entries_ > kMostEntries) join();
}

// One sum of sweeps at a time, as each has a table of all bins.
void ClassScoresSum::join() {
  if (parts_.size() < 2) return;
  SweepSum sum;
  const StopSign sign;
  const auto join_sweeps = [&](const auto& sweep_of) {
    sign.obey();
    for (ClassScores& part : parts_) sum.add(std::move(sweep_of(part)));
    return sum.take();
  };
  std::vector<Sweep> sweeps;
  sweeps.reserve(parts_.front().sweeps.size());
  for (std::size_t i = 0; i < parts_.front().sweeps.size(); ++i) {
    sweeps.push_back(join_sweeps([i](ClassScores& part) -> Sweep& { return part.sweeps[i]; }));
  }
  Sweep top = join_sweeps([](ClassScores& part) -> Sweep& { return part.top; });
  MergeTree<ClassScores> rest;
  for (ClassScores& part : parts_) {
    part.sweeps.clear();
    part.top = {};
    rest.add(std::move(part));
  }
  parts_.clear();
  parts_.push_back(rest.take());
  parts_.front().sweeps = std::move(sweeps);
  parts_.front().top = std::move(top);
  n_entries_ = entries_of(parts_.front());
}

ClassScores ClassScoresSum::take() {
  if (parts_.empty()) throw InputError("nothing to merge: wanted at least one state");
  join();
  ClassScores out = std::move(parts_.front());
  parts_.clear();
  n_entries_ = 0;
  return out;
}

}  // namespace confmat
