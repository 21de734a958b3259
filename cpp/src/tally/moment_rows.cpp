// Rows that count as they lie, or copied; then sums of all, and of the terms that are asked for.
#include "moment_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {
namespace {

// A weight below it, times a product, would lose digits.
constexpr double kLeastWeight = 1e-60;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr PairBounds kOfNone = {kInfinity, -kInfinity, kInfinity, -kInfinity};

// Widens them to a block; false: see WidenBounds.
bool widen(PairBounds& bounds, const double* y, const double* p, std::size_t n) noexcept {
  const auto of = kernels().widen_bounds;
  const bool y_fits = of(y, n, kMostNumber, &bounds.least_truth, &bounds.largest_truth);
  return of(p, n, kMostNumber, &bounds.least_prediction, &bounds.largest_prediction) && y_fits;
}

// Of the largest number.
double size_of(const PairBounds& bounds) noexcept {
  return std::max({-bounds.least_truth, bounds.largest_truth, -bounds.least_prediction,
                   bounds.largest_prediction});
}

void require_size(double weight, std::int64_t first_row, std::size_t i) {
  if (weight == 0 || (weight >= kLeastWeight && weight <= kMostNumber)) return;
  const Place place{"sample_weight", first_row};
  place.fail("weight " + shown_number(weight), static_cast<std::int64_t>(i),
             "is not 0, or from 1e-60 to 1e60");
}

}  // namespace

MomentRows::MomentRows(const MomentSums& like, bool nan_drop)
    : nan_drop_(nan_drop),
      rooms_(std::make_unique<Rooms>()),
      truth_("y_true", rooms_->truth.data()),
      prediction_("y_pred", rooms_->prediction.data()),
      weight_(rooms_->scratch) {
  if (!like.head.has_weights) pairs_ = std::make_unique<PairMoments>();
  for (const TermAsk& ask : like.head.terms) {
    if (ask.term == MomentTerm::kPowers) powers_ = std::make_unique<PowerSums>();
  }
}

void MomentRows::add(MomentSums& to, Part y_true, Part y_pred, Part weight, std::int64_t n,
                     std::int64_t first_row) {
  terms_.start(to.sums);
  for (std::int64_t at = 0; at < n; at += std::int64_t{kRows}) {
    const auto rows = static_cast<std::size_t>(std::min(n - at, std::int64_t{kRows}));
    add_block(to, {y_true.column, y_true.at + at}, {y_pred.column, y_pred.at + at},
              {weight.column, weight.at + at}, rows, first_row + at);
  }
}

std::int64_t MomentRows::add_pairs(MomentSums& to, const NumberPair* pairs, std::int64_t n) {
  terms_.start(to.sums);
  double* const y = rooms_->truth.data();
  double* const p = rooms_->prediction.data();
  for (std::int64_t at = 0; at < n; at += std::int64_t{kRows}) {
    const auto rows = static_cast<std::size_t>(std::min(n - at, std::int64_t{kRows}));
    PairBounds bounds = kOfNone;
    if (!kernels().split_pairs(&pairs[at].truth, rows, kMostNumber, y, p, &bounds)) return at;
    to.head.rows.counted += static_cast<std::int64_t>(rows);
    add_rows(to, y, p, nullptr, rows, bounds);
  }
  return n;
}

void MomentRows::add_block(MomentSums& to, const Part& y_true, const Part& y_pred,
                           const Part& weight, std::size_t n, std::int64_t first_row) {
  const double* const y = truth_.read(*y_true.column, y_true.at, n, first_row);
  const double* const p = prediction_.read(*y_pred.column, y_pred.at, n, first_row);
  Moments& head = to.head;
  if (truth_.has_all() && prediction_.has_all() && !head.has_weights) {
    PairBounds bounds = kOfNone;
    if (widen(bounds, y, p, n)) {
      head.rows.counted += static_cast<std::int64_t>(n);
      return add_rows(to, y, p, nullptr, n, bounds);
    }
  }
  n = kept(head, y, p, weight, n, first_row);
  PairBounds bounds = kOfNone;
  widen(bounds, rooms_->truth.data(), rooms_->prediction.data(), n);
  const double* const w = head.has_weights ? rooms_->weight.data() : nullptr;
  add_rows(to, rooms_->truth.data(), rooms_->prediction.data(), w, n, bounds);
}

