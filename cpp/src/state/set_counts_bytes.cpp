// What is counted of sets of labels as saved states. The payload:
//   8, 8        number of distinct sizes, and of sets
//   1, 1, 1, 1  bytes of a cell, of an entry of sizes and of one of sets; of the size of a set
//               where sets are lists, else 0
//   4           zeros
//   ...         the cells: unsigned integers as narrow as the largest allows; float weights:
//               doubles
//   ...         the sizes, by threes, as narrow as the number of labels allows; their entries
//   ...         the sets, one after the other, in bits, or as lists: their sizes, and their labels
//               as narrow as the number of labels allows; their entries, by threes
//   ...         squared weights, if any: doubles, of the cells, of the sizes
//   ...         the further parts of exact sums: of float weights of cells, sizes, sets; of squares
// What follows from the rest is checked as far as whole numbers allow: totals.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/set_counts.hpp"
#include "payload.hpp"
#include "saved_label_sets.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfSets{StateKind::kSets};

unsigned width_of(const EntrySums& sums) {
  if (sums.has_floats) return sizeof(double);
  std::uint64_t bits = 0;
  for (const std::int64_t count : sums.counts.view()) bits |= static_cast<std::uint64_t>(count);
  return narrowest(bits);
}

void put_entries(ByteWriter& out, const EntrySums& sums, unsigned width) {
  if (sums.has_floats) {
    put_leads(out, sums.weights);
  } else {
    put_numbers(out, sums.counts.view(), width);
  }
}

// Reads the entries of a part, and later what rounding left of them.
class Reader {
 public:
  Reader(ByteReader& reader, std::uint8_t content)
      : reader_(reader),
        floats_((content & kFloatCells) != 0),
        squares_((content & kSquareCells) != 0) {}

  struct Part {
    unsigned width = 0;
    std::vector<std::int64_t> counts = {};
    std::vector<double> weights = {}, squares = {};
    std::vector<Tail> tails = {}, square_tails = {};
  };
  void entries(Part& part, std::size_t n) {
    if (floats_) {
      if (part.width != sizeof(double)) refuse_sets("the width of its entries");
      part.weights = take_array<double>(reader_, n);
    } else {
      if (!is_width(part.width)) refuse_sets("the width of its entries");
      part.counts = take_numbers<std::int64_t>(reader_, n, part.width);
    }
  }
  void squares(Part& part, std::size_t n) {
    if (squares_) part.squares = take_array<double>(reader_, n);
  }
  void tails(Part& part) {
    if (floats_) part.tails = take_tails(reader_);
  }
  void square_tails(Part& part) {
    if (squares_) part.square_tails = take_tails(reader_);
  }
  // Of a part that is read. `with_squares`: it has them where the state has.
  [[nodiscard]] EntrySums sums(Part&& part, bool with_squares) const {
    EntrySums out;
    out.has_floats = floats_;
    out.has_squares = squares_ && with_squares;
    std::int64_t least = 0;
    for (const std::int64_t count : part.counts) least = std::min(least, count);
    if (least < 0) refuse_sets("an entry beyond 64-bit integers");
    out.counts = std::move(part.counts);
    out.weights = {std::move(part.weights), std::move(part.tails)};
    out.squares = {std::move(part.squares), std::move(part.square_tails)};
    if (!floats_ && width_of(out) != part.width) refuse_sets("the width of its entries");
    if (floats_) check_sums(out.weights, false, "an entry");
    if (out.has_squares) {
      check_sums(out.squares, true, "a sum of squared weights");
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (out.is_zero(i) && out.squares.leads[i] != 0)
          refuse_sets("squared weights without weights");
      }
    }
    return out;
  }

 private:
  ByteReader& reader_;
  bool floats_;
  bool squares_;
};

void check_sizes(const SetCounts& counts) {
  const std::uint64_t n_labels = counts.labels->size();
  const auto sizes = counts.sizes.view();
  for (std::size_t i = 0; i < sizes.size(); i += 3) {
    const std::uint64_t shared = sizes[i], truth = sizes[i + 1], prediction = sizes[i + 2];
    if (shared > std::min(truth, prediction) || truth + prediction - shared > n_labels) {
      refuse_sets("sizes of sets");
    }
    const auto here = sizes.subspan(i, 3);
    if (i > 0 && !std::ranges::lexicographical_compare(sizes.subspan(i - 3, 3), here)) {
      refuse_sets("the order of the sizes");
    }
    if (counts.of_sizes.is_zero(i / 3)) refuse_sets("sizes that no row has");
  }
}

template <class Set>
void check_order(const SetCounts& counts) {
  const auto set = [&](std::size_t i) { return counts.sets.template set<Set>(i); };
  const EntrySums& of = counts.of_sets;
  for (const auto [first, last] : Strides(counts.sets.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (i > 0 && order_of_sets(set(i - 1), set(i)) >= 0) refuse_sets("the order of the sets");
      const double truth = of.value(3 * i), prediction = of.value(3 * i + 1);
      if (truth == 0 && prediction == 0) refuse_sets("a set that no row has");
      if (of.value(3 * i + 2) > std::min(truth, prediction))
        refuse_sets("rows where both sets are one");
    }
  }
}

void check_sets(const SetCounts& counts) {
  if (counts.sets.listed()) {
    check_order<SetMembers>(counts);
  } else {
    check_order<SetBits>(counts);
  }
}

