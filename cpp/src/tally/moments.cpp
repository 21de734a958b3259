// Blocks of rows, read from columns, to exact sums.
#include "confmat/tally/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "density_tally.hpp"
#include "error_tally.hpp"
#include "exact_terms.hpp"
#include "number_reader.hpp"
#include "pair_moments.hpp"
#include "power_sums.hpp"

namespace confmat {
namespace {

constexpr std::size_t kRows = kExactTerms;  // of a block
// A weight below it, times a product, would lose digits.
constexpr double kLeastWeight = 1e-60;

std::vector<TermAsk> sorted_terms(std::vector<TermAsk> terms) {
  std::ranges::sort(terms);
  // Of errors alone the finer ones, which come last.
  const auto is_coarser = [](const TermAsk& one, const TermAsk& next) {
    return one == next || (one.term == next.term && one.term == MomentTerm::kErrors);
  };
  const auto last =
      std::unique(terms.rbegin(), terms.rend(),
                  [&](const auto& next, const auto& one) { return is_coarser(one, next); });
  terms.erase(terms.begin(), last.base());
  return terms;
}

struct Bounds {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  [[nodiscard]] double size() const noexcept { return std::max(-least, largest); }
};

struct alignas(64) Rooms {
  Block truth, prediction, weight;                       // where rows are copied to
  Block distance, distance_low, first, second, of_term;  // and what is made of them
  std::array<std::uint16_t, kRows> dropped;              // 1: a row with a null
  Scratch scratch;
};

}  // namespace

class GroupMoments::Sums {
 public:
  Sums(std::vector<TermAsk> terms, bool nan_drop, bool has_weights)
      : out_(no_moments(std::move(terms), has_weights)),
        nan_drop_(nan_drop),
        rooms_(std::make_unique<Rooms>()),
        sums_(out_.size()),
        truth_("y_true", rooms_->truth.data()),
        prediction_("y_pred", rooms_->prediction.data()),
        weight_(rooms_->scratch) {
    if (!has_weights) pairs_ = std::make_unique<PairMoments>();
    for (const TermAsk& ask : out_.terms) {
      if (ask.term == MomentTerm::kPowers) powers_ = std::make_unique<PowerSums>();
    }
  }

  // Columns as they lie, from the given rows on, so many of them.
  struct Part {
    const Column* column = nullptr;
    std::int64_t at = 0;
  };
  void add(Part y_true, Part y_pred, Part weight, std::int64_t n, std::int64_t first_row) {
    for (std::int64_t at = 0; at < n; at += std::int64_t{kRows}) {
      const auto rows = static_cast<std::size_t>(std::min(n - at, std::int64_t{kRows}));
      add_block({y_true.column, y_true.at + at}, {y_pred.column, y_pred.at + at},
                {weight.column, weight.at + at}, rows, first_row + at);
    }
  }

  void add(const Sums& other) {
    sums_.add(other.sums_);
    errors_.add(other.errors_);
    density_.add(other.density_);
    out_.rows = added(out_.rows, other.out_.rows);
    out_.least_truth = std::min(out_.least_truth, other.out_.least_truth);
    out_.largest_truth = std::max(out_.largest_truth, other.out_.largest_truth);
    out_.largest_error = std::max(out_.largest_error, other.out_.largest_error);
  }

  [[nodiscard]] Moments take() {
    Moments out = no_moments(out_.terms, out_.has_weights);
    std::swap(out, out_);
    ExactSumsBuilder sums;
    sums.reserve(sums_.size());
    const auto counted = static_cast<std::uint64_t>(out.rows.counted);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (!out.has_weights && (i == kSumWeight || i == kSumSquared)) {
        sums.add_whole(counted);
      } else {
        sums.add(sums_[i]);
      }
      sums_[i].clear();
    }
    out.bins = errors_.take(sums);
    density_.take(sums, out);
    out.sums = sums.take();
    out.least_truth += 0.0;  // of zeros with signs whichever came first
    out.largest_truth += 0.0;
    return out;
  }