// Copies the rows that count to the rooms, and returns how many these are.
std::size_t MomentRows::kept(Moments& head, const double* y, const double* p, const Part& weights,
                             std::size_t n, std::int64_t first_row) {
  std::uint16_t* const dropped = rooms_->dropped.data();
  for (std::size_t i = 0; i < n; ++i) dropped[i] = truth_.has(i) && prediction_.has(i) ? 0 : 1;
  if (head.has_weights) {
    weight_.start(*weights.column, first_row - weights.at);
    weight_.read(weights.at, n, rooms_->weight.data(), dropped, dropped, std::uint16_t{1});
  }
  std::size_t to = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (dropped[i] != 0) {
      ++head.rows.dropped;
      continue;
    }
    const double weight = head.has_weights ? rooms_->weight[i] : 1.0;
    if (head.has_weights) require_size(weight, first_row, i);
    if (nan_drop_ && (std::isnan(y[i]) || std::isnan(p[i]))) {
      ++head.rows.nan;
      continue;
    }
    truth_.require_number(y[i], first_row, i);
    prediction_.require_number(p[i], first_row, i);
    ++head.rows.counted;
    if (weight == 0) continue;
    rooms_->truth[to] = y[i];
    rooms_->prediction[to] = p[i];
    rooms_->weight[to] = weight;
    ++to;
  }
  return to;
}

void MomentRows::add_rows(MomentSums& to, const double* y, const double* p, const double* w,
                          std::size_t n, const PairBounds& bounds) {
  if (n == 0) return;
  Moments& head = to.head;
  head.least_truth = std::min(head.least_truth, bounds.least_truth);
  head.largest_truth = std::max(head.largest_truth, bounds.largest_truth);
  if (w == nullptr) {
    pairs_->add(terms_, y, p, n, size_of(bounds), &head.largest_error);
  } else {
    add_weighted(head, y, p, w, n);
  }
  for (std::size_t i = 0; i < head.terms.size(); ++i) add_term(to, i, y, p, w, n);
}

void MomentRows::add_weighted(Moments& head, const double* y, const double* p, const double* w,
                              std::size_t n) {
  Rooms& r = *rooms_;
  const Kernels& run = kernels();
  run.distances(y, p, n, r.distance.data(), r.distance_low.data());
  double least = 0;
  run.widen_bounds(r.distance.data(), n, 2 * kMostNumber, &least, &head.largest_error);
  terms_.add(kSumWeight, w, n);
  terms_.add_products(kSumSquared, w, w, n);
  terms_.add_products(kSumTruth, w, y, n);
  terms_.add_products(kSumPrediction, w, p, n);
  terms_.add_products(kSumError, w, r.distance.data(), n);
  terms_.add_products(kSumError, w, r.distance_low.data(), n);
  terms_.add_products(kSumTruthSquared, y, y, w, n);
  terms_.add_products(kSumPredictionSquared, p, p, w, n);
  terms_.add_products(kSumProduct, y, p, w, n);
}

void MomentRows::add_term(MomentSums& to, std::size_t term, const double* y, const double* p,
                          const double* w, std::size_t n) {
  const Moments& head = to.head;
  std::size_t at = head.place(term);
  const TermAsk& ask = head.terms[term];
  if (ask.term == MomentTerm::kPowers) return powers_->add(terms_, at, y, p, w, n);
  if (ask.term == MomentTerm::kTruths) {
    if (ask.param == kAllBits) return to.each_truth.add(y, w, n);
    return to.truths.add(y, w, n);
  }
  if (ask.term == MomentTerm::kErrors) {
    for (std::size_t i = 0; i < n; ++i) rooms_->first[i] = p[i] - y[i];
    return to.errors.add(rooms_->first.data(), w, n);
  }
  if (ask.term == MomentTerm::kDensity) return to.density.add(y, p, w, n);
  Rooms& r = *rooms_;
  const auto kind = static_cast<std::size_t>(ask.term) - 1;
  const bool some_none =
      kernels().terms[kind](y, p, n, ask.param, r.first.data(), r.second.data(), r.of_term.data());
  for (Block* const block : {&r.first, &r.second, &r.of_term}) {
    if (block == &r.of_term && !some_none) return;  // as nearly always
    for (std::size_t i = 0; w != nullptr && i < n; ++i) (*block)[i] *= w[i];
    terms_.add(at++, block->data(), n);
  }
}

}  // namespace confmat
