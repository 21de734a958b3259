// Elimination of panels, with what is right of them updated by products.
#include "eliminate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "product.hpp"
#include "triangles.hpp"

namespace confmat::linalg {
namespace {

constexpr std::size_t kWidth = 64;  // columns of a panel
constexpr std::size_t kFew = 8;     // columns that are eliminated one by one

// Columns `first` to `last` of a panel of `lines` rows, whose rows above `first` are done.
class Panel {
 public:
  Panel(Part<double> of, std::size_t lines, std::size_t width)
      : panel_(of), lines_(lines), width_(width) {}

  bool eliminate(std::size_t first, std::size_t last, std::size_t* pivots) {
    const std::size_t count = last - first;
    if (count <= kFew) return eliminate_few(first, last, pivots);
    const std::size_t middle = first + std::max(kFew, count / 2 / kFew * kFew);
    if (!eliminate(first, middle, pivots)) return false;
    solve_lower(panel_.from(first, first), middle - first, panel_.from(first, middle),
                last - middle);
    subtract_product(panel_.from(middle, first), panel_.from(first, middle),
                     panel_.from(middle, middle), lines_ - middle, last - middle, middle - first);
    return eliminate(middle, last, pivots);
  }

 private:
  bool eliminate_few(std::size_t first, std::size_t last, std::size_t* pivots) {
    for (std::size_t p = first; p < last; ++p) {
      std::size_t best = p;
      double size = std::fabs(panel_.line(p)[p]);
      for (std::size_t i = p + 1; i < lines_; ++i) {
        const double here = std::fabs(panel_.line(i)[p]);
        if (here > size) {
          size = here;
          best = i;
        }
      }
      pivots[p] = best;
      if (!(size > 0.0)) return false;
      double* pivot = panel_.line(p);
      if (best != p) std::swap_ranges(pivot, pivot + width_, panel_.line(best));
      for (std::size_t i = p + 1; i < lines_; ++i) {
        double* line = panel_.line(i);
        const double factor = line[p] / pivot[p];
        line[p] = factor;
        for (std::size_t j = p + 1; j < last; ++j) line[j] -= factor * pivot[j];
      }
    }
    return true;
  }

  Part<double> panel_;
  std::size_t lines_, width_;
};

}  // namespace

bool eliminate_blocked(double* a, std::int64_t k, std::int64_t* from, double& sign) {
  const auto size = static_cast<std::size_t>(k);
  const Part<double> all{a, size};
  thread_local std::vector<double> scratch;
  scratch.resize(size * kWidth);
  sign = 1.0;
  std::size_t pivots[kWidth];
  for (std::size_t p = 0; p < size; p += kWidth) {
    const std::size_t width = std::min(kWidth, size - p), lines = size - p;
    // Near one another, so that a column takes few pages.
    const Part<double> panel{scratch.data(), width};
    for (std::size_t i = 0; i < lines; ++i) std::copy_n(all.line(p + i) + p, width, panel.line(i));
    if (!Panel(panel, lines, width).eliminate(0, width, pivots)) return false;
    for (std::size_t i = 0; i < lines; ++i) std::copy_n(panel.line(i), width, all.line(p + i) + p);
    const std::size_t next = p + width;
    for (std::size_t i = 0; i < width; ++i) {
      if (pivots[i] == i) continue;
      double *one = all.line(p + i), *two = all.line(p + pivots[i]);
      std::swap_ranges(one, one + p, two);
      std::swap_ranges(one + next, one + size, two + next);
      std::swap(from[p + i], from[p + pivots[i]]);
      sign = -sign;
    }
    solve_lower(all.from(p, p), width, all.from(p, next), size - next);
    subtract_product(all.from(next, p), all.from(p, next), all.from(next, next), size - next,
                     size - next, width);
  }
  return true;
}

}  // namespace confmat::linalg
