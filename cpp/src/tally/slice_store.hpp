// Rows of many slices, sorted into groups of slices, which threads add to without locks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "slice_lists.hpp"
#include "slice_sweeps.hpp"
#include "sweep_rows.hpp"

namespace confmat {

// Rows that are read before any of them is added.
inline constexpr std::int64_t kRowsAtOnce = std::int64_t{1} << 20;

struct LeftOutRow {
  std::uint32_t slice;
  bool is_nan;
};

template <class Key>
class SliceStore {
 public:
  explicit SliceStore(std::uint64_t most_narrow) : most_narrow_(most_narrow) {
    for (std::size_t i = 0; i < kGroups; ++i) groups_.emplace_back(largest_);
  }
  SliceStore(const SliceStore&) = delete;
  SliceStore& operator=(const SliceStore&) = delete;
  ~SliceStore() = default;

  void resize(std::size_t slices) {
    n_slices_ = slices;
    for (auto& group : groups_) group.resize((slices + kGroups - 1) / kGroups);
  }

  // Reads rows first ... last - 1, not more than kRowsAtOnce, and adds nothing.
  // Throws InputError and Stranger.
  void read(const SweepJob& job, Chunks slices, std::int64_t first, std::int64_t last,
            int threads) {
    const auto parts = static_cast<std::size_t>((last - first + kPart - 1) / kPart);
    if (parts_.size() < parts) {
      rows_ = Pages<ListedKey<Key>>(parts * kPartRoom);  // first, as it may throw
      parts_.resize(parts);
    }
    n_parts_ = parts;
    for_each_part(static_cast<int>(parts), threads, [&](int part) {
      const std::int64_t from = first + part * kPart;
      read_part(job, slices, from, std::min(last, from + kPart), part);
    });
  }
  // Calls visit(row) for each row that was read and does not count.
  template <class Visit>
  void for_each_left_out(const Visit& visit) const {
    for (std::size_t part = 0; part < n_parts_; ++part) {
      for (const LeftOutRow& row : parts_[part].left_out) visit(row);
    }
  }
  // Adds what was read.
  void append(unsigned level, int threads) {
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t at, BinKeys<Key>& keys) {
      std::vector<std::span<const ListedKey<Key>>> runs;
      for (std::size_t part = 0; part < n_parts_; ++part) {
        parts_[part].for_each_run(at, [&](std::size_t first, std::size_t n) {
          runs.push_back(rows_.span().subspan(part * kPartRoom + first, n));
        });
      }
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i + kRunsAhead < runs.size()) request(runs[i + kRunsAhead]);
        group.append(runs[i], level, keys);
      }
    });
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t out = 0;
    for (const auto& group : groups_) out += group.bytes();
    return out;
  }
  [[nodiscard]] std::size_t bytes_at(unsigned level) const {
    std::size_t out = 0;
    for (const auto& group : groups_) out += group.bytes_at(level);
    return out;
  }
  // After `bytes` of what was added was found to fit.
  void make_tables(unsigned level, int threads) {
    if (std::ranges::none_of(groups_, &SliceGroup<Key>::has_grown)) return;
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t /*at*/, BinKeys<Key>& keys) {
      group.make_tables(level, keys);
    });
  }
  void coarsen(unsigned level, int threads) {
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t /*at*/, BinKeys<Key>& keys) {
      group.coarsen(level, keys);
    });
  }

  // Calls visit(slice, sweep) for each slice, on several threads: its bins, amounts and scores.
  template <class Visit>
  void sweeps(unsigned level, int threads, const Visit& visit) {
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t /*at*/, BinKeys<Key>& keys) {
      group.settle(keys);
    });
    for_each_task(static_cast<std::int64_t>(n_slices_), threads, [&] {
      return
          [&, sweeps = std::make_shared<SliceSweeps<Key>>(level, most_narrow_)](std::int64_t at) {
            const auto slice = static_cast<std::size_t>(at);
            Sweep out;
            sweeps->fill(groups_[slice % kGroups].slice(slice / kGroups), out);
            visit(slice, std::move(out));
          };
    });
  }

 private:
  static constexpr unsigned kGroupBits = 6;
  static constexpr std::size_t kGroups = std::size_t{1} << kGroupBits;  // slice % kGroups
  static constexpr std::int64_t kPart = std::int64_t{1} << 16;

  static constexpr std::size_t kRun = 128;  // rows of one group that lie behind each other
  static constexpr std::size_t kPartRoom = kPart + kGroups * kRun;

  // Of the rows of a part where the runs of each group lie. All but the last one are full.
  struct Part {
    std::array<std::uint32_t, kGroups> next;  // where its next row comes; full: a multiple of kRun
    std::array<std::uint16_t, kPartRoom / kRun> before;  // the run that a group had before, plus 1
    std::uint32_t n_runs;
    std::vector<LeftOutRow> left_out;

    void clear() noexcept {
      next.fill(0);
      n_runs = 0;
      left_out.clear();
    }
    // Returns where it begins.
    std::uint32_t open_run(std::size_t group) noexcept {
      before[n_runs] = static_cast<std::uint16_t>(next[group] / kRun);
      return next[group] = n_runs++ * kRun;
    }
    // Calls visit(first, n) for each.
    template <class Visit>
    void for_each_run(std::size_t group, const Visit& visit) const {
      std::size_t end = next[group];
      while (end > 0) {
        const std::size_t run = (end - 1) / kRun;
        visit(run * kRun, end - run * kRun);
        end = before[run] * kRun;
      }
    }
  };

  // Runs are short, so that processors do not foresee where the next one lies.
  static constexpr std::size_t kRunsAhead = 2;
  static void request(std::span<const ListedKey<Key>> rows) noexcept {
    const auto* const at = reinterpret_cast<const std::byte*>(rows.data());
    for (std::size_t byte = 0; byte < rows.size_bytes(); byte += 64) __builtin_prefetch(at + byte);
  }

  template <class Work>
  void over_groups(int threads, const Work& work) {
    for_each_part(static_cast<int>(kGroups), threads, [&](int part) {
      const auto at = static_cast<std::size_t>(part);
      std::unique_ptr<BinKeys<Key>> held = take_keys();
      work(groups_[at], at, *held);
      const std::lock_guard lock(mutex_);
      keys_.push_back(std::move(held));
    });
  }
  // What only some groups need, so that a thread's goes on with the next one.
  std::unique_ptr<BinKeys<Key>> take_keys() {
    const std::lock_guard lock(mutex_);
    if (keys_.empty()) return std::make_unique<BinKeys<Key>>();
    std::unique_ptr<BinKeys<Key>> held = std::move(keys_.back());
    keys_.pop_back();
    return held;
  }

  // Reads the slices of rows; the cursor stands at the first of them.
  class SliceReader {
   public:
    SliceReader(Chunks slices, std::int64_t first, std::int64_t rows_before, std::size_t n_slices)
        : at_(slices, first), row_(rows_before + first), n_slices_(n_slices) {}

    void read(std::size_t n, std::uint32_t* out) {
      std::uint32_t most = 0;
      for (std::size_t done = 0; done < n;) {
        const auto some = std::min(n - done, static_cast<std::size_t>(at_.left()));
        if (any_null(at_.chunk(), at_.at(), some)) fail_null(some);
        const Run run = gather(at_.chunk(), at_.at(), some, scratch_);
        std::memcpy(out + done, run.values, some * sizeof *out);
        most = std::max(most, highest(out + done, some));
        if (most >= n_slices_) fail_beyond(out + done, some);
        at_.advance(static_cast<std::int64_t>(some));
        row_ += static_cast<std::int64_t>(some);
        done += some;
      }
    }

   private:
    static std::uint32_t highest(const std::uint32_t* slices, std::size_t n) {
      std::uint32_t most = 0;
      wide_loop([=, &most] {
        std::uint32_t found = 0;
        for (std::size_t i = 0; i < n; ++i) found = std::max(found, slices[i]);
        most = found;
      });
      return most;
    }
    [[noreturn]] void fail_null(std::size_t n) const {
      std::int64_t i = 0;
      while (i + 1 < static_cast<std::int64_t>(n) && at_.chunk().valid(at_.at() + i)) ++i;
      throw InputError("`slices` is null", row_ + i, "; wanted the number of a slice");
    }
    [[noreturn]] void fail_beyond(const std::uint32_t* values, std::size_t n) const {
      const std::uint32_t* const bad =
          std::find_if(values, values + n, [this](std::uint32_t of) { return of >= n_slices_; });
      throw InputError(
          "slice " + std::to_string(*bad), row_ + (bad - values),
          " of `slices`; wanted less than " + std::to_string(n_slices_) + ", the number of slices");
    }

    Cursor at_;
    std::int64_t row_;
    std::size_t n_slices_;
    Scratch scratch_;
  };

  void read_part(const SweepJob& job, Chunks slices, std::int64_t first, std::int64_t last,
                 int number) {
    Part& part = parts_[static_cast<std::size_t>(number)];
    part.clear();
    const auto reader = std::make_unique<RowReader<Key, Unweighted>>(job, first, last);
    SliceReader slice_reader(slices, first, job.rows_before, n_slices_);
    const auto slice = std::make_unique_for_overwrite<std::uint32_t[]>(kBlock);
    RowBlock<Key, Unweighted> rows;
    ListedKey<Key>* const out = rows_.data() + static_cast<std::size_t>(number) * kPartRoom;
    while (reader->next(rows)) {
      slice_reader.read(rows.n + reader->left_out().size(), slice.get());
      for (const LeftOut& row : reader->left_out()) {
        part.left_out.push_back({slice[row.at], row.is_nan});
      }
      const auto places = reader->places();
      for (std::size_t i = 0; i < places.size(); ++i) slice[i] = slice[places[i]];
      sort_block(rows, slice.get(), part, out);
    }
  }

  // Puts rows behind each other that go to one group.
  static void sort_block(const RowBlock<Key, Unweighted>& rows, const std::uint32_t* slice,
                         Part& part, ListedKey<Key>* out) {
    for (std::size_t i = 0; i < rows.n; ++i) {
      const std::size_t group = slice[i] % kGroups;
      std::uint32_t at = part.next[group];
      if (at % kRun == 0) {
        at = part.open_run(group);
        request_run(out + at);
      }
      out[at] = {(slice[i] >> kGroupBits) * 2 + rows.positive[i], rows.keys[i]};
      part.next[group] = at + 1;
    }
  }
  static void request_run(const ListedKey<Key>* run) noexcept {
    for (std::size_t i = 0; i < kRun; i += 64 / sizeof *run) __builtin_prefetch(run + i, 1);
  }

  LargestBlocks largest_;
  std::vector<SliceGroup<Key>> groups_;
  std::size_t n_slices_ = 0;
  Pages<ListedKey<Key>> rows_;  // that were read, a part behind the other
  std::vector<Part> parts_;
  std::size_t n_parts_ = 0;
  std::uint64_t most_narrow_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BinKeys<Key>>> keys_;
};

}  // namespace confmat
