// Each thread moves the numbers of each slice behind one another, some rows at a time, and adds
// these to what all threads sum.
#include "confmat/tally/slice_moments.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/weight_reader.hpp"
#include "moment_rows.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 19;  // at a time: 8 MiB
constexpr std::size_t kAhead = 4;                          // pairs, of the next line of memory
constexpr std::int64_t kFewRows = std::int64_t{1} << 14;   // are summed while others wait

Column column_of(const double* values, std::int64_t n, std::size_t stride) {
  Column out;
  out.type = DType::kFloat64;
  out.length = n;
  out.data = reinterpret_cast<const std::byte*>(values);
  out.stride = static_cast<std::int64_t>(stride);
  return out;
}

// The sums of all slices, which threads add to.
class SharedSums {
 public:
  explicit SharedSums(const MomentSums& none) : none_(none) {}

  void resize(std::size_t n) { slices_.resize(std::max(n, slices_.size()), none_); }
  [[nodiscard]] std::size_t size() const noexcept { return slices_.size(); }
  // Calls add(sums) while no other thread has those of the slice.
  template <class Add>
  void update(std::size_t slice, const Add& add) {
    const std::lock_guard lock(locks_[slice % locks_.size()]);
    add(slices_[slice]);
  }
  // Needs: no thread adds meanwhile.
  [[nodiscard]] Moments state(std::size_t slice) const { return MomentSums(slices_[slice]).take(); }

 private:
  const MomentSums& none_;
  std::vector<MomentSums> slices_;
  std::array<std::mutex, 256> locks_;
};

// What one thread needs.
class Sorter {
 public:
  Sorter(const MomentSums& none, bool nan_drop)
      : has_weights_(none.head.has_weights), worker_(none, nan_drop), apart_(none) {}

  // Adds the rows from `first` on, whose slices are given. Needs: at most kMostRows.
  void add(std::span<const std::uint32_t> slices, Chunks y_true, Chunks y_pred,
           Chunks sample_weight, std::int64_t first, SharedSums& to) {
    lay_out(slices, to.size());
    move(slices, {y_true, first}, {y_pred, first}, {sample_weight, has_weights_ ? first : 0},
         first);
    const StopSign sign;
    for (std::size_t slice = 0; slice < to.size(); ++slice) {
      const std::int64_t end = slice + 1 < to.size() ? begins_[slice + 1] : std::ssize(slices);
      if (begins_[slice] == end) continue;
      sign.obey();
      add_slice(slice, begins_[slice], ends_[slice], end - ends_[slice], to);
    }
  }

 private:
  void lay_out(std::span<const std::uint32_t> slices, std::size_t n_slices) {
    if (pairs_.size() < slices.size()) {
      pairs_ = Pages<NumberPair>(slices.size() + kAhead);
      if (has_weights_) weights_ = Pages<double>(slices.size());
    }
    begins_.assign(n_slices, 0);
    for (const auto [from, to] : Strides(slices.size())) {
      for (std::size_t i = from; i < to; ++i) ++begins_[slices[i]];
    }
    std::int64_t at = 0;
    for (std::int64_t& begin : begins_) at += std::exchange(begin, at);
    ends_ = begins_;
  }

  // Rows with a null stay out: what was laid out for them stays empty.
  void move(std::span<const std::uint32_t> slices, Cursor truth, Cursor prediction, Cursor weight,
            std::int64_t first_row) {
    Block y_room, p_room, w_room;
    std::array<std::uint16_t, kExactTerms> dropped;
    Scratch scratch;
    NumberReader y_reader("y_true", y_room.data()), p_reader("y_pred", p_room.data());
    WeightReader w_reader(scratch);
    NumberPair* const pairs = pairs_.data();
    std::int64_t* const ends = ends_.data();
    for (std::size_t at = 0; at < slices.size();) {
      auto n = static_cast<std::int64_t>(std::min(kExactTerms, slices.size() - at));
      n = std::min({n, truth.left(), prediction.left()});
      if (has_weights_) n = std::min(n, weight.left());
      const auto size = static_cast<std::size_t>(n);
      const std::int64_t row = first_row + static_cast<std::int64_t>(at);
      const double* const y = y_reader.read(truth.chunk(), truth.at(), size, row);
      const double* const p = p_reader.read(prediction.chunk(), prediction.at(), size, row);
      const std::uint32_t* const of = slices.data() + at;
      if (!has_weights_ && y_reader.has_all() && p_reader.has_all()) {
        for (std::size_t i = 0; i < size; ++i) {
          NumberPair* const to = pairs + ends[of[i]]++;
          __builtin_prefetch(to + kAhead, 1);
          *to = {y[i], p[i]};
        }
      } else {
        for (std::size_t i = 0; i < size; ++i) {
          dropped[i] = y_reader.has(i) && p_reader.has(i) ? 0 : 1;
        }
        if (has_weights_) {
          w_reader.start(weight.chunk(), row - weight.at());
          w_reader.read(weight.at(), size, w_room.data(), dropped.data(), dropped.data(),
                        std::uint16_t{1});
        }
        for (std::size_t i = 0; i < size; ++i) {
          if (dropped[i] != 0) continue;
          const auto to = static_cast<std::size_t>(ends[of[i]]++);
          pairs_[to] = {y[i], p[i]};
          if (has_weights_) weights_[to] = w_room[i];
        }
      }
      truth.advance(n);
      prediction.advance(n);
      if (has_weights_) weight.advance(n);
      at += size;
    }
  }

