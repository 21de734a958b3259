// Very many rows as runs of equal scores: rows are dealt to a few hundred buckets by score, in row
// order, and the buckets become runs, each on one thread, beginning with the highest scores.
// The rows are read two or three times; they may change meanwhile, which is an error and no worse.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/gather.hpp"
#include "sweep_bucket.hpp"
#include "sweep_lines.hpp"

namespace confmat {

template <class Key, class Weight>
struct RunPages {
  using Out = RunsOut<Key, Weight>;
  Pages<typename Out::Score> scores;
  Pages<typename Out::Tally> positives;
  Pages<typename Out::Tally> negatives;
  Pages<double> positive_squares;  // of float weights
  Pages<double> negative_squares;

  RunPages() = default;
  explicit RunPages(std::size_t size) : scores(size), positives(size), negatives(size) {
    if constexpr (kHasSquares<Weight>) {
      positive_squares = Pages<double>(size);
      negative_squares = Pages<double>(size);
    }
  }
  [[nodiscard]] Out out() const noexcept {
    return {scores.data(), positives.data(), negatives.data(), positive_squares.data(),
            negative_squares.data()};
  }
  void shrink(std::size_t size) noexcept {
    scores.shrink(size);
    positives.shrink(size);
    negatives.shrink(size);
    if constexpr (kHasSquares<Weight>) {
      positive_squares.shrink(size);
      negative_squares.shrink(size);
    }
  }
};

// `Source` has
//   keys(first, last, visit)         visit(keys, n): the keys of all scores, possibly with others
//   rows(first, last, again, visit)  visit(RowBlock): the rows that count; `again`: a second time
// and both may run on several threads at once.
template <class Key, class Weight, class Source>
class Partition {
 public:
  // Needs: fewer than 2^32 rows.
  Partition(const Source& source, std::int64_t rows, int threads)
      : source_(source),
        rows_(rows),
        threads_(threads),
        parts_(static_cast<std::size_t>(threads)) {}

  // `dealt()` is called when the rows have been read for the last time.
  template <class Dealt>
  RunPages<Key, Weight> run(const Dealt& dealt) {
    find_range();
    if (low_ > high_) {
      read_all();
      return {};
    }
    count_bins();
    choose_buckets();
    if (buckets_.empty()) return {};
    deal();
    dealt();
    return collapse();
  }
  RunPages<Key, Weight> run() {
    return run([] {});
  }

 private:
  using E = Entry<Key, Weight>;
  static constexpr unsigned kBinBits = sizeof(Key) == 4 ? 16 : 18;
  static constexpr Key kHalf = Key{1} << (sizeof(Key) * 8 - 1);
  static constexpr std::size_t kBetweenRequests = 8;  // rows: those of a cache line of doubles

  struct Part {
    Key low = std::numeric_limits<Key>::max();
    Key high = 0;
    std::vector<std::uint32_t> bins;
  };

  struct BucketPlan {
    Key first;  // offsets of its keys from low_
    Key last;
    std::size_t start;  // of its entries
    std::size_t rows;
  };

  [[noreturn]] static void changed() {
    throw InputError("`y_true` or `y_score` changed while it was read");
  }

  // work(part, first, last) for each thread's rows, the same in every pass.
  template <class Work>
  void over_parts(Work&& work) {
    over_ranges(threads_, rows_, [&](int part, std::int64_t first, std::int64_t last) {
      if (first < last) work(static_cast<std::size_t>(part), first, last);
    });
  }

  void find_range() {
    if constexpr (sizeof(Key) == 4) {
      // Half the bits of a float tell enough: one pass over the rows less.
      low_ = 0;
      high_ = std::numeric_limits<Key>::max();
      shift_ = sizeof(Key) * 8 - kBinBits;
      bins_ = std::size_t{1} << kBinBits;
      return;
    }
    over_parts([&](std::size_t part, std::int64_t first, std::int64_t last) {
      Key low = std::numeric_limits<Key>::max();
      Key high = 0;
      source_.keys(first, last, [&](const Key* keys, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
          low = std::min(low, keys[i]);
          high = std::max(high, keys[i]);
        }
      });
      parts_[part].low = low;
      parts_[part].high = high;
    });
    for (const Part& part : parts_) {
      low_ = std::min(low_, part.low);
      high_ = std::max(high_, part.high);
    }
    const auto width = static_cast<unsigned>(std::bit_width(static_cast<Key>(high_ - low_)));
    shift_ = width > kBinBits ? width - kBinBits : 0;
    if (low_ <= high_) bins_ = static_cast<std::size_t>((high_ - low_) >> shift_) + 1;
  }