 private:
  void add_block(const Part& y_true, const Part& y_pred, const Part& weight, std::size_t n,
                 std::int64_t first_row) {
    const double* y = truth_.read(*y_true.column, y_true.at, n, first_row);
    const double* p = prediction_.read(*y_pred.column, y_pred.at, n, first_row);
    const bool whole = truth_.has_all() && prediction_.has_all() && !out_.has_weights;
    const Kernels& run = kernels();
    Bounds of_y, of_p;
    const auto within = [&] {
      const bool y_within = run.widen_bounds(y, n, kMostNumber, &of_y.least, &of_y.largest);
      return run.widen_bounds(p, n, kMostNumber, &of_p.least, &of_p.largest) && y_within;
    };
    if (whole && within()) {
      out_.rows.counted += static_cast<std::int64_t>(n);
    } else {
      n = kept(y, p, weight, n, first_row);
      if (n == 0) return;
      y = rooms_->truth.data();
      p = rooms_->prediction.data();
      of_y = of_p = Bounds{};
      within();
    }
    out_.least_truth = std::min(out_.least_truth, of_y.least);
    out_.largest_truth = std::max(out_.largest_truth, of_y.largest);
    const double* const w = out_.has_weights ? rooms_->weight.data() : nullptr;
    add_rows(y, p, w, n, std::max(of_y.size(), of_p.size()));
  }

  // Copies the rows that count to the rooms, and returns how many these are.
  std::size_t kept(const double* y, const double* p, const Part& weights, std::size_t n,
                   std::int64_t first_row) {
    std::uint16_t* const dropped = rooms_->dropped.data();
    for (std::size_t i = 0; i < n; ++i) dropped[i] = truth_.has(i) && prediction_.has(i) ? 0 : 1;
    if (out_.has_weights) {
      weight_.start(*weights.column, first_row - weights.at);
      weight_.read(weights.at, n, rooms_->weight.data(), dropped, dropped, std::uint16_t{1});
    }
    std::size_t to = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (dropped[i] != 0) {
        ++out_.rows.dropped;
        continue;
      }
      const double weight = out_.has_weights ? rooms_->weight[i] : 1.0;
      if (out_.has_weights) require_size(weight, first_row, i);
      if (nan_drop_ && (std::isnan(y[i]) || std::isnan(p[i]))) {
        ++out_.rows.nan;
        continue;
      }
      truth_.require_number(y[i], first_row, i);
      prediction_.require_number(p[i], first_row, i);
      ++out_.rows.counted;
      if (weight == 0) continue;
      rooms_->truth[to] = y[i];
      rooms_->prediction[to] = p[i];
      rooms_->weight[to] = weight;
      ++to;
    }
    return to;
  }

  static void require_size(double weight, std::int64_t first_row, std::size_t i) {
    if (weight == 0 || (weight >= kLeastWeight && weight <= kMostNumber)) return;
    const Place place{"sample_weight", first_row};
    place.fail("weight " + shown_number(weight), static_cast<std::int64_t>(i),
               "is not 0, or from 1e-60 to 1e60");
  }

  void add_rows(const double* y, const double* p, const double* w, std::size_t n, double size) {
    if (w == nullptr) {
      pairs_->add(sums_, y, p, n, size, &out_.largest_error);
    } else {
      add_weighted(y, p, w, n);
    }
    for (std::size_t i = 0; i < out_.terms.size(); ++i) add_term(i, y, p, w, n);
  }

  void add_weighted(const double* y, const double* p, const double* w, std::size_t n) {
    Rooms& r = *rooms_;
    const Kernels& run = kernels();
    run.distances(y, p, n, r.distance.data(), r.distance_low.data());
    double least = 0;
    run.widen_bounds(r.distance.data(), n, 2 * kMostNumber, &least, &out_.largest_error);
    sums_.add(kSumWeight, w, n);
    sums_.add_products(kSumSquared, w, w, n);
    sums_.add_products(kSumTruth, w, y, n);
    sums_.add_products(kSumPrediction, w, p, n);
    sums_.add_products(kSumError, w, r.distance.data(), n);
    sums_.add_products(kSumError, w, r.distance_low.data(), n);
    sums_.add_products(kSumTruthSquared, y, y, w, n);
    sums_.add_products(kSumPredictionSquared, p, p, w, n);
    sums_.add_products(kSumProduct, y, p, w, n);
  }

  void add_term(std::size_t term, const double* y, const double* p, const double* w,
                std::size_t n) {
    std::size_t at = out_.place(term);
    const TermAsk& ask = out_.terms[term];
    if (ask.term == MomentTerm::kPowers) return powers_->add(sums_, at, y, p, w, n);
    if (ask.term == MomentTerm::kErrors) return errors_.add(y, p, w, n, out_.error_bits());
    if (ask.term == MomentTerm::kDensity) return density_.add(y, p, w, n);
    Rooms& r = *rooms_;
    const auto kind = static_cast<std::size_t>(ask.term) - 1;
    const bool some_none = kernels().terms[kind](y, p, n, ask.param, r.first.data(),
                                                 r.second.data(), r.of_term.data());
    for (Block* const block : {&r.first, &r.second, &r.of_term}) {
      if (block == &r.of_term && !some_none) return;  // as nearly always
      for (std::size_t i = 0; w != nullptr && i < n; ++i) (*block)[i] *= w[i];
      sums_.add(at++, block->data(), n);
    }
  }

  Moments out_;  // all but the sums
  bool nan_drop_;
  std::unique_ptr<Rooms> rooms_;
  std::unique_ptr<PowerSums> powers_;   // null: they are not asked for
  std::unique_ptr<PairMoments> pairs_;  // null: there are weights
  ExactTerms sums_;
  ErrorTally errors_;
  DensityTally density_;
  NumberReader truth_, prediction_;
  WeightReader weight_;
};

