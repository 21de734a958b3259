// Ranges of rows are counted side by side, then ranges of sets, by the last label of each.
#include "listed_sets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "ascending_lists.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "listed_sizes.hpp"
#include "set_records.hpp"

namespace confmat {
namespace {

constexpr unsigned kMostBucketBits = 8;
constexpr std::size_t kSetsOfBucket = std::size_t{1} << 12U;

// Which of the ranges of sets one belongs to.
class Buckets {
 public:
  Buckets(std::size_t n_sets, std::size_t n_labels) {
    const auto wanted = static_cast<unsigned>(std::bit_width(n_sets / kSetsOfBucket));
    const auto bits = static_cast<unsigned>(std::bit_width(n_labels));
    shift_ = bits - std::min({wanted, bits, kMostBucketBits});
    size_ = (n_labels >> shift_) + 1;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t of(SetMembers set) const noexcept {
    return set.empty() ? 0 : (std::size_t{set.back()} + 1) >> shift_;
  }

 private:
  unsigned shift_ = 0;
  std::size_t size_ = 1;
};

class ListedRows {
 public:
  ListedRows(const SetLists& truth, const SetLists& prediction, std::int64_t rows,
             SharedLabels labels, int parts)
      : all_truth_(truth, parts),
        all_prediction_(prediction, parts),
        truth_(all_truth_.lists()),
        prediction_(all_prediction_.lists()),
        rows_(rows),
        n_labels_(labels->size()),
        parts_(parts),
        buckets_(2 * static_cast<std::size_t>(rows), n_labels_),
        records_of_(truth_.labels, prediction_.labels, n_labels_),
        of_parts_(static_cast<std::size_t>(parts)),
        sorted_(buckets_.size()) {
    out_.labels = std::move(labels);
  }

  SetCounts run() {
    find_room();
    over_ranges(parts_, rows_, [&](int part, std::int64_t first, std::int64_t last) {
      read(of_parts_[static_cast<std::size_t>(part)], first, last);
    });
    add_cells();
    add_sizes();
    for_each_part(static_cast<int>(buckets_.size()), parts_,
                  [&](int bucket) { sort_bucket(static_cast<std::size_t>(bucket)); });
    write_sets();
    return std::move(out_);
  }

 private:
  struct Part {
    std::vector<std::uint32_t> cells;     // [., fp, fn, tp] of each label
    std::vector<std::size_t> begin, end;  // of the records of each bucket
    ListedSizes sizes;
  };

  // The records of a bucket in the order of sets, and how many sets and labels these are.
  struct Sorted {
    std::span<const SetRecord> records;
    std::size_t sets = 0, labels = 0;
  };

  // Where the records of each bucket and part will lie: for each row there may be two.
  void find_room() {
    over_ranges(parts_, rows_, [&](int part, std::int64_t first, std::int64_t last) {
      auto& begin = of_parts_[static_cast<std::size_t>(part)].begin;
      begin.resize(buckets_.size());
      const StopSign sign;
      for (std::int64_t row = first; row < last; ++row) {
        if ((row & 0xFFFF) == 0) sign.obey();
        ++begin[buckets_.of(truth_.of(row))];
        ++begin[buckets_.of(prediction_.of(row))];
      }
    });
    std::size_t at = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      for (Part& part : of_parts_) at += std::exchange(part.begin[bucket], at);
    }
    for (Part& part : of_parts_) part.end = part.begin;
    records_ = Pages<SetRecord>(at);
  }

  void read(Part& part, std::int64_t first, std::int64_t last) {
    part.cells = large_zeros<std::uint32_t>(4 * n_labels_);
    std::uint32_t* const cells = part.cells.data();
    const auto put = [&](SetRecord::Side side, const SetLists& lists, SetMembers set) {
      const auto at = static_cast<std::size_t>(set.data() - lists.labels.data());
      records_[part.end[buckets_.of(set)]++] = records_of_.record(side, at, set.size());
    };
    const StopSign sign;
    for (std::int64_t row = first; row < last; ++row) {
      if ((row & 0xFFF) == 0) sign.obey();
      const SetMembers truth = truth_.of(row), prediction = prediction_.of(row);
      std::uint32_t shared = 0;
      each_label(truth, prediction, [&](std::size_t label, unsigned in_true, unsigned in_pred) {
        ++cells[4 * label + std::size_t{2} * in_true + in_pred];
        shared += in_true & in_pred;
      });
      part.sizes.add(shared, truth.size(), prediction.size());
      if (shared == truth.size() && shared == prediction.size()) {
        put(SetRecord::kBoth, truth_, truth);
      } else {
        put(SetRecord::kTrue, truth_, truth);
        put(SetRecord::kPredicted, prediction_, prediction);
      }
    }
  }