  void add_slice(std::size_t slice, std::int64_t begin, std::int64_t end, std::int64_t dropped,
                 SharedSums& to) {
    if (end - begin <= kFewRows) {
      return to.update(slice, [&](MomentSums& sums) {
        for (const ExactSum& sum : sums.sums) sum.prefetch();  // needed once the rows are added up
        sums.head.rows.dropped += dropped;
        add_rows(sums, begin, end - begin);
      });
    }
    const StopSign sign;
    apart_.clear();
    for (std::int64_t at = begin; at < end; at += kFewRows) {
      sign.obey();
      add_rows(apart_, at, std::min(end - at, kFewRows));
    }
    to.update(slice, [&](MomentSums& sums) {
      sums.head.rows.dropped += dropped;
      sums.add(apart_);
    });
  }

  void add_rows(MomentSums& sums, std::int64_t begin, std::int64_t n) {
    const NumberPair* const pairs = pairs_.data() + begin;
    const std::int64_t added = has_weights_ ? 0 : worker_.add_pairs(sums, pairs, n);
    if (added == n) return;
    const Column truth = column_of(&pairs->truth, n, sizeof(NumberPair));
    const Column prediction = column_of(&pairs->prediction, n, sizeof(NumberPair));
    Column weight;
    if (has_weights_) weight = column_of(weights_.data() + begin, n, sizeof(double));
    worker_.add(sums, {&truth, added}, {&prediction, added}, {&weight, added}, n - added, 0);
  }

  bool has_weights_;
  MomentRows worker_;
  MomentSums apart_;  // of a slice that has many rows
  // Rows by slice, side by side, so that they are moved to fewer places; and where slices are.
  Pages<NumberPair> pairs_;
  Pages<double> weights_;
  std::vector<std::int64_t> begins_, ends_;
};

}  // namespace

class SliceMoments::Work {
 public:
  Work(const MomentOptions& options, bool has_weights)
      : options_(options), none_(options, has_weights), sums_(none_) {}

  void add(std::span<const std::uint32_t> slices, std::size_t n_slices, Chunks y_true,
           Chunks y_pred, Chunks sample_weight) {
    sums_.resize(n_slices);
    const auto rows = static_cast<std::int64_t>(slices.size());
    const int threads = thread_count(options_.threads, rows);
    while (std::cmp_less(sorters_.size(), threads)) sorters_.emplace_back(none_, options_.nan_drop);
    over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
      Sorter& sorter = sorters_[static_cast<std::size_t>(part)];
      for (std::int64_t at = first; at < last; at += kMostRows) {
        const std::int64_t n = std::min(last - at, kMostRows);
        sorter.add(slices.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(n)),
                   y_true, y_pred, sample_weight, at, sums_);
      }
    });
  }

  [[nodiscard]] std::int64_t bytes_a_slice() const noexcept {
    return static_cast<std::int64_t>(sizeof(MomentSums) + none_.sums.size() * sizeof(ExactSum));
  }

  [[nodiscard]] BinaryViews states() const {
    BinaryViews out(sums_.size());
    for_each_task(std::ssize(out), core_count(options_.threads), [&] {
      return [&](std::int64_t at) {
        const auto slice = static_cast<std::size_t>(at);
        out.put(slice, encode(sums_.state(slice)));
      };
    });
    return out;
  }

 private:
  MomentOptions options_;
  MomentSums none_;
  SharedSums sums_;
  std::deque<Sorter> sorters_;  // of threads
};

SliceMoments::SliceMoments(const MomentOptions& options, bool has_weights)
    : work_(std::make_unique<Work>(options, has_weights)) {}
SliceMoments::~SliceMoments() = default;

void SliceMoments::add(std::span<const std::uint32_t> slices, std::size_t n_slices, Chunks y_true,
                       Chunks y_pred, Chunks sample_weight) {
  require_numbers(y_true, "y_true");
  require_numbers(y_pred, "y_pred");
  weight_kind(sample_weight);  // refuses texts
  work_->add(slices, n_slices, y_true, y_pred, sample_weight);
}

std::int64_t SliceMoments::bytes_a_slice() const noexcept { return work_->bytes_a_slice(); }

BinaryViews SliceMoments::states() const { return work_->states(); }

}  // namespace confmat
