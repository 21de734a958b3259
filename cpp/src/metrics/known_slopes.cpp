// Sums of a formula with their slopes: one more variable each, and known again where another
// formula is made of the same ones.
#include <algorithm>
#include <utility>

#include "confmat/metrics/gradient_view.hpp"
#include "nan.hpp"

namespace confmat::metrics {

Slope GradientView::summed(Slope total, TableSlopes slopes) const {
  if (sums.size() == kMostSums) return Slope(kNan);
  total.slopes[kAxisSum + sums.size()] = 1.0;
  sums.push_back(std::make_shared<const TableSlopes>(std::move(slopes)));
  return total;
}

KnownSlopes GradientView::since(std::size_t first, const Slope& value) const {
  KnownSlopes out{value, {sums.begin() + static_cast<std::ptrdiff_t>(first), sums.end()}};
  auto* by = out.value.slopes.data() + kAxisSum;
  std::rotate(by, by + first, by + kMostSums);
  return out;
}

Slope GradientView::again(const KnownSlopes& known) const {
  const std::size_t first = sums.size();
  if (first + known.sums.size() > kMostSums) return Slope(kNan);
  sums.insert(sums.end(), known.sums.begin(), known.sums.end());
  Slope out = known.value;
  auto* by = out.slopes.data() + kAxisSum;
  std::rotate(by, by + (kMostSums - first), by + kMostSums);
  return out;
}

const KnownSlopes* Margins::known_slopes(const void* place) const {
  for (const auto& [known, slopes] : known_slopes_) {
    if (known == place) return slopes.get();
  }
  return nullptr;
}

void Margins::keep_slopes(const void* place, KnownSlopes slopes) {
  constexpr std::int64_t kMostKept = 2048;  // classes: 32 MB for each sum over all cells
  if (k > kMostKept) return;
  known_slopes_.emplace_back(place, std::make_shared<const KnownSlopes>(std::move(slopes)));
}

}  // namespace confmat::metrics
