// Counts words of eight Booleans, of truth and prediction at once.
#include "confmat/tally/set_pairs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/kernels/table.hpp"
#include "set_reader.hpp"

namespace confmat {
namespace {

// So many rows a counter are worth a table; the codes of fewer are sorted.
constexpr std::size_t kCountersARow = 16;
constexpr int kLanes = 2;

struct Sides {
  FewLabels truth;
  FewLabels prediction;
  unsigned labels;

  void read(std::int64_t first, std::int64_t last, std::uint16_t* codes) const noexcept {
    std::fill_n(codes, last - first, std::uint16_t{0});
    truth.read(first, last, labels, codes);
    prediction.read(first, last, 0, codes);
  }
};

// One thread's counts of codes.
class Counters {
 public:
  explicit Counters(std::size_t size) : narrow_(size * kLanes), counts_(size) {}

  void add(const std::uint16_t* codes, std::size_t n) {
    constexpr std::size_t kMostPending = std::size_t{1} << 31U;
    if (pending_ + n > kMostPending) widen();
    pending_ += n;
    kernels().tally16(codes, n, {}, narrow_.data(), counts_.size(), kLanes);
  }
  const std::vector<std::int64_t>& take() {
    widen();
    return counts_;
  }

 private:
  void widen() {
    for (std::size_t code = 0; code < counts_.size(); ++code) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        counts_[code] += std::exchange(narrow_[lane * counts_.size() + code], 0);
      }
    }
    pending_ = 0;
  }

  std::size_t pending_ = 0;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::int64_t> counts_;
};

void count_with_table(const Sides& sides, std::int64_t rows, int threads, SetPairs& found) {
  const std::size_t size = std::size_t{1} << (2 * sides.labels);
  const int parts = thread_count(threads, rows);
  std::vector<std::vector<std::int64_t>> counts(static_cast<std::size_t>(parts));
  over_ranges(parts, rows, [&](int part, std::int64_t first, std::int64_t last) {
    Counters counters(size);
    std::array<std::uint16_t, kBlock> codes;
    for (const auto [from, to] : Strides(static_cast<std::size_t>(last - first))) {
      for (std::size_t at = from; at < to; at += kBlock) {
        const std::size_t n = std::min(kBlock, to - at);
        const std::int64_t row = first + static_cast<std::int64_t>(at);
        sides.read(row, row + static_cast<std::int64_t>(n), codes.data());
        counters.add(codes.data(), n);
      }
    }
    counts[static_cast<std::size_t>(part)] = counters.take();
  });
  for (std::size_t code = 0; code < size; ++code) {
    std::int64_t sum = 0;
    for (const auto& of_part : counts) sum += of_part[code];
    if (sum == 0) continue;
    found.codes.push_back(static_cast<std::uint16_t>(code));
    found.rows.push_back(sum);
  }
}

void count_by_sorting(const Sides& sides, std::int64_t rows, SetPairs& found) {
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(rows));
  sides.read(0, rows, codes.data());
  std::vector<std::uint16_t> scratch;
  sort_records<8>(codes, scratch, [](std::uint16_t code) { return std::uint64_t{code}; });
  for (const std::uint16_t code : codes) {
    if (found.codes.empty() || found.codes.back() != code) {
      found.codes.push_back(code);
      found.rows.push_back(0);
    }
    ++found.rows.back();
  }
}

// The rows whose sets are these, by set: true, predicted, shared.
void fill_cells(unsigned labels, std::int64_t rows, SetPairs& found) {
  std::array<std::array<std::int64_t, 256>, 3> of_set{};
  for (std::size_t i = 0; i < found.codes.size(); ++i) {
    const std::size_t truth = std::size_t{found.codes[i]} >> labels;
    const std::size_t prediction = found.codes[i] & ((std::size_t{1} << labels) - 1);
    of_set[0][truth] += found.rows[i];
    of_set[1][prediction] += found.rows[i];
    of_set[2][truth & prediction] += found.rows[i];
  }
  std::array<std::array<std::int64_t, 3>, kMostSetLabels> having{};  // by label
  for (std::size_t set = 0; set < std::size_t{1} << labels; ++set) {
    if ((of_set[0][set] | of_set[1][set] | of_set[2][set]) == 0) continue;  // few occur in few rows
    for (auto rest = static_cast<unsigned>(set); rest != 0; rest &= rest - 1) {
      const auto label = static_cast<std::size_t>(std::countr_zero(rest));
      for (std::size_t side = 0; side < 3; ++side) having[label][side] += of_set[side][set];
    }
  }
  for (unsigned label = 0; label < labels; ++label) {
    const auto [truth, prediction, shared] = having[label];
    const std::int64_t neither = rows - truth - prediction + shared;
    found.cells.insert(found.cells.end(), {neither, prediction - shared, truth - shared, shared});
  }
}

}  // namespace

SetPairs count_set_pairs(const SetSide& truth, const SetSide& prediction, std::int64_t rows,
                         unsigned labels, int threads) {
  const Sides sides{{truth, rows, labels}, {prediction, rows, labels}, labels};
  SetPairs found;
  if (static_cast<std::size_t>(rows) * kCountersARow < std::size_t{1} << (2 * labels)) {
    count_by_sorting(sides, rows, found);
  } else {
    count_with_table(sides, rows, threads, found);
  }
  fill_cells(labels, rows, found);
  return found;
}

}  // namespace confmat
