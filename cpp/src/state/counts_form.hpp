// How the cells of a saved confusion matrix are written, and the few bytes in front of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/counts.hpp"
#include "payload.hpp"

namespace confmat {

inline bool is_zero(const Counts& of, std::size_t i) noexcept {
  return of.has_floats ? of.weights.leads[i] == 0 : of.cells[i] == 0;
}

struct CountsForm {
  bool is_sparse = false;
  unsigned cell_bytes = 0;
  unsigned place_bytes = 0;  // 0: no places
  bool operator==(const CountsForm&) const = default;
};

// The form of k x k cells of which `filled` are not 0.
CountsForm form_of(std::size_t k, std::size_t filled, std::uint64_t largest, bool has_floats,
                   bool has_squares) noexcept;

inline constexpr std::size_t kHeadBytes = 16;
inline void put_head(ByteWriter& out, const CountsForm& form, std::size_t held) {
  out.put(static_cast<std::uint8_t>(form.is_sparse ? 1 : 0));
  out.put(static_cast<std::uint8_t>(form.cell_bytes));
  out.put(static_cast<std::uint8_t>(form.place_bytes));
  for (int i = 0; i < 5; ++i) out.put(std::uint8_t{0});
  out.put(static_cast<std::uint64_t>(held));
}

struct CountsHead {
  CountsForm form;
  std::size_t held = 0;
};

// Throws StateError. The cells that it claims are there, but for their further parts.
inline CountsHead take_head(ByteReader& reader, std::size_t k, bool has_floats) {
  CountsHead out;
  const auto form = reader.get<std::uint8_t>();
  out.form = {form == 1, reader.get<std::uint8_t>(), reader.get<std::uint8_t>()};
  bool known = form <= 1 && (!has_floats || out.form.cell_bytes == sizeof(double));
  known = known && is_width(out.form.cell_bytes) &&
          (out.form.is_sparse ? is_width(out.form.place_bytes) : out.form.place_bytes == 0);
  for (int i = 0; i < 5; ++i) known = known && reader.get<std::uint8_t>() == 0;
  if (!known) throw StateError("unknown form of the cells");
  const auto held = reader.get<std::uint64_t>();
  const std::uint64_t all = std::uint64_t{k} * k;
  if (out.form.is_sparse ? held > all : held != all) {
    throw StateError("the number of cells does not fit " + std::to_string(k) + " classes");
  }
  require_left(reader, held, out.form.cell_bytes + out.form.place_bytes);
  out.held = static_cast<std::size_t>(held);
  return out;
}

}  // namespace confmat
