// Confusion matrices as saved states. The payload:
//   1, 1, 1, 5  form (0: all cells by rows, 1: those that are not 0), bytes of a cell and, sparse,
//               of a place; zeros
//   8           number of cells
//   ...         sparse: their places, ascending
//   ...         the cells: unsigned integers as narrow as the largest allows; float weights:
//   doubles
//   ...         squared weights, if any: doubles
//   ...         float weights: the further parts of their exact sums: 8 for how many, then for each
//               8 for the number of the cell and 8 for a double; the same of squared weights
// The form follows from the content alone: the smaller one, all cells where both are alike.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/wide.hpp"
#include "counts_form.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfCounts{StateKind::kCounts};

template <class T>
std::vector<T> picked(std::span<const T> values, const std::vector<std::size_t>& which) {
  std::vector<T> out;
  out.reserve(which.size());
  for (const std::size_t i : which) out.push_back(values[i]);
  return out;
}

template <class T>
std::vector<T> spread(std::span<const T> values, const Counts& of) {
  std::vector<T> out(of.k() * of.k());
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[static_cast<std::size_t>(of.places[i])] = values[i];
  }
  return out;
}

// What is held of `of`, in the form that is saved.
Counts in_form(const Counts& of, const CountsForm& form) {
  Counts out = of;
  if (form.is_sparse == of.is_sparse) return out;
  out.is_sparse = form.is_sparse;
  const auto sums = [&](const ExactSums& from, const auto& change, const auto& place) {
    std::vector<Tail> tails(from.tails.view().begin(), from.tails.view().end());
    for (Tail& tail : tails) tail.at = place(tail.at);
    return ExactSums{change(from.leads.view()), std::move(tails)};
  };
  const auto each = [&](const auto& change, const auto& place) {
    if (of.has_floats) {
      out.weights = sums(of.weights, change, place);
    } else {
      out.cells = change(of.cells.view());
    }
    if (of.has_squares) out.squares = sums(of.squares, change, place);
  };
  if (!form.is_sparse) {
    each([&](auto values) { return spread(values, of); },
         [&](std::uint64_t at) { return static_cast<std::uint64_t>(of.places[at]); });
    out.places = {};
    return out;
  }
  std::vector<std::size_t> which;
  for (const auto [first, last] : Strides(of.held())) {
    for (std::size_t i = first; i < last; ++i) {
      if (!is_zero(of, i)) which.push_back(i);
    }
  }
  each([&](auto values) { return picked(values, which); },
       [&](std::uint64_t at) {
         return static_cast<std::uint64_t>(std::ranges::lower_bound(which, at) - which.begin());
       });
  out.places = std::vector<std::int64_t>(which.begin(), which.end());
  return out;
}

[[noreturn]] void refuse_form() {
  throw StateError("not written as this format writes it: the form of the cells");
}

void check_places(std::span<const std::int64_t> places, std::size_t k) {
  const bool ascend = std::ranges::adjacent_find(places, std::greater_equal<>()) == places.end();
  const bool within =
      places.empty() || (places.front() >= 0 && static_cast<std::uint64_t>(places.back()) < k * k);
  if (!ascend || !within) throw StateError("the places of the cells are not those of a matrix");
}

void check_content(const Counts& counts) {
  std::int64_t total = 0;
  for (const std::int64_t cell : counts.cells.view()) {
    if (cell < 0 || __builtin_add_overflow(total, cell, &total)) {
      throw StateError("a cell, or the total, is beyond 64-bit integers");
    }
  }
  if (counts.has_floats) {
    check_sums(counts.weights, false, "a cell");
    double sum = 0;
    for (const double weight : counts.weights.leads.view()) sum += weight;
    if (!std::isfinite(sum)) throw StateError("the total is beyond the range of floats");
  }
  if (counts.has_squares) {
    check_sums(counts.squares, true, "a sum of squared weights");
    for (std::size_t i = 0; i < counts.held(); ++i) {
      if (is_zero(counts, i) && counts.squares.leads[i] != 0) {
        throw StateError("a cell without weight has squared weights");
      }
    }
  }
  const bool are_rows = !counts.has_floats && !counts.has_squares;
  if (are_rows && counts.rows.counted != total) {
    throw StateError("the rows counted are not the total of the cells");
  }
}

}  // namespace

