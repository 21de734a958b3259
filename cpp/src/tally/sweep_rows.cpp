// Reads blocks of labels, scores and weights, and leaves rows out by reason.
#include "sweep_rows.hpp"

#include <algorithm>
#include <string>

#include "confmat/kernels/wide_loop.hpp"
#include "confmat/tally/look_ahead.hpp"

namespace confmat {

template <class Key, class Weight>
RowReader<Key, Weight>::RowReader(const SweepJob& job, std::int64_t first, std::int64_t last)
    : job_(job),
      truth_("y_true", scratch_),
      weight_(scratch_),
      truth_at_(job.y_true, first),
      score_at_(job.y_score, first),
      weight_at_(job.sample_weight, kWeighted ? first : 0),
      row_(first),
      last_(last) {}

template <class Key, class Weight>
void RowReader<Key, Weight>::follow_chunks() {
  if (truth_chunk_ != &truth_at_.chunk()) {
    truth_chunk_ = &truth_at_.chunk();
    truth_.start(*truth_chunk_, *job_.classes, job_.rows_before + row_ - truth_at_.at());
  }
  if (score_chunk_ != &score_at_.chunk()) {
    score_chunk_ = &score_at_.chunk();
    score_.start(*score_chunk_, job_.rows_before + row_ - score_at_.at(), job_.score_argument);
  }
  if constexpr (kWeighted) {
    if (weight_chunk_ != &weight_at_.chunk()) {
      weight_chunk_ = &weight_at_.chunk();
      weight_.start(*weight_chunk_, job_.rows_before + row_ - weight_at_.at());
    }
  }
}

template <class Key, class Weight>
bool RowReader<Key, Weight>::next(RowBlock<Key, Weight>& block) {
  if (row_ >= last_) return false;
  places_.clear();
  left_out_.clear();
  nans_.clear();
  std::int64_t n = std::min(
      {static_cast<std::int64_t>(kBlock), last_ - row_, truth_at_.left(), score_at_.left()});
  if constexpr (kWeighted) n = std::min(n, weight_at_.left());
  auto kept = static_cast<std::size_t>(n);
  follow_chunks();
  truth_.read(truth_at_.at(), kept, kWeighted ? kClass16 : kClass8, classes_);
  bool clean = score_.read(score_at_.at(), kept, keys_);
  if (!clean) drop_unscored(kept);
  if constexpr (kWeighted) clean &= read_weights(kept);
  Class most = 0;
  // As if all rows counted.
  wide_loop([this, &most, n_read = kept] {
    const Class* const classes = classes_;
    std::uint8_t* const positive = positive_;
    const std::size_t size = n_read;
    const std::uint8_t flip = job_.flip;
    Class found = 0;
    for (std::size_t i = 0; i < size; ++i) found = std::max(found, classes[i]);
    for (std::size_t i = 0; i < size; ++i) {
      positive[i] = static_cast<std::uint8_t>(classes[i] ^ flip);
    }
    most = found;
  });
  if (!clean || most >= job_.classes->classes) kept = keep_rows(kept);
  block = {kept, keys_, positive_};
  if constexpr (kWeighted) {
    block.weights = weights_;
    weight_at_.advance(n);
  }
  truth_at_.advance(n);
  score_at_.advance(n);
  row_ += n;
  if (row_ < last_) {
    look_ahead(truth_at_.chunk(), truth_at_.at(), kBlock, block.ahead, 0);
    look_ahead(score_at_.chunk(), score_at_.at(), kBlock, block.ahead, 1);
  }
  return true;
}

// Gives rows without a score the null class. The score of a row with another null is not
// looked at.
template <class Key, class Weight>
void RowReader<Key, Weight>::drop_unscored(std::size_t n) {
  const auto null = static_cast<Class>(job_.classes->null());
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t at = score_at_.at() + static_cast<std::int64_t>(i);
    if (classes_[i] == null) continue;
    if (!score_chunk_->valid(at) || !has_weight(i)) {
      classes_[i] = null;
    } else if (score_.is_nan(at)) {
      if (!job_.nan_drop) score_.require_no_nan(at);
      classes_[i] = null;
      if (job_.tells_places) nans_.push_back(static_cast<std::uint16_t>(i));
      ++n_nan;
      --n_dropped;  // counted with the nulls later
    } else {
      score_.require_exact(at);
    }
  }
}

// Whether the weight of a row of the block is no null.
template <class Key, class Weight>
bool RowReader<Key, Weight>::has_weight(std::size_t i) const {
  return !kWeighted || weight_chunk_->valid(weight_at_.at() + static_cast<std::int64_t>(i));
}

// Returns whether no row has weight 0.
template <class Key, class Weight>
bool RowReader<Key, Weight>::read_weights(std::size_t n) {
  if constexpr (kWeighted) {
    weight_.read(weight_at_.at(), n, weights_, classes_, classes_,
                 static_cast<std::uint16_t>(job_.classes->null()));
    bool zero = false;
    for (std::size_t i = 0; i < n; ++i) zero |= weights_[i] == 0;
    return !zero;
  }
  return true;
}

// Moves the rows that count to the front; returns how many there are.
template <class Key, class Weight>
std::size_t RowReader<Key, Weight>::keep_rows(std::size_t n) {
  const std::uint32_t other = job_.classes->other();
  std::size_t kept = 0;
  std::size_t nan = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t found = classes_[i];
    if (found > other) {
      ++n_dropped;
      if (job_.tells_places) {
        const bool is_nan = nan < nans_.size() && nans_[nan] == i;
        nan += is_nan ? 1 : 0;
        left_out_.push_back({static_cast<std::uint16_t>(i), is_nan});
      }
      continue;
    }
    if (found == other) fail_stranger(i);
    if constexpr (kWeighted) {
      if (weights_[i] == 0) {  // adds nothing, and shows that there is this class
        idle_positive |= (found ^ job_.flip) != 0;
        continue;
      }
      weights_[kept] = weights_[i];
    }
    if (job_.tells_places) places_.push_back(static_cast<std::uint16_t>(i));
    keys_[kept] = keys_[i];
    positive_[kept] = static_cast<std::uint8_t>(found ^ job_.flip);
    ++kept;
  }
  return kept;
}

template <class Key, class Weight>
void RowReader<Key, Weight>::fail_stranger(std::size_t i) const {
  const std::int64_t at = truth_at_.at() + static_cast<std::int64_t>(i);
  Stranger stranger;
  stranger.row = job_.rows_before + row_ + static_cast<std::int64_t>(i);
  switch (truth_chunk_->type) {
    case DType::kText:
    case DType::kCells:
    case DType::kDictionary:
      stranger.label.kind = Labels::Kind::kText;
      stranger.label.texts.emplace_back(truth_.text_label(at));
      break;
    default:
      stranger.label.ints.push_back(truth_.int_label(at));
  }
  throw stranger;
}

template class RowReader<std::uint32_t, Unweighted>;
template class RowReader<std::uint32_t, std::uint64_t>;
template class RowReader<std::uint32_t, double>;
template class RowReader<std::uint64_t, Unweighted>;
template class RowReader<std::uint64_t, std::uint64_t>;
template class RowReader<std::uint64_t, double>;

}  // namespace confmat
