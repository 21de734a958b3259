// Adding and taking away confusion matrices, cell by cell.
#include "confmat/state/counts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/state/entry_sums.hpp"
#include "counts_form.hpp"
#include "joined_tables.hpp"

namespace confmat {
namespace {

constexpr std::size_t kNone = EntryMerge::kNone;

// A cell of one matrix at its place among the classes of the merge.
struct Placed {
  std::int64_t place;
  std::size_t i;  // which of those held
};

// The cells that are not 0, ascending.
std::vector<Placed> placed(const Counts& of, const std::vector<std::uint32_t>& at, std::size_t k) {
  std::vector<Placed> out;
  const auto own = static_cast<std::int64_t>(of.k());
  const auto side = static_cast<std::int64_t>(k);
  bool ascends = true;
  for (const auto [first, last] : Strides(of.held())) {
    for (std::size_t i = first; i < last; ++i) {
      if (is_zero(of, i)) continue;
      std::int64_t place = of.place(i);
      if (!at.empty()) {
        place = at[static_cast<std::size_t>(place / own)] * side +
                at[static_cast<std::size_t>(place % own)];
      }
      ascends = ascends && (out.empty() || out.back().place < place);
      out.push_back({place, i});
    }
  }
  if (!ascends) std::ranges::sort(out, {}, &Placed::place);
  return out;
}

// Calls visit(place, i, j) for the cells that either holds, in order; kNone: it is 0 there.
template <class Visit>
void each_of_both(const std::vector<Placed>& one, const std::vector<Placed>& other,
                  const Visit& visit) {
  const StopSign sign;
  for (std::size_t a = 0, b = 0, n = 0; a < one.size() || b < other.size(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    const bool left = b == other.size() || (a < one.size() && one[a].place <= other[b].place);
    const bool right = a == one.size() || (b < other.size() && other[b].place <= one[a].place);
    const std::int64_t place = left ? one[a].place : other[b].place;
    visit(place, left ? one[a].i : kNone, right ? other[b].i : kNone);
    a += left ? 1 : 0;
    b += right ? 1 : 0;
  }
}

// What the cells hold.
EntrySums sums_of(const Counts& of) {
  return {of.has_floats, of.has_squares, of.cells, of.weights, of.squares};
}

[[noreturn]] void refuse_negative(const Counts& out, std::int64_t place, const std::string& in_one,
                                  const std::string& in_other) {
  const auto k = static_cast<std::int64_t>(out.k());
  const Labels& labels = out.labels->labels;
  throw InputError("cannot subtract: true " +
                   quoted_label(labels, static_cast<std::size_t>(place / k)) + ", predicted " +
                   quoted_label(labels, static_cast<std::size_t>(place % k)) + " has " + in_one +
                   " in the first and " + in_other + " in the second");
}

// Where few cells are left and it need not stay a table, these alone are held.
void put_table(std::vector<std::int64_t>&& table, bool stays, Counts& out) {
  const auto zeros = static_cast<std::size_t>(std::ranges::count(table, 0));
  out.is_sparse = !stays && !is_table(out.k(), table.size() - zeros);
  if (!out.is_sparse) {
    out.cells = std::move(table);
    return;
  }
  std::vector<std::int64_t> places, cells;
  places.reserve(table.size() - zeros);
  cells.reserve(table.size() - zeros);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] == 0) continue;
    places.push_back(static_cast<std::int64_t>(i));
    cells.push_back(table[i]);
  }
  out.places = std::move(places);
  out.cells = std::move(cells);
}

Counts merged(const Counts& one, const Counts& other, const MergedLabels& labels,
              EntryMerge::Operation operation) {
  Counts out;
  out.labels = labels.labels;
  const std::size_t k = out.k();
  const bool aligned = labels.of_one.empty() && labels.of_other.empty() && one.k() == k &&
                       other.k() == k && !one.is_sparse && !other.is_sparse;
  if (auto table = joined_tables(one, other, labels, operation)) {
    put_table(std::move(*table), aligned, out);
    return out;
  }
  const auto [left, right] = in_one_form(sums_of(one), sums_of(other));
  EntryMerge cells(left, right, operation);
  const auto add = [&, &left = left, &right = right](std::int64_t place, std::size_t i,
                                                     std::size_t j) {
    if (cells.next(i, j)) return;
    const auto in = [&](const EntrySums& sums, std::size_t at) {
      if (at == kNone) return std::string("0");
      return sums.has_floats ? shown_number(sums.weights.leads[at])
                             : std::to_string(sums.counts[at]);
    };
    refuse_negative(out, place, in(left, i), in(right, j));
  };
  std::vector<std::int64_t> places;
  if (aligned) {
    cells.reserve(one.held());
    for (const auto [first, last] : Strides(one.held())) {
      for (std::size_t i = first; i < last; ++i) add(static_cast<std::int64_t>(i), i, i);
    }
  } else {
    each_of_both(placed(one, labels.of_one, k), placed(other, labels.of_other, k),
                 [&](std::int64_t place, std::size_t i, std::size_t j) {
                   add(place, i, j);
                   if (cells.is_last_zero()) return cells.drop_last();
                   places.push_back(place);
                 });
  }
  cells.check_total();
  out.is_sparse = !aligned && !is_table(k, places.size());
  if (!aligned && !out.is_sparse) cells.spread(places, k * k);
  EntrySums sums = cells.take();
  out.has_floats = sums.has_floats;
  out.has_squares = sums.has_squares;
  out.cells = std::move(sums.counts);
  out.weights = std::move(sums.weights);
  out.squares = std::move(sums.squares);
  if (out.is_sparse) out.places = std::move(places);
  return out;
}

}  // namespace

bool is_table(std::size_t k, std::size_t filled, std::size_t most_bytes) noexcept {
  if (k > 0 && k > most_bytes / sizeof(std::int64_t) / k) return false;
  return k <= kAlwaysTable || filled > k * k / kTableShare;
}

Counts added(const Counts& one, const Counts& other) {
  Counts out =
      merged(one, other, merge_labels(one.labels, other.labels), EntryMerge::Operation::kAdd);
  out.rows = added(one.rows, other.rows);
  return out;
}

Counts taken_away(const Counts& one, const Counts& other) {
  Counts out = merged(one, other, remaining_labels(one.labels, other.labels),
                      EntryMerge::Operation::kSubtract);
  out.rows = taken_away(one.rows, other.rows);
  return out;
}

}  // namespace confmat
