// Numbers labels as they are met, and keeps the pair of each row.
#include "pair_rows.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace confmat {
template <class Weight>
PairRows<Weight>::PairRows(const Job& job, const ClassSet* fixed)
    : met(growing_classes(job.kind)), job_(job), set_(fixed != nullptr ? *fixed : met) {}

template <class Weight>
void PairRows<Weight>::run(std::int64_t first, std::int64_t last) {
  constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
  struct Buffers {
    std::uint32_t truth[kBlock];
    std::uint32_t prediction[kBlock];
    Weight weights[kWeighted ? kBlock : 1];
  };
  const auto buffers = std::make_unique_for_overwrite<Buffers>();
  Scratch scratch;
  ClassReader truth("y_true", scratch);
  ClassReader prediction("y_pred", scratch);
  WeightReader weight(scratch);
  Cursor at_truth(job_.y_true, first);
  Cursor at_prediction(job_.y_pred, first);
  Cursor at_weight(job_.sample_weight, kWeighted ? first : 0);
  const Column* begun[3] = {nullptr, nullptr, nullptr};
  const auto is_new = [](const Cursor& at, const Column*& chunk) {
    return std::exchange(chunk, &at.chunk()) != &at.chunk();
  };
  rows = Pages<PairRow<Weight>>(static_cast<std::size_t>(last - first));
  for (std::int64_t row = first; row < last;) {
    std::int64_t n = std::min<std::int64_t>(
        {static_cast<std::int64_t>(kBlock), last - row, at_truth.left(), at_prediction.left()});
    if constexpr (kWeighted) n = std::min(n, at_weight.left());
    const auto block = static_cast<std::size_t>(n);
    if (is_new(at_truth, begun[0])) truth.start(*begun[0], set_, row - at_truth.at());
    if (is_new(at_prediction, begun[1])) {
      prediction.start(*begun[1], set_, row - at_prediction.at());
    }
    read(truth, at_truth.at(), block, buffers->truth);
    read(prediction, at_prediction.at(), block, buffers->prediction);
    if constexpr (kWeighted) {
      if (is_new(at_weight, begun[2])) weight.start(*begun[2], row - at_weight.at());
      weight.read(at_weight.at(), block, buffers->weights, buffers->truth, buffers->prediction,
                  set_.null());
      at_weight.advance(n);
    }
    const std::int64_t others = n_other;
    keep(buffers->truth, buffers->prediction, buffers->weights, block);
    if (n_other > others && outsider.row < 0) {
      std::size_t i = 0;
      const auto is_other = [&] {
        const std::uint32_t t = buffers->truth[i];
        const std::uint32_t p = buffers->prediction[i];
        return std::max(t, p) == set_.other();
      };
      while (!is_other()) ++i;
      const auto here = static_cast<std::int64_t>(i);
      outsider.in_truth = buffers->truth[i] == set_.other();
      outsider.row = row + here;
      outsider.label = outsider.in_truth ? truth.display(at_truth.at() + here)
                                         : prediction.display(at_prediction.at() + here);
    }
    at_truth.advance(n);
    at_prediction.advance(n);
    row += n;
  }
}

// Labels that are new get the next numbers.
template <class Weight>
void PairRows<Weight>::read(ClassReader& reader, std::int64_t at, std::size_t n,
                            std::uint32_t* classes) {
  if (!reader.read(at, n, kClass32, classes) || !set_.grows) return;
  const std::uint32_t other = set_.other();
  for (std::size_t i = 0; i < n; ++i) {
    if (classes[i] != other) continue;
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    classes[i] = met.form == ClassSet::Form::kTexts ? met.texts.add(reader.text_label(row))
                                                    : met.ints.add(reader.int_label(row));
  }
  if (met.size() > kMostWideClasses) {
    throw InputError("`y_true` and `y_pred` have " + std::to_string(met.size()) +
                     " or more labels; at most " + std::to_string(kMostWideClasses) +
                     " are possible");
  }
}

template <class Weight>
void PairRows<Weight>::keep(const std::uint32_t* truth, const std::uint32_t* prediction,
                            const Weight* weights, std::size_t n) {
  PairRow<Weight>* const to = rows.data() + size;
  const std::uint32_t other = set_.other();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t t = truth[i];
    const std::uint32_t p = prediction[i];
    // No jump: a row that does not count is overwritten by the next.
    to[kept].code = std::uint64_t{t} << 32U | p;
    if constexpr (!std::is_same_v<Weight, NoWeight>) to[kept].weight = weights[i];
    const std::uint32_t most = std::max(t, p);  // null is beyond other, and other beyond labels
    kept += most < other ? 1U : 0U;
    n_dropped += most > other ? 1 : 0;
    n_other += most == other ? 1 : 0;
  }
  size += kept;
}

template <class Weight>
std::vector<std::uint8_t> PairRows<Weight>::present() const {
  const bool all = n_dropped == 0 && n_other == 0;
  std::vector<std::uint8_t> found(met.size(), all ? 1 : 0);
  if (all) return found;
  for (const auto [first, last] : Strides(size)) {
    for (std::size_t i = first; i < last; ++i) {
      found[rows[i].code >> 32U] = 1;
      found[rows[i].code & UINT32_MAX] = 1;
    }
  }
  return found;
}

template class PairRows<NoWeight>;
template class PairRows<std::uint64_t>;
template class PairRows<double>;

}  // namespace confmat
