// Reads indicators of any type into Booleans.
#include "confmat/tally/indicators.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {
namespace {

Kernels::Ones ones_of(DType type) noexcept {
  if (type == DType::kFloat32) return kernels().ones32;
  if (type == DType::kFloat64) return kernels().ones64;
  const auto& of_width = kernels().ones;
  switch (width_of(type)) {
    case 1:
      return of_width[0];
    case 2:
      return of_width[1];
    case 4:
      return of_width[2];
    default:
      return of_width[3];
  }
}

bool may_miss(const Column& chunk) noexcept {
  return chunk.type == DType::kNull || chunk.validity != nullptr || is_float(chunk.type);
}

// What one thread finds in its rows.
class Part {
 public:
  Part(std::int64_t width, std::uint8_t* missing) noexcept : width_(width), missing_(missing) {}

  // Values [first, last) of a column; the first one to `out`.
  void read(Chunks chunks, std::size_t column, std::int64_t first, std::int64_t last,
            std::byte* out) {
    Cursor cursor(chunks, first);
    for (std::int64_t at = first; at < last;) {
      const std::int64_t most = std::min(std::int64_t{kBlock}, last - at);
      const std::int64_t n = std::min(cursor.left(), most);
      block(cursor.chunk(), cursor.at(), static_cast<std::size_t>(n), {at, column},
            out + (at - first));
      cursor.advance(n);
      at += n;
    }
  }
  [[nodiscard]] bool misses() const noexcept { return misses_; }
  [[nodiscard]] const std::optional<Indicators::Place>& refused() const noexcept {
    return refused_;
  }

 private:
  struct Start {
    std::int64_t value;
    std::size_t column;
  };

  void block(const Column& chunk, std::int64_t at, std::size_t n, Start start, std::byte* out) {
    if (chunk.type == DType::kNull) {
      std::fill_n(out, n, std::byte{0});
      for (std::size_t i = 0; i < n; ++i) miss(start, i);
      return;
    }
    const Run run = gather(chunk, at, n, scratch_);
    const bool others = ones_of(run.type)(run.values, n, out);
    if (!others && !any_null(chunk, at, n)) return;
    constexpr std::size_t kFew = 64;
    for (std::size_t from = 0; from < n; from += kFew) {
      const std::size_t to = std::min(n, from + kFew);
      if (!others && !any_null(chunk, at + static_cast<std::int64_t>(from), to - from)) continue;
      for (std::size_t i = from; i < to; ++i) look(chunk, at, i, start, out);
    }
  }
  // At what is not known to be 0 or 1.
  void look(const Column& chunk, std::int64_t at, std::size_t i, Start start,
            std::byte* out) noexcept {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    const bool valid = chunk.valid(row);
    double value = 0.0;
    if (valid) {
      value = is_float(chunk.type) ? float_value(chunk, row)
                                   : static_cast<double>(fixed_bits(chunk, row));
    }
    if (!valid || value != value) {
      out[i] = std::byte{0};
      miss(start, i);
    } else if (value != 0.0 && value != 1.0) {
      refuse(start, i);
    }
  }
  [[nodiscard]] std::int64_t row_of(Start start, std::size_t i) const noexcept {
    return (start.value + static_cast<std::int64_t>(i)) / width_;
  }
  void miss(Start start, std::size_t i) noexcept {
    missing_[row_of(start, i)] = 1;
    misses_ = true;
  }
  void refuse(Start start, std::size_t i) noexcept {
    const std::int64_t row = row_of(start, i);
    const auto column =
        width_ == 1
            ? start.column
            : static_cast<std::size_t>((start.value + static_cast<std::int64_t>(i)) % width_);
    if (!refused_ || row < refused_->row) refused_ = {row, column};
  }

  std::int64_t width_;
  std::uint8_t* missing_;
  bool misses_ = false;
  std::optional<Indicators::Place> refused_;
  Scratch scratch_;
};

void check(Chunks chunks) {
  for (const Column& chunk : chunks) {
    if (is_int(chunk.type) || is_bool(chunk.type) || is_float(chunk.type)) continue;
    if (chunk.type == DType::kNull) continue;
    throw InputError("a column of " + std::string(name_of(chunk.type)) +
                     "; wanted Booleans, or 0 and 1");
  }
}

// A few columns of a block of rows at a time: what lies row by row is read from the caches.
// read(part, first, last) reads all columns of these rows.
template <class Read>
Indicators read_blocks(std::span<const Chunks> columns, std::int64_t width, int threads,
                       const Read& read) {
  Indicators found;
  if (columns.empty()) return found;
  const std::int64_t values = total_length(columns[0]);
  const std::int64_t rows = values / width;
  for (const Chunks chunks : columns) {
    check(chunks);
    if (found.missing.empty() && std::ranges::any_of(chunks, may_miss)) {
      found.missing.resize(static_cast<std::size_t>(rows));
    }
  }
  const auto all = static_cast<std::int64_t>(columns.size());
  const int parts = thread_count(threads, values * all);
  std::vector<Part> of_part;
  of_part.reserve(static_cast<std::size_t>(parts));
  for (int part = 0; part < parts; ++part) of_part.emplace_back(width, found.missing.data());
  const std::int64_t stride = std::max(std::int64_t{kBlock} / width, std::int64_t{1});
  for_each_part(parts, parts, [&](int number) {
    Part& part = of_part[static_cast<std::size_t>(number)];
    const std::int64_t end = rows * (number + 1) / parts;
    for (std::int64_t row = rows * number / parts; row < end; row += stride) {
      read(part, row, std::min(row + stride, end));
    }
  });
  bool misses = false;
  for (const Part& part : of_part) {
    misses = misses || part.misses();
    if (!found.refused) found.refused = part.refused();  // that of the first rows
  }
  if (!misses) found.missing.clear();
  return found;
}

}  // namespace

Indicators read_indicators(std::span<const Chunks> columns, std::int64_t width, int threads,
                           std::byte* out) {
  const std::int64_t values = columns.empty() ? 0 : total_length(columns[0]);
  return read_blocks(columns, width, threads,
                     [&](Part& part, std::int64_t first, std::int64_t last) {
                       for (std::size_t i = 0; i < columns.size(); ++i) {
                         part.read(columns[i], i, first * width, last * width,
                                   out + static_cast<std::int64_t>(i) * values + first * width);
                       }
                     });
}

Indicators read_packed_indicators(std::span<const Chunks> columns, int threads, std::byte* out) {
  const std::int64_t rows = columns.empty() ? 0 : total_length(columns[0]);
  return read_blocks(columns, 1, threads, [&](Part& part, std::int64_t first, std::int64_t last) {
    std::array<std::byte, kBlock> ones;
    const auto n = static_cast<std::size_t>(last - first);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      part.read(columns[i], i, first, last, ones.data());
      std::byte* const to = out + static_cast<std::int64_t>(i / 8) * rows + first;
      if (i % 8 == 0) std::fill_n(to, n, std::byte{0});
      const auto bit = static_cast<std::uint8_t>(1U << i % 8);
      for (std::size_t row = 0; row < n; ++row) {
        to[row] |= std::byte{static_cast<std::uint8_t>(-std::to_integer<int>(ones[row]) & bit)};
      }
    }
  });
}

}  // namespace confmat
