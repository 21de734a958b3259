// Blocks of rows to exact sums. Of a block, products and differences are split into two doubles
// each, and these are added without rounding, on as many lanes as the machine has.
#include "confmat/tally/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/kernels/table.hpp"
#include "error_tally.hpp"
#include "moment_terms.hpp"
#include "number_reader.hpp"

namespace confmat {
namespace {

constexpr std::size_t kRows = kExactTerms;  // of a block
// A weight below it, times a product, would lose digits.
constexpr double kLeastWeight = 1e-60;

using Block = std::array<double, kRows>;

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

struct alignas(64) Rooms {
  Block truth, prediction, weight;                             // where rows are copied to
  Block distance, distance_low, high, low, one, two, of_term;  // and what is made of them
};

// A product of each row, as the sum of so many doubles: 2, or 4 where it has a weight.
struct Product {
  std::array<Block, 4> parts;
  std::size_t n = 0;
};

struct alignas(64) PowerRooms {
  Block truth, prediction;
  Product yy, yp, pp, weighted_yy, weighted_pp;
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
        weight_("sample_weight", rooms_->weight.data()) {
    for (const TermAsk& ask : out_.terms) {
      if (ask.term == MomentTerm::kPowers) powers_ = std::make_unique<PowerRooms>();
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
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].add(other.sums_[i]);
    errors_.add(other.errors_);
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
    out.sums = sums.take();
    out.least_truth += 0.0;  // of zeros with signs whichever came first
    out.largest_truth += 0.0;
    return out;
  }

 private:
  void add_block(const Part& y_true, const Part& y_pred, const Part& weight, std::size_t n,
                 std::int64_t first_row) {
    const double* y = truth_.read(*y_true.column, y_true.at, n);
    const double* p = prediction_.read(*y_pred.column, y_pred.at, n);
    const double* w = nullptr;
    if (out_.has_weights) w = weight_.read(*weight.column, weight.at, n);
    const bool whole = truth_.has_all() && prediction_.has_all() && (w == nullptr);
    double least = out_.least_truth, largest = out_.largest_truth;
    double least_p = 0, largest_p = 0;
    const Kernels& run = kernels();
    if (whole && run.widen_bounds(y, n, kMostNumber, &least, &largest) &&
        run.widen_bounds(p, n, kMostNumber, &least_p, &largest_p)) {
      out_.least_truth = least;
      out_.largest_truth = largest;
      out_.rows.counted += static_cast<std::int64_t>(n);
    } else {
      n = kept(y, p, w, n, first_row);
      if (n == 0) return;
      y = rooms_->truth.data();
      p = rooms_->prediction.data();
      if (w != nullptr) w = rooms_->weight.data();
      run.widen_bounds(y, n, kMostNumber, &out_.least_truth, &out_.largest_truth);
    }
    add_rows(y, p, w, n);
  }

  // Copies the rows that count to the rooms, and returns how many these are.
  std::size_t kept(const double* y, const double* p, const double* w, std::size_t n,
                   std::int64_t first_row) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!truth_.has(i) || !prediction_.has(i) || (w != nullptr && !weight_.has(i))) {
        ++out_.rows.dropped;
        continue;
      }
      const double weight = w == nullptr ? 1.0 : w[i];
      if (w != nullptr) check(weight, first_row, i);
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

  static void check(double weight, std::int64_t first_row, std::size_t i) {
    const Place place{"sample_weight", first_row};
    const auto at = static_cast<std::int64_t>(i);
    check_weight(weight, place, at);
    if (weight == 0 || (weight >= kLeastWeight && weight <= kMostNumber)) return;
    place.fail("weight " + shown_number(weight), at, "is not 0, or from 1e-60 to 1e60");
  }

  void add_rows(const double* y, const double* p, const double* w, std::size_t n) {
    Rooms& r = *rooms_;
    const Kernels& run = kernels();
    run.distances(y, p, n, r.distance.data(), r.distance_low.data());
    double least = 0;
    run.widen_bounds(r.distance.data(), n, 2 * kMostNumber, &least, &out_.largest_error);
    if (w == nullptr) {
      add_terms(kSumTruth, y, n);
      add_terms(kSumPrediction, p, n);
      add_terms(kSumError, r.distance.data(), n);
      add_terms(kSumError, r.distance_low.data(), n);
    } else {
      add_terms(kSumWeight, w, n);
      add_products(kSumSquared, w, w, n);
      add_products(kSumTruth, w, y, n);
      add_products(kSumPrediction, w, p, n);
      add_products(kSumError, w, r.distance.data(), n);
      add_products(kSumError, w, r.distance_low.data(), n);
    }
    add_product(kSumTruthSquared, y, y, w, n);
    add_product(kSumPredictionSquared, p, p, w, n);
    add_product(kSumProduct, y, p, w, n);
    for (std::size_t i = 0; i < out_.terms.size(); ++i) add_term(i, y, p, w, n);
  }

  void add_terms(std::size_t sum, const double* terms, std::size_t n) {
    constexpr std::size_t kFew = 8;
    if (n < kFew) {
      for (std::size_t i = 0; i < n; ++i) sums_[sum].add(terms[i]);
      return;
    }
    const std::size_t whole = n - n % kExactGrain;
    double parts[2];
    if (kernels().exact_parts(terms, whole, parts)) {
      if (parts[0] != 0) sums_[sum].add(parts[0]);
      if (parts[1] != 0) sums_[sum].add(parts[1]);
    } else {
      for (std::size_t i = 0; i < whole; ++i) sums_[sum].add(terms[i]);
    }
    for (std::size_t i = whole; i < n; ++i) sums_[sum].add(terms[i]);
  }