GroupMoments::GroupMoments(const MomentOptions& options, bool has_weights)
    : sums_(std::make_unique<Sums>(sorted_terms(options.terms), options.nan_drop, has_weights)) {}
GroupMoments::GroupMoments(GroupMoments&&) noexcept = default;
GroupMoments& GroupMoments::operator=(GroupMoments&&) noexcept = default;
GroupMoments::~GroupMoments() = default;

void GroupMoments::add(const Column& y_true, const Column& y_pred, const Column* sample_weight,
                       std::int64_t first_row) {
  sums_->add({&y_true, 0}, {&y_pred, 0}, {sample_weight, 0}, y_true.length, first_row);
}

Moments GroupMoments::take() { return sums_->take(); }

Moments moments_of(Chunks y_true, Chunks y_pred, Chunks sample_weight, bool has_weights,
                   const MomentOptions& options) {
  require_numbers(y_true, "y_true");
  require_numbers(y_pred, "y_pred");
  weight_kind(sample_weight);  // refuses texts
  const std::int64_t rows = total_length(y_true);
  require_equal_lengths(rows, "y_true", total_length(y_pred), "y_pred");
  if (has_weights) {
    require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  }
  const int threads = thread_count(options.threads, rows);
  std::vector<std::unique_ptr<GroupMoments::Sums>> parts(static_cast<std::size_t>(threads));
  for (auto& part : parts) {
    part = std::make_unique<GroupMoments::Sums>(sorted_terms(options.terms), options.nan_drop,
                                                has_weights);
  }
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    GroupMoments::Sums& sums = *parts[static_cast<std::size_t>(part)];
    Cursor truth(y_true, first), prediction(y_pred, first), weight(sample_weight, 0);
    if (has_weights) weight = Cursor(sample_weight, first);
    constexpr std::int64_t kAtOnce = std::int64_t{1} << 16;  // between looks
    for (std::int64_t row = first; row < last;) {
      std::int64_t n = std::min({last - row, kAtOnce, truth.left(), prediction.left()});
      if (has_weights) n = std::min(n, weight.left());
      GroupMoments::Sums::Part of_weight;
      if (has_weights) of_weight = {&weight.chunk(), weight.at()};
      sums.add({&truth.chunk(), truth.at()}, {&prediction.chunk(), prediction.at()}, of_weight, n,
               row);
      truth.advance(n);
      prediction.advance(n);
      if (has_weights) weight.advance(n);
      row += n;
    }
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts[0]->add(*parts[part]);
  return parts[0]->take();
}

}  // namespace confmat
