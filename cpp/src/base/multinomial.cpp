// A multinomial draw is one binomial after the other: first of the blocks of cells, then of the
// cells of each. Where rows are few it is cheaper to draw rows, as the bootstrap does.
#include "confmat/base/multinomial.hpp"

#include <algorithm>

#include "confmat/base/binomial.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

void require_places(std::size_t cells) {
  if (cells > std::size_t{UINT32_MAX}) throw InputError("a table of so many cells is not redrawn");
}

// Of numbers from each one on, the share of the first: summed from the last, so that none is lost.
template <class Number>
void load_shares(std::span<const Number> numbers, double* shares) {
  Number after{};
  for (std::size_t i = numbers.size(); i-- > 0;) {
    after += numbers[i];
    shares[i] = static_cast<double>(numbers[i]) / static_cast<double>(after);
  }
  if (!numbers.empty()) shares[numbers.size() - 1] = 1.0;
}

}  // namespace

template <class T>
Multinomial Multinomial::of_counts(std::span<const T> counts) {
  require_places(counts.size());
  Multinomial out;
  std::vector<std::int64_t> filled, totals;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    out.places_.push_back(static_cast<std::uint32_t>(i));
    filled.push_back(static_cast<std::int64_t>(counts[i]));
  }
  out.shares_.resize(filled.size());
  for (std::size_t first = 0; first < filled.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, filled.size());
    const std::span<const std::int64_t> cells(filled.data() + first, last - first);
    std::int64_t rows = 0, most = 0;
    for (const std::int64_t cell : cells) {
      rows += cell;
      most = std::max(most, cell);
    }
    load_shares(cells, out.shares_.data() + first);
    Block block{.first = first, .last = last};
    block.by_rows = rows <= kRowsEach * static_cast<std::int64_t>(cells.size());
    if (block.by_rows) {
      block.rows = static_cast<std::uint32_t>(rows);
      block.is_plain = most == 1;
      block.rows_at = out.cell_of_row_.size();
      for (std::size_t i = 0; !block.is_plain && i < cells.size(); ++i) {
        out.cell_of_row_.insert(out.cell_of_row_.end(), static_cast<std::size_t>(cells[i]),
                                static_cast<std::uint16_t>(i));
      }
    }
    out.blocks_.push_back(block);
    totals.push_back(rows);
    out.total_ += rows;
  }
  std::vector<double> shares(totals.size());
  load_shares(std::span<const std::int64_t>(totals), shares.data());
  for (std::size_t i = 0; i < shares.size(); ++i) out.blocks_[i].share = shares[i];
  return out;
}

Multinomial Multinomial::of_shares(std::span<const double> numbers, std::int64_t total) {
  require_places(numbers.size());
  Multinomial out;
  std::vector<double> filled, totals;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(numbers[i] > 0)) continue;
    out.places_.push_back(static_cast<std::uint32_t>(i));
    filled.push_back(numbers[i]);
  }
  out.total_ = filled.empty() ? 0 : total;
  out.shares_.resize(filled.size());
  for (std::size_t first = 0; first < filled.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, filled.size());
    const std::span<const double> cells(filled.data() + first, last - first);
    load_shares(cells, out.shares_.data() + first);
    out.blocks_.push_back({.first = first, .last = last});
    totals.push_back(0.0);
    for (const double cell : cells) totals.back() += cell;
  }
  std::vector<double> shares(totals.size());
  load_shares(std::span<const double>(totals), shares.data());
  for (std::size_t i = 0; i < shares.size(); ++i) out.blocks_[i].share = shares[i];
  return out;
}

template <class T>
void Multinomial::draw(Random& random, std::int64_t n, T* out) const {
  const StopSign sign;
  for (const Block& block : blocks_) {
    if (block.first > 0) sign.obey();
    const std::int64_t here = block.share < 1.0 ? binomial(random, n, block.share) : n;
    n -= here;
    if (block.by_rows && here <= kRowsEach * static_cast<std::int64_t>(block.last - block.first)) {
      draw_rows(random, block, here, out);
    } else {
      draw_cells(random, block, here, out);
    }
  }
}

template <class T>
void Multinomial::draw_rows(Random& random, const Block& block, std::int64_t n, T* out) const {
  std::uint32_t counts[kBlock];
  const std::size_t cells = block.last - block.first;
  std::fill_n(counts, cells, 0U);
  if (block.is_plain) {
    for (std::int64_t row = 0; row < n; ++row) ++counts[random.below(block.rows)];
  } else {
    const std::uint16_t* const cell_of = cell_of_row_.data() + block.rows_at;
    for (std::int64_t row = 0; row < n; ++row) ++counts[cell_of[random.below(block.rows)]];
  }
  const std::uint32_t* const place = places_.data() + block.first;
  for (std::size_t i = 0; i < cells; ++i) out[place[i]] = static_cast<T>(counts[i]);
}

template <class T>
void Multinomial::draw_cells(Random& random, const Block& block, std::int64_t n, T* out) const {
  for (std::size_t i = block.first; i < block.last; ++i) {
    const std::int64_t here = i + 1 < block.last ? binomial(random, n, shares_[i]) : n;
    out[places_[i]] = static_cast<T>(here);
    n -= here;
  }
}

template Multinomial Multinomial::of_counts(std::span<const std::uint32_t>);
template Multinomial Multinomial::of_counts(std::span<const std::uint64_t>);
template Multinomial Multinomial::of_counts(std::span<const std::int64_t>);
template void Multinomial::draw(Random&, std::int64_t, std::uint32_t*) const;
template void Multinomial::draw(Random&, std::int64_t, std::uint64_t*) const;
template void Multinomial::draw(Random&, std::int64_t, std::int64_t*) const;

}  // namespace confmat
