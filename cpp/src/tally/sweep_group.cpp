#include "confmat/tally/sweep_group.hpp"

#include "sweep_list.hpp"

namespace confmat {

template <class Score>
struct GroupSweep<Score>::Impl {
  ListSweep<Key, Unweighted> counts;
  ListSweep<Key, double> weights;
};

template <class Score>
GroupSweep<Score>::GroupSweep() : impl_(std::make_unique<Impl>()) {}
template <class Score>
GroupSweep<Score>::~GroupSweep() = default;
template <class Score>
GroupSweep<Score>::GroupSweep(GroupSweep&&) noexcept = default;
template <class Score>
GroupSweep<Score>& GroupSweep<Score>::operator=(GroupSweep&&) noexcept = default;

template <class Score>
auto GroupSweep<Score>::counts(std::span<const Key> keys, const std::uint8_t* positive, int threads)
    -> Runs<std::uint32_t> {
  std::size_t size = 0;
  const auto out = impl_->counts.run({keys.size(), keys.data(), positive}, threads, size);
  return {{out.scores, size}, {out.positives, size}, {out.negatives, size}};
}

template <class Score>
auto GroupSweep<Score>::weights(std::span<const Key> keys, const std::uint8_t* positive,
                                const double* weights, int threads) -> Runs<double> {
  std::size_t size = 0;
  const auto out = impl_->weights.run({keys.size(), keys.data(), positive, weights}, threads, size);
  return {{out.scores, size}, {out.positives, size}, {out.negatives, size}};
}

template class GroupSweep<float>;
template class GroupSweep<double>;

}  // namespace confmat