CountsForm form_of(std::size_t k, std::size_t filled, std::uint64_t largest, bool has_floats,
                   bool has_squares) noexcept {
  CountsForm out;
  out.cell_bytes = has_floats ? sizeof(double) : narrowest(largest);
  const std::uint64_t all = std::uint64_t{k} * k;
  out.place_bytes = narrowest(all > 0 ? all - 1 : 0);
  const unsigned one = out.cell_bytes + (has_squares ? unsigned{sizeof(double)} : 0U);
  out.is_sparse = UInt128{filled} * (out.place_bytes + one) < UInt128{all} * one;
  if (!out.is_sparse) out.place_bytes = 0;
  return out;
}

std::vector<std::uint8_t> encode(const Counts& counts) {
  std::size_t filled = 0;
  std::uint64_t largest = 0;
  for (const auto [first, last] : Strides(counts.held())) {
    for (std::size_t i = first; i < last; ++i) {
      filled += is_zero(counts, i) ? 0U : 1U;
      if (!counts.has_floats) largest |= static_cast<std::uint64_t>(counts.cells[i]);
    }
  }
  const CountsForm form =
      form_of(counts.k(), filled, largest, counts.has_floats, counts.has_squares);
  const Counts saved = in_form(counts, form);
  const auto content = static_cast<std::uint8_t>((counts.has_floats ? kFloatCells : 0U) |
                                                 (counts.has_squares ? kSquareCells : 0U));
  constexpr std::size_t kForm = 16;
  const std::size_t cells = saved.held() * (form.cell_bytes + form.place_bytes);
  StateWriter writer(StateKind::kCounts, {&content, 1}, *counts.labels, counts.rows, kForm + cells);
  ByteWriter& out = writer.payload();
  put_head(out, form, saved.held());
  if (form.is_sparse) put_numbers(out, saved.places.view(), form.place_bytes);
  if (saved.has_floats) {
    put_leads(out, saved.weights);
  } else {
    put_numbers(out, saved.cells.view(), form.cell_bytes);
  }
  if (saved.has_squares) put_leads(out, saved.squares);
  if (saved.has_floats) put_tails(out, saved.weights);
  if (saved.has_squares) put_tails(out, saved.squares);
  return writer.seal();
}

Counts decode_counts(Bytes bytes, Bytes* leading) {
  const Envelope state = open_state(bytes, kKindsOfCounts);
  if (leading != nullptr) *leading = state.leading;
  if (state.compatible.size() != 1 || (state.compatible[0] & ~(kFloatCells | kSquareCells)) != 0) {
    throw StateError("unknown content of a confusion matrix");
  }
  Counts out;
  out.labels = std::make_shared<const LabelSet>(state.labels);
  out.rows = state.rows;
  if (out.rows.nan != 0) throw StateError("a confusion matrix has no rows of nan scores");
  out.has_floats = (state.compatible[0] & kFloatCells) != 0;
  out.has_squares = (state.compatible[0] & kSquareCells) != 0;
  ByteReader reader(state.payload);
  const std::size_t k = out.k();
  const CountsHead head = take_head(reader, k, out.has_floats);
  std::vector<std::int64_t> places;
  if (head.form.is_sparse) {
    places = take_numbers<std::int64_t>(reader, head.held, head.form.place_bytes);
    check_places(places, k);
  }
  std::vector<std::int64_t> cells;
  std::vector<double> weights, squares;
  std::vector<Tail> weight_tails, square_tails;
  if (out.has_floats) {
    weights = take_array<double>(reader, head.held);
  } else {
    cells = take_numbers<std::int64_t>(reader, head.held, head.form.cell_bytes);
  }
  if (out.has_squares) squares = take_array<double>(reader, head.held);
  if (out.has_floats) weight_tails = take_tails(reader);
  if (out.has_squares) square_tails = take_tails(reader);
  if (reader.left() != 0) throw StateError("bytes are left after the last cell");
  std::size_t filled = 0;
  std::uint64_t largest = 0;
  for (const std::int64_t cell : cells) {
    filled += cell != 0 ? 1U : 0U;
    largest |= static_cast<std::uint64_t>(cell);
  }
  for (const double weight : weights) filled += weight != 0 ? 1U : 0U;
  if (head.form != form_of(k, filled, largest, out.has_floats, out.has_squares)) refuse_form();
  if (head.form.is_sparse && filled != head.held) refuse_form();
  out.is_sparse = head.form.is_sparse;
  out.places = std::move(places);
  out.cells = std::move(cells);
  out.weights = {std::move(weights), std::move(weight_tails)};
  out.squares = {std::move(squares), std::move(square_tails)};
  check_content(out);
  CountsForm held;
  held.is_sparse = !is_table(k, filled);
  return in_form(out, held);
}

}  // namespace confmat
