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
struct KeySweep<Key, kWeighted>::Found {
  std::size_t size = 0;
  typename decltype(List::sweep)::Out at{};

  [[nodiscard]] Runs runs() const noexcept {
    return {size, at.scores, at.positives, at.negatives, at.positive_squares, at.negative_squares};
  }
};

template <class Key, bool kWeighted>
typename KeySweep<Key, kWeighted>::Runs KeySweep<Key, kWeighted>::run(
    const Rows& rows, int threads, const std::function<void()>& dealt) {
  RowBlock<Key, std::conditional_t<kWeighted, double, Unweighted>> block{rows.n, rows.keys,
                                                                         rows.positive};
  if constexpr (kWeighted) block.weights = rows.weights;
  Found found;
  found.at = list_->sweep.run(block, threads, found.size, dealt);
  return found.runs();
}

template <class Key, bool kWeighted>
typename KeySweep<Key, kWeighted>::Runs KeySweep<Key, kWeighted>::run(std::size_t n,
                                                                      const Fill& fill, int threads)
  requires(!kWeighted)
{
  Found found;
  found.at = list_->sweep.run_filled(n, fill, threads, found.size);
  return found.runs();
}

template class KeySweep<std::uint32_t, false>;
template class KeySweep<std::uint32_t, true>;
template class KeySweep<std::uint64_t, false>;
template class KeySweep<std::uint64_t, true>;

}  // namespace confmat
