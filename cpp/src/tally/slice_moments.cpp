// Counts the rows of each slice, moves their numbers behind one another, and sums these.
#include "confmat/tally/slice_moments.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "confmat/base/interrupt.hpp"
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

// Rows of a slice that one thread sums without a look at whether that is still wanted.
constexpr std::int64_t kMostRows = std::int64_t{1} << 20;

struct Piece {
  std::size_t slice;
  std::int64_t begin, n;
  bool is_whole;
};

std::vector<Piece> pieces_of(const Places& begins) {
  std::vector<Piece> pieces;
  for (std::size_t slice = 0; slice + 1 < begins.size(); ++slice) {
    const std::int64_t end = begins[slice + 1];
    const bool is_whole = end - begins[slice] <= kMostRows;
    std::int64_t at = begins[slice];
    do {
      const std::int64_t n = std::min(end - at, kMostRows);
      pieces.push_back({slice, at, n, is_whole});
      at += n;
    } while (at < end);
  }
  return pieces;
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

std::optional<BinaryViews> slice_moments(std::span<const std::uint32_t> slices,
                                         std::size_t n_slices, Chunks y_true, Chunks y_pred,
                                         const MomentOptions& options) {
  require_numbers(y_true, "y_true");
  require_numbers(y_pred, "y_pred");
  const auto rows = static_cast<std::int64_t>(slices.size());
  const int threads = thread_count(options.threads, rows);
  std::vector<Places> places(static_cast<std::size_t>(threads), Places(n_slices));
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    Places& counts = places[static_cast<std::size_t>(part)];
    const auto of_part =
        slices.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    for (const auto [from, to] : Strides(of_part.size())) {
      for (std::size_t i = from; i < to; ++i) ++counts[of_part[i]];
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
    const StopSign sign;
    for (std::int64_t row = first; row < last && has_all;) {
      sign.obey();
      const std::int64_t n =
          std::min({last - row, static_cast<std::int64_t>(kExactTerms), of_y.left(), of_p.left()});
      const auto size = static_cast<std::size_t>(n);
      const double* const y = y_reader.read(of_y.chunk(), of_y.at(), size, row);
      const double* const p = p_reader.read(of_p.chunk(), of_p.at(), size, row);
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

  const std::vector<Piece> pieces = pieces_of(begins);
  std::vector<Moments> sums(pieces.size());
  BinaryViews out(n_slices);
  for_each_task(static_cast<std::int64_t>(pieces.size()), threads, [&] {
    return [&, groups = GroupMoments(options, false)](std::int64_t at) mutable {
      const Piece& piece = pieces[static_cast<std::size_t>(at)];
      const Pair* const of = pairs.data() + piece.begin;
      groups.add(column_of(&of->truth, piece.n), column_of(&of->prediction, piece.n), nullptr, 0);
      Moments found = groups.take();
      if (piece.is_whole) {
        out.put(piece.slice, encode(found));
      } else {
        sums[static_cast<std::size_t>(at)] = std::move(found);
      }
    };
  });
  for (std::size_t at = 0; at < pieces.size();) {
    const std::size_t slice = pieces[at].slice;
    const bool is_whole = pieces[at].is_whole;
    Moments sum = std::move(sums[at]);
    for (++at; at < pieces.size() && pieces[at].slice == slice; ++at) sum = added(sum, sums[at]);
    if (!is_whole) out.put(slice, encode(sum));
  }
  return out;
}

}  // namespace confmat
