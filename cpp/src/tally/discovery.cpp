// Widens the classes as labels are met.
#include "confmat/tally/discovery.hpp"

#include <algorithm>
#include <cmath>

namespace confmat {
namespace {

// Codes of 8 bits hold 14 classes, classes of 8 bits 254; wider windows pay only for many rows.
constexpr std::int64_t kSmallWindow = 14;
constexpr std::int64_t kByteWindow = 254;
constexpr std::int64_t kWideWindow = 4094;
// Up to so many bytes, a table is worth more bytes a row.
constexpr double kSmallTable = 1U << 19U;
// Fewer rows than these do not pay for cells that labels of later rows might need.
constexpr std::int64_t kRowsWorthRoom = std::int64_t{1} << 22U;

}  // namespace

std::int64_t most_classes(std::int64_t max_bytes, std::int64_t cell_bytes) noexcept {
  const std::int64_t cells = std::max<std::int64_t>(max_bytes, 0) / cell_bytes;
  auto most = static_cast<std::int64_t>(std::sqrt(static_cast<double>(cells)));
  while (most > 0 && most > cells / most) --most;
  return std::min(most, kMostClasses);
}

std::int64_t most_dense_classes(std::int64_t max_bytes, std::int64_t cell_bytes,
                                std::int64_t rows) noexcept {
  const auto n = static_cast<double>(rows);
  const double bytes = std::max(8.0 * n, std::min(64.0 * n, kSmallTable));
  const auto side = static_cast<std::int64_t>(std::sqrt(bytes / static_cast<double>(cell_bytes)));
  return std::min(most_classes(max_bytes, cell_bytes), side);
}

Discovery::Discovery(Labels::Kind kind, std::int64_t rows, std::int64_t most,
                     std::int64_t most_in_window)
    : rows_(rows), most_(most), most_in_window_(std::min(most_in_window, kWideWindow)) {
  set_.grows = true;
  switch (kind) {
    case Labels::Kind::kBool:
      set_.classes = set_.span = 2;
      break;
    case Labels::Kind::kInt:
      break;
    case Labels::Kind::kText:
      set_.form = ClassSet::Form::kTexts;
      set_.classes = static_cast<std::uint32_t>(std::min(kSmallWindow, most));
      break;
  }
}

// A window of at least `least` and at most `most` values around `width` values from seen_.low on.
bool Discovery::fit_window(std::uint64_t width, std::int64_t least, std::int64_t most) {
  if (width > static_cast<std::uint64_t>(std::min(most, most_))) return false;
  const auto span = std::max(static_cast<std::int64_t>(width), std::min(least, most_));
  // Labels are mostly counted from 0; elsewhere there is room on both sides.
  std::int64_t base = 0;
  if (seen_.low < 0 || seen_.high >= span) {
    const std::int64_t below = (span - static_cast<std::int64_t>(width)) / 2;
    base = seen_.low < INT64_MIN + below ? INT64_MIN : seen_.low - below;
    base = std::min(base, INT64_MAX - span + 1);
  }
  set_.base = base;
  set_.classes = set_.span = static_cast<std::uint32_t>(span);
  return true;
}

void Discovery::cover(const Extremes& seen) {
  const bool first = set_.classes == 0;
  const Extremes before = seen_;
  seen_.low = std::min(seen_.low, seen.low);
  seen_.high = std::max(seen_.high, seen.high);
  if (seen_.low > seen_.high) {  // only nulls so far
    set_.classes = set_.span = static_cast<std::uint32_t>(std::min<std::int64_t>(2, most_));
    return;
  }
  const bool stuck = !first && before.low == seen_.low && before.high == seen_.high;
  const std::uint64_t width =
      static_cast<std::uint64_t>(seen_.high) - static_cast<std::uint64_t>(seen_.low) + 1;
  if (stuck || width == 0) return become_table();
  // The first guess is as small as possible: the fewer classes, the faster the count.
  if (fit_window(width, first ? 2 : kSmallWindow, kSmallWindow)) return;
  // Some room for labels that the first rows do not have.
  const std::int64_t roomy =
      static_cast<std::int64_t>(std::min<std::uint64_t>(width, kWideWindow)) * 17 / 16;
  const std::int64_t bytes =
      first && rows_ < kRowsWorthRoom ? std::min(roomy + 2, kByteWindow) : kByteWindow;
  if (fit_window(width, bytes, kByteWindow)) return;
  // A wide table pays when it has no more cells than there are rows.
  const double side = std::sqrt(static_cast<double>(rows_));
  const std::int64_t widest = std::clamp<std::int64_t>(std::llround(side) - 3, 0, most_in_window_);
  if (fit_window(width, first ? std::min(roomy, widest) : widest, widest)) return;
  become_table();
}

void Discovery::become_table() {
  set_.form = ClassSet::Form::kInts;
  set_.classes = static_cast<std::uint32_t>(std::min(kByteWindow, most_));
}

bool Discovery::enlarge(std::int64_t values) noexcept {
  const std::int64_t now = set_.classes;
  if (now >= most_) return false;
  // Of K labels that are equally frequent, v values have about v - v^2 / 2 K: rather than table
  // after table, the end of which is in sight, none.
  const double repeated = 1.0 - static_cast<double>(now) / static_cast<double>(values);
  const double in_sight = static_cast<double>(values) / (2.0 * repeated + 1e-9);
  if (now >= kByteWindow && repeated < 0.2 && in_sight > 1.5 * static_cast<double>(most_)) {
    return false;
  }
  const std::int64_t wanted = now < kByteWindow ? now * 4 + 6 : now * 2 + 2;
  set_.classes = static_cast<std::uint32_t>(std::min(wanted, most_));
  return true;
}

}  // namespace confmat
