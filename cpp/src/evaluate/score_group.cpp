// Checks the rows of a group, sorts them, and has their metrics evaluated.
#include "confmat/evaluate/score_group.hpp"

#include <cmath>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/half.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/batch/place.hpp"

namespace confmat {
namespace {

constexpr const char* kWanted =
    ": wanted the labels 0 and 1, -1 and 1, or False and True, or a pos_label";

// Keys that no score has may come in any order as scores.
template <class Score>
void require_descending(const Score* scores, std::size_t n) {
  bool sound = n == 0 || !std::isnan(scores[0]);
  for (std::size_t i = 1; i < n; ++i) sound &= scores[i] < scores[i - 1];
  if (!sound) throw StateError("a code that no label and score have");
}

}  // namespace

void ScoreGroup::start(std::size_t rows, int threads) {
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a group has 2^32 rows or more: wanted fewer, or a sweep of its rows");
  }
  n_dropped_ = n_nan_ = n_idle_ = 0;
  other_ = kNoLabel;
  type_ = ScoreType::kNone;
  rows_ = 0;
  most_ = rows;
  threads_ = threads;
  floats_.others = nullptr;
  doubles_.others = nullptr;
  positive_.get(rows);
  if (spec_.weighted) weights_.get(rows);
}

void ScoreGroup::meet(ScoreType type) {
  if (type_ != ScoreType::kNone) throw StateError("a code that no label and score have");
  type_ = type;
  if (type == ScoreType::kDouble) {
    doubles_.keys.get(most_);
  } else {
    floats_.keys.get(most_);
  }
}

void ScoreGroup::set_aside(const ScoredRow& row) {
  switch (row.kind) {
    case ScoredKind::kNan:
      if (spec_.nan_drop) {
        ++n_nan_;
        return;
      }
      Place{.argument = "y_score", .first_row = static_cast<std::int64_t>(row.key)}.fail(
          "score nan", 0, "is no number; with nan=\"drop\" such rows are left out");
    case ScoredKind::kBadLabel:
      throw InputError("`y_true` holds " + std::to_string(static_cast<std::int64_t>(row.key)) +
                       kWanted);
    case ScoredKind::kHugeLabel:
      throw InputError("`y_true` holds a label of about " +
                       std::to_string(static_cast<std::int64_t>(row.key << 3U)) + kWanted);
    case ScoredKind::kDropped:
      break;
    default:
      throw StateError("a code that no label and score have");
  }
  ++n_dropped_;
}

void ScoreGroup::refuse(std::uint64_t label) const {
  const std::string message = "`y_true` has more than one class beside pos_label " +
                              (spec_.positive ? spec_.positive->display(0) : "1");
  const std::string hint = "; scores sweep two: compare `y_true` == label";
  if (((label | other_) & kHashedLabel) != 0) throw InputError(message + hint);
  const std::string both =
      std::to_string(label_of_bits(other_)) + " and " + std::to_string(label_of_bits(label));
  if (!spec_.positive) throw InputError("`y_true` holds " + both + " beside 1" + kWanted);
  throw InputError(message + ": " + both + hint);
}

void ScoreGroup::refuse_weight() { throw StateError("a weight that no row has"); }

template <class Runs>
void ScoreGroup::set_view(const Runs& runs) {
  require_descending(runs.scores, runs.size);
  view_.size = runs.size;
  view_.scores = runs.scores;
  view_.amounts = metrics::Amounts<typename Runs::Tally>{runs.positives, runs.negatives};
}

template <class Key>
void ScoreGroup::collapse(Keys<Key>& of) {
  const auto give_back = [&] {
    of.keys.give_back();
    positive_.give_back();
    weights_.give_back();
  };
  if (spec_.weighted) {
    const auto runs =
        of.sums.run({rows_, of.keys.get(), positive_.get(), weights_.get()}, threads_, give_back);
    Sum2 totals[2];
    for (std::size_t i = 0; i < runs.size; ++i) {
      totals[0].add(runs.negatives[i]);
      totals[1].add(runs.positives[i]);
    }
    for (const Sum2& total : totals) require_weight_sum(total.value());
    totals[0].add(totals[1]);
    n_ = totals[0].value();
    set_view(runs);
    view_.squares = {runs.positive_squares, runs.negative_squares};
    return;
  }
  n_ = static_cast<double>(rows_);
  if (of.others == nullptr) {
    return set_view(of.counts.run({rows_, of.keys.get(), positive_.get()}, threads_, give_back));
  }
  const auto fill = [&](std::size_t first, std::size_t n, Key* keys, std::uint8_t* positive) {
    std::size_t here = 0;
    if (first < of.n_here) {
      here = std::min(n, of.n_here - first);
      std::copy_n(of.keys.get() + first, here, keys);
      std::copy_n(positive_.get() + first, here, positive);
    }
    if (n > here) of.others(first + here - of.n_here, n - here, keys + here, positive + here);
  };
  set_view(of.counts.run(rows_, fill, threads_));
}

const metrics::SweepView& ScoreGroup::sweep() {
  view_.clip = type_ == ScoreType::kHalf ? kHalfEpsilon : 0.0;
  if (type_ == ScoreType::kHalf || type_ == ScoreType::kFloat) {
    collapse(floats_);
  } else {
    collapse(doubles_);
  }
  return view_;
}

void ScoreGroup::values(double* out) const { score_values(spec_, view_, threads_, out); }

void ScoreGroup::reasons(const double* values, std::string* out) const {
  score_reasons(spec_, view_, values, out);
}

}  // namespace confmat