// Every part counts the same rows.
void check_totals(const SetCounts& counts) {
  const EntrySums total = total_of(counts.of_sizes);
  if (!std::isfinite(total.value(0))) refuse_sets("a total beyond the range of floats");
  if (counts.cells.has_floats) return;
  UInt128 exact = 0;
  for (const std::int64_t count : counts.of_sizes.counts.view()) {
    exact += static_cast<std::uint64_t>(count);
  }
  const auto is_total = [&](std::span<const std::int64_t> of, std::size_t first, std::size_t step,
                            std::size_t n) {
    UInt128 sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<std::uint64_t>(of[first + i * step]);
    return sum == exact;
  };
  bool same = exact <= UInt128{INT64_MAX};
  const auto cells = counts.cells.counts.view();
  for (std::size_t at = 0; at < cells.size(); at += 4) same = same && is_total(cells, at, 1, 4);
  const auto sets = counts.of_sets.counts.view();
  for (const std::size_t side : {0U, 1U}) {
    same = same && is_total(sets, side, 3, sets.size() / 3);
  }
  if (!same) refuse_sets("parts that count different rows");
  if (!counts.has_weights() && UInt128{static_cast<std::uint64_t>(counts.rows.counted)} != exact) {
    throw StateError("the rows counted are not the total of the sizes");
  }
}

}  // namespace

std::vector<std::uint8_t> encode(const SetCounts& counts) {
  const auto content = static_cast<std::uint8_t>((counts.cells.has_floats ? kFloatCells : 0U) |
                                                 (counts.cells.has_squares ? kSquareCells : 0U));
  StateWriter writer(StateKind::kSets, {&content, 1}, *counts.labels, counts.rows);
  ByteWriter& out = writer.payload();
  const unsigned widths[] = {width_of(counts.cells), width_of(counts.of_sizes),
                             width_of(counts.of_sets)};
  out.put(static_cast<std::uint64_t>(counts.of_sizes.size()));
  out.put(static_cast<std::uint64_t>(counts.of_sets.size() / 3));
  const SavedSets sets(counts.sets, counts.labels->size());
  for (const unsigned width : widths) out.put(static_cast<std::uint8_t>(width));
  out.put(sets.form());
  for (int i = 0; i < 4; ++i) out.put(std::uint8_t{0});
  put_entries(out, counts.cells, widths[0]);
  put_numbers(out, counts.sizes.view(), narrowest(counts.labels->size()));
  put_entries(out, counts.of_sizes, widths[1]);
  sets.put(out);
  put_entries(out, counts.of_sets, widths[2]);
  if (counts.cells.has_squares) {
    put_leads(out, counts.cells.squares);
    put_leads(out, counts.of_sizes.squares);
  }
  if (counts.cells.has_floats) {
    for (const EntrySums* const part : {&counts.cells, &counts.of_sizes, &counts.of_sets}) {
      put_tails(out, part->weights);
    }
  }
  if (counts.cells.has_squares) {
    for (const EntrySums* const part : {&counts.cells, &counts.of_sizes}) {
      put_tails(out, part->squares);
    }
  }
  return writer.seal();
}

SetCounts decode_set_counts(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfSets);
  if (state.compatible.size() != 1 || (state.compatible[0] & ~(kFloatCells | kSquareCells)) != 0) {
    throw StateError("unknown content of a matrix of label sets");
  }
  SetCounts out;
  out.labels = std::make_shared<const LabelSet>(state.labels);
  out.rows = state.rows;
  ByteReader bytes_left(state.payload);
  const auto n_sizes = bytes_left.get<std::uint64_t>();
  const auto n_sets = bytes_left.get<std::uint64_t>();
  Reader reader(bytes_left, state.compatible[0]);
  Reader::Part cells, sizes, sets;
  for (Reader::Part* const part : {&cells, &sizes, &sets}) {
    part->width = bytes_left.get<std::uint8_t>();
  }
  const auto form_of_sets = bytes_left.get<std::uint8_t>();
  for (int i = 0; i < 4; ++i) {
    if (bytes_left.get<std::uint8_t>() != 0) refuse_sets("zeros");
  }
  // Each entry takes a byte or more, so that these fit what follows, and products of them do not
  // overflow.
  require_left(bytes_left, n_sizes, 1);
  require_left(bytes_left, n_sets, 1);
  const std::size_t n_labels = out.labels->size();
  const std::size_t n_cells = 4 * n_labels;
  reader.entries(cells, n_cells);
  out.sizes = take_numbers<std::uint32_t>(bytes_left, 3 * n_sizes, narrowest(n_labels));
  reader.entries(sizes, n_sizes);
  out.sets = take_label_sets(bytes_left, n_sets, n_labels, form_of_sets);
  reader.entries(sets, 3 * n_sets);
  reader.squares(cells, n_cells);
  reader.squares(sizes, n_sizes);
  for (Reader::Part* const part : {&cells, &sizes, &sets}) reader.tails(*part);
  for (Reader::Part* const part : {&cells, &sizes}) reader.square_tails(*part);
  if (bytes_left.left() != 0) throw StateError("bytes are left after the last entry");
  out.cells = reader.sums(std::move(cells), true);
  out.of_sizes = reader.sums(std::move(sizes), true);
  out.of_sets = reader.sums(std::move(sets), false);
  check_sizes(out);
  check_sets(out);
  out.sets = out.sets.compact(n_labels);
  check_totals(out);
  return out;
}

}  // namespace confmat
