// Joint counts as saved states. The payload, which those of two scores have as a part:
//   1, 1, 6     bytes of a place and of a cell (float weights: 8); zeros
//   8           number of cells
//   ...         their places, ascending
//   ...         the cells: unsigned integers as narrow as the largest allows; float weights:
//   doubles
//   ...         squared weights, if any: doubles
//   ...         further parts of the exact sums of float weights, and of squared ones: see counts
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/joint.hpp"
#include "joint_cells.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfJoints{StateKind::kJoint};

unsigned place_width(std::size_t k) {
  const std::uint64_t all = std::uint64_t{k} * k * k;
  return narrowest(all > 0 ? all - 1 : 0);
}

unsigned cell_width(const EntrySums& cells) {
  if (cells.has_floats) return sizeof(double);
  std::uint64_t bits = 0;
  for (const std::int64_t count : cells.counts.view()) bits |= static_cast<std::uint64_t>(count);
  return narrowest(bits);
}

void check_cells(const Joint& joint) {
  const auto places = joint.places.view();
  const std::uint64_t all = std::uint64_t{joint.k()} * joint.k() * joint.k();
  const bool ascend = std::ranges::adjacent_find(places, std::greater_equal<>()) == places.end();
  const bool within =
      places.empty() || (places.front() >= 0 && static_cast<std::uint64_t>(places.back()) < all);
  if (!ascend || !within) throw StateError("the places of the cells are not those of joint counts");
  const EntrySums& cells = joint.cells;
  std::int64_t total = 0;
  double sum = 0;
  for (const auto [first, last] : Strides(cells.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (cells.is_zero(i)) throw StateError("not written as this format writes it: a cell of 0");
      if (cells.has_floats) {
        sum += cells.weights.leads[i];
      } else if (cells.counts[i] < 0 || __builtin_add_overflow(total, cells.counts[i], &total)) {
        throw StateError("a cell, or the total, is beyond 64-bit integers");
      }
    }
  }
  if (!std::isfinite(sum)) throw StateError("the total is beyond the range of floats");
}

}  // namespace

std::uint8_t content_of(const EntrySums& cells) {
  return static_cast<std::uint8_t>((cells.has_floats ? kFloatCells : 0U) |
                                   (cells.has_squares ? kSquareCells : 0U));
}

void put_cells(ByteWriter& out, const Joint& joint) {
  const EntrySums& cells = joint.cells;
  out.put(static_cast<std::uint8_t>(place_width(joint.k())));
  out.put(static_cast<std::uint8_t>(cell_width(cells)));
  for (int i = 0; i < 6; ++i) out.put(std::uint8_t{0});
  out.put(static_cast<std::uint64_t>(cells.size()));
  put_numbers(out, joint.places.view(), place_width(joint.k()));
  if (cells.has_floats) {
    put_leads(out, cells.weights);
  } else {
    put_numbers(out, cells.counts.view(), cell_width(cells));
  }
  if (cells.has_squares) put_leads(out, cells.squares);
  if (cells.has_floats) put_tails(out, cells.weights);
  if (cells.has_squares) put_tails(out, cells.squares);
}

void take_cells(ByteReader& reader, Bytes content, Joint& out) {
  if (content.size() != 1 || (content[0] & ~(kFloatCells | kSquareCells)) != 0) {
    throw StateError("unknown content of joint counts");
  }
  EntrySums& cells = out.cells;
  cells.has_floats = (content[0] & kFloatCells) != 0;
  cells.has_squares = (content[0] & kSquareCells) != 0;
  const unsigned of_place = reader.get<std::uint8_t>();
  const unsigned of_cell = reader.get<std::uint8_t>();
  bool known = of_place == place_width(out.k()) && is_width(of_cell);
  for (int i = 0; i < 6; ++i) known = known && reader.get<std::uint8_t>() == 0;
  if (!known) throw StateError("unknown form of the cells");
  const auto n = reader.get<std::uint64_t>();
  require_left(reader, n, of_place + of_cell);
  const auto size = static_cast<std::size_t>(n);
  out.places = take_numbers<std::int64_t>(reader, size, of_place);
  std::vector<double> weights, squares;
  std::vector<Tail> weight_tails, square_tails;
  if (cells.has_floats) {
    weights = take_array<double>(reader, size);
  } else {
    cells.counts = take_numbers<std::int64_t>(reader, size, of_cell);
  }
  if (cells.has_squares) squares = take_array<double>(reader, size);
  if (cells.has_floats) weight_tails = take_tails(reader);
  if (cells.has_squares) square_tails = take_tails(reader);
  if (reader.left() != 0) throw StateError("bytes are left after the last cell");
  cells.weights = {std::move(weights), std::move(weight_tails)};
  cells.squares = {std::move(squares), std::move(square_tails)};
  if (cell_width(cells) != of_cell) throw StateError("unknown form of the cells");
  if (cells.has_floats) check_sums(cells.weights, false, "a cell");
  if (cells.has_squares) check_sums(cells.squares, true, "a sum of squared weights");
  check_cells(out);
}

std::vector<std::uint8_t> encode(const Joint& joint) {
  const std::uint8_t content = content_of(joint.cells);
  StateWriter writer(StateKind::kJoint, {&content, 1}, *joint.labels, joint.rows);
  put_cells(writer.payload(), joint);
  return writer.seal();
}

Joint decode_joint(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfJoints);
  Joint out;
  out.labels = std::make_shared<const LabelSet>(state.labels);
  out.rows = state.rows;
  if (out.rows.nan != 0) throw StateError("joint counts have no rows of nan scores");
  if (state.labels.positive != 0) throw StateError("joint counts name no positive class");
  if (out.k() > kMostJointClasses) throw StateError("too many classes of joint counts");
  ByteReader reader(state.payload);
  take_cells(reader, state.compatible, out);
  if (!out.cells.has_floats && !out.cells.has_squares &&
      out.rows.counted != total_of(out.cells).counts[0]) {
    throw StateError("the rows counted are not the total of the cells");
  }
  return out;
}

}  // namespace confmat
