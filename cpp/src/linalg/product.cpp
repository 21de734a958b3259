// Cuts products into tiles that fit the caches, and gives them to the cores.
#include "product.hpp"

#include <algorithm>
#include <vector>

#include "confmat/base/threads.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat::linalg {
namespace {

constexpr std::size_t kDepth = 96;     // a strip of columns stays in the first cache
constexpr std::size_t kColumns = 960;  // all strips in the second; a multiple of every tile
constexpr std::size_t kLines = 96;     // of a part of the work; a multiple of every tile

// Strips of columns, row after row, zeros behind the last.
void pack(Part<const double> b, std::size_t n, std::size_t d, std::size_t width, double* to) {
  for (std::size_t first = 0; first < n; first += width) {
    const std::size_t count = std::min(width, n - first);
    for (std::size_t p = 0; p < d; ++p, to += width) {
      std::copy_n(b.line(p) + first, count, to);
      std::fill(to + count, to + width, 0.0);
    }
  }
}

// A strip of rows, column after column, zeros below the last.
void pack_rows(Part<const double> a, std::size_t m, std::size_t d, std::size_t height, double* to) {
  for (std::size_t i = 0; i < height; ++i) {
    if (i < m) {
      const double* line = a.line(i);
      for (std::size_t p = 0; p < d; ++p) to[p * height + i] = line[p];
    } else {
      for (std::size_t p = 0; p < d; ++p) to[p * height + i] = 0.0;
    }
  }
}

// The tiles of `lines` rows.
void subtract_lines(Part<const double> a, const double* packed, Part<double> c, std::size_t lines,
                    std::size_t n, std::size_t d) {
  const Kernels& loops = kernels();
  const std::size_t height = loops.tile_rows, width = loops.tile_columns;
  double rows[kMostTileRows * kDepth];
  for (std::size_t i = 0; i < lines; i += height) {
    const std::size_t m = std::min(height, lines - i);
    pack_rows(a.from(i, 0), m, d, height, rows);
    for (std::size_t j = 0; j < n; j += width) {
      const double* columns = packed + j * d;
      const std::size_t count = std::min(width, n - j);
      if (m == height && count == width) {
        loops.subtract_tile(rows, columns, d, c.line(i) + j, c.stride);
        continue;
      }
      double tile[kMostTileRows * kMostTileColumns] = {};
      loops.subtract_tile(rows, columns, d, tile, width);
      for (std::size_t r = 0; r < m; ++r) {
        double* line = c.line(i + r) + j;
        for (std::size_t q = 0; q < count; ++q) line[q] += tile[r * width + q];
      }
    }
  }
}

}  // namespace

void subtract_product(Part<const double> a, Part<const double> b, Part<double> c, std::size_t m,
                      std::size_t n, std::size_t d) {
  constexpr std::size_t kWorthThreads = std::size_t{1} << 22;  // multiplications
  thread_local std::vector<double> scratch;
  std::vector<double>& packed = scratch;  // of this thread, in the others too
  packed.resize(std::max(packed.size(), kDepth * kColumns));
  const int threads = m * n * d < kWorthThreads ? 1 : core_count(0);
  const std::size_t width = kernels().tile_columns;
  for (std::size_t p = 0; p < d; p += kDepth) {
    const std::size_t depth = std::min(kDepth, d - p);
    for (std::size_t j = 0; j < n; j += kColumns) {
      const std::size_t columns = std::min(kColumns, n - j);
      pack(b.from(p, j), columns, depth, width, packed.data());
      const auto parts = static_cast<int>((m + kLines - 1) / kLines);
      for_each_part(parts, threads, [&](int part) {
        const std::size_t first = static_cast<std::size_t>(part) * kLines;
        subtract_lines(a.from(first, p), packed.data(), c.from(first, j),
                       std::min(kLines, m - first), columns, depth);
      });
    }
  }
}

}  // namespace confmat::linalg