  void add_products(std::size_t sum, const double* a, const double* b, std::size_t n) {
    kernels().two_products(a, b, n, rooms_->one.data(), rooms_->two.data());
    add_terms(sum, rooms_->one.data(), n);
    add_terms(sum, rooms_->two.data(), n);
  }

  void add_product(std::size_t sum, const double* a, const double* b, const double* w,
                   std::size_t n) {
    if (w == nullptr) return add_products(sum, a, b, n);
    kernels().two_products(a, b, n, rooms_->high.data(), rooms_->low.data());
    add_products(sum, w, rooms_->high.data(), n);
    add_products(sum, w, rooms_->low.data(), n);
  }

  // y, p and their products up to the fourth power, in the order of kPowers.
  void add_powers(std::size_t at, const double* y, const double* p, const double* w,
                  std::size_t n) {
    PowerRooms& r = *powers_;
    Block& none = rooms_->of_term;
    for (std::size_t i = 0; i < n; ++i) {
      const bool fits = std::fabs(y[i]) <= kMostPowered && std::fabs(p[i]) <= kMostPowered;
      r.truth[i] = fits ? y[i] : 0.0;
      r.prediction[i] = fits ? p[i] : 0.0;
      none[i] = fits ? 0.0 : w == nullptr ? 1.0 : w[i];
    }
    add_terms(at + kPowerSums - 1, none.data(), n);
    y = r.truth.data();
    p = r.prediction.data();
    multiply(r.yy, y, y, nullptr, n);
    multiply(r.yp, y, p, nullptr, n);
    multiply(r.pp, p, p, nullptr, n);
    multiply(r.weighted_yy, y, y, w, n);
    multiply(r.weighted_pp, p, p, w, n);
    const auto add_cubes = [&](std::size_t sum, const Product& of, const double* by) {
      for (std::size_t i = 0; i < of.n; ++i) add_products(sum, of.parts[i].data(), by, n);
    };
    const auto add_fourths = [&](std::size_t sum, const Product& of, const Product& by) {
      for (std::size_t i = 0; i < by.n; ++i) add_cubes(sum, of, by.parts[i].data());
    };
    add_cubes(at, r.weighted_yy, y);
    add_cubes(at + 1, r.weighted_yy, p);
    add_cubes(at + 2, r.weighted_pp, y);
    add_cubes(at + 3, r.weighted_pp, p);
    add_fourths(at + 4, r.weighted_yy, r.yy);
    add_fourths(at + 5, r.weighted_yy, r.yp);
    add_fourths(at + 6, r.weighted_yy, r.pp);
    add_fourths(at + 7, r.weighted_pp, r.yp);
    add_fourths(at + 8, r.weighted_pp, r.pp);
  }

  // The products a * b, or w * a * b, without rounding.
  void multiply(Product& out, const double* a, const double* b, const double* w, std::size_t n) {
    const auto two_products = kernels().two_products;
    out.n = w == nullptr ? 2 : 4;
    if (w == nullptr) return two_products(a, b, n, out.parts[0].data(), out.parts[1].data());
    two_products(a, b, n, rooms_->high.data(), rooms_->low.data());
    two_products(w, rooms_->high.data(), n, out.parts[0].data(), out.parts[1].data());
    two_products(w, rooms_->low.data(), n, out.parts[2].data(), out.parts[3].data());
  }

  void add_term(std::size_t term, const double* y, const double* p, const double* w,
                std::size_t n) {
    const std::size_t at = out_.place(term);
    if (out_.terms[term].term == MomentTerm::kPowers) return add_powers(at, y, p, w, n);
    if (out_.terms[term].term == MomentTerm::kErrors) {
      return errors_.add(y, p, w, n, out_.error_bits());
    }
    Block& first = rooms_->one;
    Block& second = rooms_->two;
    Block& none = rooms_->of_term;
    for (std::size_t i = 0; i < n; ++i) {
      const TermValues values = term_values(out_.terms[term], y[i], p[i]);
      const double weight = w == nullptr ? 1.0 : w[i];
      first[i] = weight * values.first;
      second[i] = weight * values.second;
      none[i] = values.none ? weight : 0.0;
    }
    add_terms(at, first.data(), n);
    add_terms(at + 1, second.data(), n);
    add_terms(at + 2, none.data(), n);
  }

  Moments out_;  // all but the sums
  bool nan_drop_;
  std::unique_ptr<Rooms> rooms_;
  std::unique_ptr<PowerRooms> powers_;  // null: they are not asked for
  std::vector<ExactSum> sums_;
  ErrorTally errors_;
  NumberReader truth_, prediction_, weight_;
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
  require_numbers(sample_weight, "sample_weight");
  const std::int64_t rows = total_length(y_true);
  const auto check_length = [rows](Chunks chunks, const char* name) {
    const std::int64_t n = total_length(chunks);
    if (n == rows) return;
    throw InputError("`y_true` has " + std::to_string(rows) + " rows, `" + name + "` " +
                     std::to_string(n));
  };
  check_length(y_pred, "y_pred");
  if (has_weights) check_length(sample_weight, "sample_weight");
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
