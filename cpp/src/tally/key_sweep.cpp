// Sweeps of keys in memory: the same sort as that of whole columns.
#include "confmat/tally/key_sweep.hpp"

#include "sweep_list.hpp"

namespace confmat {

template <class Key, bool kWeighted>
struct KeySweep<Key, kWeighted>::List {
  ListSweep<Key, std::conditional_t<kWeighted, double, Unweighted>> sweep;
};

template <class Key, bool kWeighted>
KeySweep<Key, kWeighted>::KeySweep() : list_(std::make_unique<List>()) {}
template <class Key, bool kWeighted>
KeySweep<Key, kWeighted>::KeySweep(KeySweep&&) noexcept = default;
template <class Key, bool kWeighted>
KeySweep<Key, kWeighted>& KeySweep<Key, kWeighted>::operator=(KeySweep&&) noexcept = default;
template <class Key, bool kWeighted>
KeySweep<Key, kWeighted>::~KeySweep() = default;

template <class Key, bool kWeighted>
typename KeySweep<Key, kWeighted>::Runs KeySweep<Key, kWeighted>::run(
    const Rows& rows, int threads, const std::function<void()>& dealt) {
  RowBlock<Key, std::conditional_t<kWeighted, double, Unweighted>> block{rows.n, rows.keys,
                                                                         rows.positive};
  if constexpr (kWeighted) block.weights = rows.weights;
  Runs runs;
  const auto out = list_->sweep.run(block, threads, runs.size, dealt);
  runs.scores = out.scores;
  runs.positives = out.positives;
  runs.negatives = out.negatives;
  runs.positive_squares = out.positive_squares;
  runs.negative_squares = out.negative_squares;
  return runs;
}

template class KeySweep<std::uint32_t, false>;
template class KeySweep<std::uint32_t, true>;
template class KeySweep<std::uint64_t, false>;
template class KeySweep<std::uint64_t, true>;

}  // namespace confmat
