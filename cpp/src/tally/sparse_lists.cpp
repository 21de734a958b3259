// Copies places as they are checked.
#include "confmat/tally/sparse_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kAtOnce = std::int64_t{1} << 16;

// Whether all values fit.
template <class To, class From, class Fits>
bool copied(std::span<const From> from, To* to, int threads, const Fits& fits) {
  const std::int64_t n = std::ssize(from);
  const int parts = thread_count(threads, n);
  std::vector<std::uint8_t> fit(static_cast<std::size_t>(parts), 1);
  over_ranges(parts, n, [&](int part, std::int64_t first, std::int64_t last) {
    bool all = true;
    const StopSign sign;
    for (std::int64_t begin = first; begin < last; begin += kAtOnce) {
      sign.obey();
      const std::int64_t end = std::min(begin + kAtOnce, last);
      for (std::int64_t i = begin; i < end; ++i) {
        const From value = from[static_cast<std::size_t>(i)];
        to[i] = static_cast<To>(value);
        all &= fits(value);
      }
    }
    fit[static_cast<std::size_t>(part)] = all ? 1 : 0;
  });
  return std::ranges::all_of(fit, [](std::uint8_t all) { return all != 0; });
}

}  // namespace

SparseLists sparse_lists(const SparsePlaces& starts, const SparsePlaces& places,
                         std::int64_t columns, const char* argument, int threads) {
  const auto refuse = [&](const std::string& what) {
    throw InputError("`" + std::string(argument) + "` is a sparse matrix " + what);
  };
  SparseLists out;
  std::visit(
      [&](const auto& all) {
        if (all.empty()) return;
        const auto of_rows = all.subspan(1);
        out.ends = Pages<std::int64_t>(of_rows.size());
        std::int64_t* const ends = out.ends.data();
        copied(of_rows, ends, threads, [](std::int64_t) { return true; });
      },
      starts);
  const std::span<const std::int64_t> ends = out.ends.span();
  std::visit(
      [&](const auto& all) {
        const std::int64_t n = ends.empty() ? 0 : ends.back();
        const bool ascend = ends.empty() || (ends.front() >= 0 && std::ranges::is_sorted(ends));
        if (!ascend || n != std::ssize(all)) refuse("of rows that do not fit its values");
        out.labels = Pages<std::uint32_t>(all.size());
        if (!copied(all, out.labels.data(), threads,
                    [columns](auto place) { return place >= 0 && place < columns; })) {
          refuse("with values beyond its " + std::to_string(columns) + " columns");
        }
      },
      places);
  return out;
}

}  // namespace confmat