  void add_cells() {
    Pages<std::int64_t> cells(4 * n_labels_);
    const auto n = static_cast<std::int64_t>(n_labels_);
    over_ranges(thread_count(parts_, n), n, [&](int, std::int64_t first, std::int64_t last) {
      for (auto at = static_cast<std::size_t>(4 * first); at < static_cast<std::size_t>(4 * last);
           at += 4) {
        std::array<std::int64_t, 4> sums{};
        for (const Part& part : of_parts_) {
          for (std::size_t cell = 1; cell < 4; ++cell) sums[cell] += part.cells[at + cell];
        }
        sums[0] = rows_ - sums[1] - sums[2] - sums[3];
        std::ranges::copy(sums, cells.data() + at);
      }
    });
    for (Part& part : of_parts_) part.cells = {};
    out_.cells.counts = shared_pages(std::move(cells));
  }

  void add_sizes() {
    ListedSizes& all = of_parts_.front().sizes;
    for (std::size_t part = 1; part < of_parts_.size(); ++part) all.add(of_parts_[part].sizes);
    auto [sizes, counts] = all.take();
    out_.sizes = std::move(sizes);
    out_.of_sizes.counts = std::move(counts);
  }

  // Its records, those of all parts, then stand where those of the first part began.
  void sort_bucket(std::size_t bucket) {
    std::vector<SetRecord> records;
    for (const Part& part : of_parts_) {
      records.insert(records.end(), records_.data() + part.begin[bucket],
                     records_.data() + part.end[bucket]);
    }
    SetRecords(records_of_).sort(records);
    SetRecord* const to = records_.data() + of_parts_.front().begin[bucket];
    std::ranges::copy(records, to);
    Sorted& sorted = sorted_[bucket];
    sorted.records = {to, records.size()};
    for (const SetRecord& one : records) {
      if (one.repeats != 0) continue;
      ++sorted.sets;
      sorted.labels += one.size;
    }
  }

  void write_sets() {
    std::size_t n_sets = 0, n_labels = 0;
    for (Sorted& sorted : sorted_) {  // from here on: those before
      n_sets += std::exchange(sorted.sets, n_sets);
      n_labels += std::exchange(sorted.labels, n_labels);
    }
    Pages<std::uint32_t> labels(n_labels);
    Pages<std::uint64_t> ends(n_sets);
    Pages<std::int64_t> rows(3 * n_sets);
    for_each_part(static_cast<int>(sorted_.size()), parts_, [&](int bucket) {
      constexpr std::size_t kAhead = 16;
      auto [records, set, label] = sorted_[static_cast<std::size_t>(bucket)];
      std::array<std::int64_t, 3> having{};  // as the true set, the predicted one, both
      for (std::size_t i = 0; i < records.size(); ++i) {
        const SetRecord one = records[i];
        if (i + kAhead < records.size()) {
          __builtin_prefetch(records_of_.labels(records[i + kAhead]));
        }
        for (std::uint32_t side = 0; side < 3; ++side) {
          having[side] += one.side == side || one.side == SetRecord::kBoth ? 1 : 0;
        }
        if (i + 1 < records.size() && records[i + 1].repeats != 0) continue;
        std::copy_n(records_of_.labels(one), one.size, labels.data() + label);
        label += one.size;
        ends[set] = label;
        std::ranges::copy(std::exchange(having, {}), rows.data() + 3 * set);
        ++set;
      }
    });
    records_ = {};
    out_.sets = LabelSets(shared_pages(std::move(labels)), shared_pages(std::move(ends)))
                    .compact(n_labels_);
    out_.of_sets.counts = shared_pages(std::move(rows));
  }

  AscendingLists all_truth_, all_prediction_;
  const SetLists& truth_;
  const SetLists& prediction_;
  std::int64_t rows_;
  std::size_t n_labels_;
  int parts_;
  Buckets buckets_;
  SetRecords records_of_;
  std::vector<Part> of_parts_;
  Pages<SetRecord> records_;
  std::vector<Sorted> sorted_;
  SetCounts out_;
};

}  // namespace

bool can_count_listed(const SetLists& truth, const SetLists& prediction) noexcept {
  constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31U;
  return truth.ends.size() < kMostRows && truth.labels.size() < SetRecords::kMostLabels &&
         prediction.labels.size() < SetRecords::kMostLabels;
}

SetCounts count_listed(const SetLists& truth, const SetLists& prediction, std::int64_t rows,
                       SharedLabels labels, int parts) {
  return ListedRows(truth, prediction, rows, std::move(labels), parts).run();
}

}  // namespace confmat
