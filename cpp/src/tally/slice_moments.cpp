// Counts the rows of each slice, moves their numbers behind one another, and sums these.
#include "confmat/tally/slice_moments.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "exact_terms.hpp"
#include "number_reader.hpp"

namespace confmat {
namespace {

using Places = std::vector<std::int64_t>;  // of slices

// From how many rows each thread has of a slice to where its first one goes; returns where slices
// begin, and where the last one ends.
Places lay_out(std::vector<Places>& of_threads, std::size_t n_slices) {
  Places begins;
  std::int64_t at = 0;
  for (std::size_t slice = 0; slice < n_slices; ++slice) {
    begins.push_back(at);
    for (Places& places : of_threads) at += std::exchange(places[slice], at);
  }
  begins.push_back(at);
  return begins;
}

// Side by side: rows are moved to fewer places.
struct Pair {
  double truth, prediction;
};

Column column_of(const double* values, std::int64_t n) {
  Column out;
  out.type = DType::kFloat64;
  out.length = n;
  out.data = reinterpret_cast<const std::byte*>(values);
  out.stride = sizeof(Pair);
  return out;
}

}  // namespace

std::optional<std::vector<std::vector<std::uint8_t>>> slice_moments(
    std::span<const std::uint32_t> slices, std::size_t n_slices, Chunks y_true, Chunks y_pred,
    const MomentOptions& options) {
  require_numbers(y_true, "y_true");
  require_numbers(y_pred, "y_pred");
  const auto rows = static_cast<std::int64_t>(slices.size());
  const int threads = thread_count(options.threads, rows);
  std::vector<Places> places(static_cast<std::size_t>(threads), Places(n_slices));
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    Places& counts = places[static_cast<std::size_t>(part)];
    for (std::int64_t row = first; row < last; ++row) {
      ++counts[slices[static_cast<std::size_t>(row)]];
    }
  });
  const Places begins = lay_out(places, n_slices);

  Pages<Pair> pairs(slices.size());
  std::atomic<bool> has_all = true;
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    Places& next = places[static_cast<std::size_t>(part)];
    Cursor of_y(y_true, first), of_p(y_pred, first);
    Block y_room, p_room;
    NumberReader y_reader("y_true", y_room.data()), p_reader("y_pred", p_room.data());
    for (std::int64_t row = first; row < last && has_all;) {
      const std::int64_t n =
          std::min({last - row, static_cast<std::int64_t>(kExactTerms), of_y.left(), of_p.left()});
      const auto size = static_cast<std::size_t>(n);
      const double* const y = y_reader.read(of_y.chunk(), of_y.at(), size);
      const double* const p = p_reader.read(of_p.chunk(), of_p.at(), size);
      if (!y_reader.has_all() || !p_reader.has_all()) has_all = false;
      for (std::size_t i = 0; i < size; ++i) {
        std::int64_t& to = next[slices[static_cast<std::size_t>(row) + i]];
        pairs[static_cast<std::size_t>(to++)] = {y[i], p[i]};
      }
      of_y.advance(n);
      of_p.advance(n);
      row += n;
    }
  });
  if (!has_all) return std::nullopt;

  std::vector<std::vector<std::uint8_t>> out(n_slices);
  for_each_task(static_cast<std::int64_t>(n_slices), threads, [&] {
    return [&, groups = GroupMoments(options, false)](std::int64_t slice) mutable {
      const auto i = static_cast<std::size_t>(slice);
      const std::int64_t begin = begins[i], n = begins[i + 1] - begin;
      const Pair* const of = pairs.data() + begin;
      groups.add(column_of(&of->truth, n), column_of(&of->prediction, n), nullptr, 0);
      out[i] = encode(groups.take());
    };
  });
  return out;
}

}  // namespace confmat
