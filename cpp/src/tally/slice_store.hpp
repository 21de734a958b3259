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
  explicit SliceStore(std::uint64_t most_narrow) {
    for (std::size_t i = 0; i < kGroups; ++i) groups_.emplace_back(largest_, most_narrow);
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
      parts_.resize(parts);
      rows_ = Pages<ListedKey<Key>>(parts * kPart);
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
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t at, TableScratch<Key>& scratch) {
      std::vector<std::span<const ListedKey<Key>>> runs;
      for (std::size_t part = 0; part < n_parts_; ++part) {
        const Part& rows = parts_[part];
        for (const Block& block : rows.blocks) {
          const std::size_t first = at == 0 ? 0 : std::size_t{block.ends[at - 1]};
          runs.push_back(rows_.span().subspan(block.first + first, block.ends[at] - first));
        }
      }
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i + kRunsAhead < runs.size()) request(runs[i + kRunsAhead]);
        group.append(runs[i], level, scratch);
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
  void coarsen(unsigned level, int threads) {
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t /*at*/,
                             TableScratch<Key>& scratch) { group.coarsen(level, scratch); });
  }

  // Calls visit(slice, sweep) for each slice, on several threads: its bins, amounts and scores.
  template <class Visit>
  void sweeps(unsigned level, int threads, const Visit& visit) {
    over_groups(threads, [&](SliceGroup<Key>& group, std::size_t /*at*/,
                             TableScratch<Key>& scratch) { group.settle(scratch); });
    for_each_task(static_cast<std::int64_t>(n_slices_), threads, [&] {
      return [&, sweeps = std::make_shared<SliceSweeps<Key>>(level)](std::int64_t at) {
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

  // Rows in the order of their groups.
  struct Block {
    std::uint32_t first;  // of all that were read
    std::array<std::uint16_t, kGroups> ends;
  };
  static_assert(kBlock < 1U << 16U);
  struct Part {
    std::vector<Block> blocks;
    std::vector<LeftOutRow> left_out;
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
      std::unique_ptr<TableScratch<Key>> held = take_scratch();
      work(groups_[at], at, *held);
      const std::lock_guard lock(mutex_);
      scratch_.push_back(std::move(held));
    });
  }
  // What only some groups need, so that a thread's goes on with the next one.
  std::unique_ptr<TableScratch<Key>> take_scratch() {
    const std::lock_guard lock(mutex_);
    if (scratch_.empty()) return std::make_unique<TableScratch<Key>>();
    std::unique_ptr<TableScratch<Key>> held = std::move(scratch_.back());
    scratch_.pop_back();
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
    part.blocks.clear();
    part.left_out.clear();
    const auto reader = std::make_unique<RowReader<Key, Unweighted>>(job, first, last);
    SliceReader slice_reader(slices, first, job.rows_before, n_slices_);
    const auto slice = std::make_unique_for_overwrite<std::uint32_t[]>(kBlock);
    RowBlock<Key, Unweighted> rows;
    auto at = static_cast<std::uint32_t>(number * kPart);
    while (reader->next(rows)) {
      slice_reader.read(rows.n + reader->left_out().size(), slice.get());
      for (const LeftOut& row : reader->left_out()) {
        part.left_out.push_back({slice[row.at], row.is_nan});
      }
      const auto places = reader->places();
      for (std::size_t i = 0; i < places.size(); ++i) slice[i] = slice[places[i]];
      sort_block(rows, slice.get(), at, part.blocks.emplace_back());
      at += static_cast<std::uint32_t>(rows.n);
    }
  }

  // Puts rows behind each other that go to one group.
  void sort_block(const RowBlock<Key, Unweighted>& rows, const std::uint32_t* slice,
                  std::uint32_t at, Block& block) {
    ListedKey<Key>* const out = rows_.data() + at;
    constexpr std::size_t kLine = 64 / sizeof(ListedKey<Key>);
    std::array<std::uint32_t, kGroups> next{};
    for (std::size_t i = 0; i < rows.n; ++i) {
      if (i % kLine == 0) __builtin_prefetch(out + i, 1);
      ++next[slice[i] % kGroups];
    }
    block.first = at;
    std::uint32_t before = 0;
    for (std::size_t group = 0; group < kGroups; ++group) {
      const std::uint32_t n = std::exchange(next[group], before);
      before += n;
      block.ends[group] = static_cast<std::uint16_t>(before);
    }
    for (std::size_t i = 0; i < rows.n; ++i) {
      const std::uint32_t list = (slice[i] >> kGroupBits) * 2 + rows.positive[i];
      out[next[slice[i] % kGroups]++] = {list, rows.keys[i]};
    }
  }

  LargestBlocks largest_;
  std::vector<SliceGroup<Key>> groups_;
  std::size_t n_slices_ = 0;
  Pages<ListedKey<Key>> rows_;  // that were read, a part behind the other
  std::vector<Part> parts_;
  std::size_t n_parts_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TableScratch<Key>>> scratch_;
};

}  // namespace confmat
