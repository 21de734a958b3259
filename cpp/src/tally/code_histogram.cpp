// Counts codes with the kernel that fits their number of cells.
#include "confmat/tally/code_histogram.hpp"

#include <algorithm>
#include <utility>

#include "confmat/base/pages.hpp"

namespace confmat {
namespace {

constexpr std::uint64_t kMostPending = std::uint64_t{1} << 31U;  // 32-bit counters hold more

// From so many rows on, pairs of neighbours are counted with one increment: their table of 65,536
// counters lies in the second-level cache, and has to be cleared and summed up.
constexpr std::int64_t kWorthPairs = std::int64_t{1} << 22U;

constexpr std::size_t kNearCache = std::size_t{48} << 10U;

// Several tables keep equal neighbours from waiting for one another, as long as they stay in the
// first-level cache.
int lanes_of(std::size_t size) noexcept { return size * 4 * 4 <= kNearCache ? 4 : 2; }

}  // namespace

CodeHistogram::CodeHistogram(std::uint32_t classes, bool foreign, std::int64_t rows)
    : kernels_(kernels()),
      width_(code_width(classes)),
      size_(std::size_t{classes + 2} * (classes + 2)),
      classes_(classes),
      cells_(large_zeros<std::int64_t>(size_)) {
  switch (width_) {
    case CodeWidth::k8:
      two_at_once_ = rows >= kWorthPairs && classes > 4;
      table_size_ = two_at_once_ ? 65536 : 256;
      lanes_ = two_at_once_ ? 1 : 8;
      break;
    case CodeWidth::k16:
      table_size_ = foreign ? 65536 : size_;
      lanes_ = lanes_of(table_size_);
      break;
    case CodeWidth::k32:
      return;
  }
  if (classes > 4 || classes == 0) return;
  few_ = classes <= 2 ? kernels_.tally4 : classes == 3 ? kernels_.tally9 : kernels_.tally16_few;
  live_.fill(255);  // with 4 classes or less no code is that large
  std::size_t k = 0;
  for (std::uint32_t i = 0; i < classes; ++i) {
    for (std::uint32_t j = 0; j < classes; ++j) {
      live_[k++] = static_cast<std::uint8_t>(i * (classes + 2) + j);
    }
  }
}

void CodeHistogram::add(const void* truth, const void* prediction, std::size_t n, void* codes,
                        const Ahead& ahead) {
  // Rows of more bytes arrive no faster than codes of them are counted, and do so best evenly.
  constexpr std::size_t kMostBytes = 1;
  const bool is_narrow = std::max(ahead.width[0], ahead.width[1]) <= kMostBytes;
  if (width_ == CodeWidth::k8 && is_narrow && kernels_.tally_classes != nullptr) {
    of_classes_.resize(8 * kFewClasses * kFewClasses);
    kernels_.tally_classes(static_cast<const std::uint8_t*>(truth),
                           static_cast<const std::uint8_t*>(prediction), n, classes_, ahead,
                           of_classes_.data());
    return;
  }
  const auto combine = width_ == CodeWidth::k8    ? kernels_.combine8
                       : width_ == CodeWidth::k16 ? kernels_.combine16
                                                  : kernels_.combine32;
  combine(truth, prediction, n, classes_ + 2, codes);
  add(codes, n, ahead);
}

void CodeHistogram::add(const void* codes, std::size_t n, const Ahead& ahead) {
  if (width_ == CodeWidth::k32) {
    const auto* wide = static_cast<const std::uint32_t*>(codes);
    inside_ = kernels_.tally32(wide, n, cells_.data(), size_) && inside_;
    return;
  }
  if (few_ != nullptr) {
    std::array<std::uint32_t, 16> counts{};
    if (few_(static_cast<const std::uint8_t*>(codes), n, ahead, live_.data(), counts.data()) == n) {
      for (std::size_t k = 0; k < counts.size(); ++k) few_counts_[k] += counts[k];
      return;
    }
  }
  if (tables_.empty()) tables_.resize(table_size_ * static_cast<std::size_t>(lanes_));
  if (pending_ + n > kMostPending) flush();
  pending_ += n;
  if (two_at_once_) {
    add_pairs(static_cast<const std::uint8_t*>(codes), n, ahead);
  } else if (width_ == CodeWidth::k8) {
    kernels_.tally8(static_cast<const std::uint8_t*>(codes), n, ahead, tables_.data());
  } else {
    kernels_.tally16(static_cast<const std::uint16_t*>(codes), n, ahead, tables_.data(),
                     table_size_, lanes_);
  }
}

void CodeHistogram::add_pairs(const std::uint8_t* codes, std::size_t n, const Ahead& ahead) {
  Ahead twice = ahead;
  for (auto& width : twice.width) width *= 2;
  // Whole steps of the kernel, which then needs no alignment.
  const std::size_t pairs = n / 8 * 4;
  kernels_.tally16(reinterpret_cast<const std::uint16_t*>(codes), pairs, twice, tables_.data(),
                   table_size_, lanes_);
  for (std::size_t i = 2 * pairs; i < n; ++i) count_one(codes[i], 1);
}

void CodeHistogram::count_one(std::size_t code, std::int64_t rows) noexcept {
  if (code < size_) {
    cells_[code] += rows;
  } else {
    inside_ = inside_ && rows == 0;
  }
}

void CodeHistogram::flush() {
  add_tables();
  tables_.assign(tables_.size(), 0);
  pending_ = 0;
}

void CodeHistogram::add_tables() {
  if (pending_ == 0) return;
  if (two_at_once_) {
    std::array<std::int64_t, 256> counts{};
    for (std::size_t pair = 0; pair < table_size_; ++pair) {
      counts[pair & 255U] += tables_[pair];
      counts[pair >> 8U] += tables_[pair];
    }
    for (std::size_t code = 0; code < counts.size(); ++code) count_one(code, counts[code]);
    return;
  }
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes_); ++lane) {
    const std::uint32_t* table = tables_.data() + lane * table_size_;
    std::int64_t* cells = cells_.data();
    for (std::size_t code = 0; code < size_; ++code) cells[code] += table[code];
    std::uint32_t beyond = 0;
    for (std::size_t code = size_; code < table_size_; ++code) beyond |= table[code];
    inside_ = inside_ && beyond == 0;
  }
}

void CodeHistogram::add_classes() {
  const std::size_t side = classes_ + 2;
  for (std::size_t at = 0; at < of_classes_.size(); ++at) {
    if (of_classes_[at] == 0) continue;
    const std::size_t truth = at / 8 / kFewClasses, prediction = at / 8 % kFewClasses;
    const bool known = truth < side && prediction < side;
    count_one(known ? truth * side + prediction : size_,
              static_cast<std::int64_t>(of_classes_[at]));
  }
}

bool CodeHistogram::take(std::vector<std::int64_t>& cells) {
  add_tables();
  add_classes();
  if (few_ != nullptr) {
    for (std::size_t k = 0; k < live_.size(); ++k) {
      if (live_[k] != 255) cells_[live_[k]] += few_counts_[k];
    }
  }
  cells = std::move(cells_);
  return inside_;
}

}  // namespace confmat