  // Offsets from low_ of the keys, all within the range; `offsets` is room for them.
  const Key* offsets_of(const Key* keys, std::size_t n, Key* offsets) const {
    if constexpr (sizeof(Key) == 4) return keys;
    const Key low = low_;
    const Key last = high_ - low_;
    Key most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Key offset = keys[i] - low;
      offsets[i] = offset;
      most = std::max(most, offset);
    }
    if (most > last) changed();
    return offsets;
  }

  // No row has a score: what else is wrong with the rows, and why they are dropped, is found here.
  void read_all() {
    over_parts([&](std::size_t, std::int64_t first, std::int64_t last) {
      source_.rows(first, last, false, [](const RowBlock<Key, Weight>&) {});
    });
  }

  void count_bins() {
    over_parts([&](std::size_t part, std::int64_t first, std::int64_t last) {
      std::vector<std::uint32_t>& bins = parts_[part].bins;
      bins.assign(bins_, 0);
      Key room[kBlock];
      source_.rows(first, last, false, [&](const RowBlock<Key, Weight>& block) {
        const Key* const offsets = offsets_of(block.keys, block.n, room);
        for (std::size_t i = 0; i < block.n; ++i) {
          if (i % kBetweenRequests == 0) block.look_ahead(i);
          ++bins[offsets[i] >> shift_];
        }
      });
    });
  }

  // Groups neighbouring bins into buckets of about the same number of rows, and no more than half
  // of all keys wide.
  void choose_buckets() {
    const std::size_t wanted = std::max<std::size_t>(static_cast<std::size_t>(rows_) / 1024, 8192);
    bucket_of_.resize(bins_);
    std::size_t start = 0;
    bool open = false;
    for (std::size_t bin = 0; bin < bins_; ++bin) {
      std::size_t rows = 0;
      for (const Part& part : parts_) rows += part.bins.empty() ? 0 : part.bins[bin];
      const Key first = static_cast<Key>(bin) << shift_;
      const Key last = first + ((Key{1} << shift_) - 1);
      if (rows > 0) {
        if (!open || buckets_.back().rows + rows > wanted + wanted / 4 ||
            static_cast<Key>(last - buckets_.back().first) >= kHalf) {
          buckets_.push_back({first, last, start, 0});
        }
        open = buckets_.back().rows + rows < wanted;
        buckets_.back().rows += rows;
        buckets_.back().last = last;
        start += rows;
      }
      // Bucket 0 has room for nothing: a row that has moved into an empty bin since is noticed.
      bucket_of_[bin] = static_cast<std::uint16_t>(rows == 0 ? 0 : buckets_.size());
    }
    counted_ = start;
  }

  void deal() {
    entries_ = Pages<E>(counted_);
    // Where each part of the rows writes in each bucket: parts in row order.
    const std::size_t count = buckets_.size() + 1;
    std::vector<Slot> slots(parts_.size() * count, Slot{0, 0});
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::vector<std::uint32_t>& bins = parts_[part].bins;
      for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        slots[part * count + bucket_of_[bin]].end += bins[bin];
      }
    }
    for (std::size_t bucket = 1; bucket < count; ++bucket) {
      auto next = static_cast<std::uint32_t>(buckets_[bucket - 1].start);
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        Slot& slot = slots[part * count + bucket];
        slot.next = next;
        next += slot.end;
        slot.end = next;
      }
    }
    over_parts([&](std::size_t part, std::int64_t first, std::int64_t last) {
      deal_part(first, last, std::span(slots).subspan(part * count, count));
    });
    for (const Slot& slot : slots) {
      if (slot.next != slot.end) changed();
    }
  }

  void deal_part(std::int64_t first, std::int64_t last, std::span<Slot> slots) {
    Key room[kBlock];
    LineWriter<E> out(entries_.data(), slots);
    source_.rows(first, last, true, [&](const RowBlock<Key, Weight>& block) {
      const Key* const offsets = offsets_of(block.keys, block.n, room);
      for (std::size_t i = 0; i < block.n; ++i) {
        if (i % kBetweenRequests == 0) block.look_ahead(i);
        const std::size_t bucket = bucket_of_[offsets[i] >> shift_];
        const auto bits = static_cast<Key>((offsets[i] << 1U) | block.positive[i]);
        bool written;
        if constexpr (std::is_same_v<Weight, Unweighted>) {
          written = out.write(bucket, bits);
        } else {
          written = out.write(bucket, {bits, block.weights[i]});
        }
        if (!written) changed();
      }
    });
    out.finish();
  }

  // Threads take buckets from the highest scores on; a bucket knows its place in the result as soon
  // as the runs of those before it are counted.
  RunPages<Key, Weight> collapse() {
    std::size_t most = 0;
    for (const BucketPlan& plan : buckets_) {
      most +=
          std::min<std::size_t>(plan.rows, static_cast<std::size_t>(plan.last - plan.first) + 1);
    }
    RunPages<Key, Weight> result(most);
    const std::size_t count = buckets_.size();
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> turn{0};
    std::size_t size = 0;  // of the result; belongs to the thread whose turn it is
    std::exception_ptr error;
    std::mutex error_mutex;
    std::atomic<bool> failed{false};
    const auto body = [&]() noexcept {
      try {
        Bucket<Key, Weight> bucket;
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
          const BucketPlan& plan = buckets_[count - 1 - i];
          const std::size_t runs =
              bucket.prepare(entries_.data() + plan.start, plan.rows,
                             static_cast<Key>(plan.first << 1U), plan.last - plan.first);
          while (turn.load(std::memory_order_acquire) != i) {
            if (failed.load(std::memory_order_relaxed)) return;
            std::this_thread::yield();
          }
          const std::size_t at = size;
          size += runs;
          turn.store(i + 1, std::memory_order_release);
          bucket.emit(low_ + plan.first, result.out().from(at));
        }
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error) error = std::current_exception();
        failed.store(true, std::memory_order_relaxed);
      }
    };
    run_on_threads(threads_ - 1, body);
    if (error) std::rethrow_exception(error);
    result.shrink(size);
    return result;
  }

  const Source& source_;
  std::int64_t rows_;
  int threads_;
  std::vector<Part> parts_;
  Key low_ = std::numeric_limits<Key>::max();
  Key high_ = 0;
  unsigned shift_ = 0;
  std::size_t bins_ = 0;
  std::size_t counted_ = 0;
  std::vector<std::uint16_t> bucket_of_;  // of each bin
  std::vector<BucketPlan> buckets_;       // ascending
  Pages<E> entries_;
};

}  // namespace confmat
