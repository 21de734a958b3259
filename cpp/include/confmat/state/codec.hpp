// Saved states: what all kinds have in common, and the only reader of foreign bytes.
//
// Little-endian throughout:
//   8      magic 89 'c' 'm' 's' 0D 0A 1A 0A: binary, and broken by any change of line ends
//   2      version of the format
//   2, 2   the kind, and its version
//   1, 1   kind of labels (0 integers, 1 Booleans, 2 texts); where they come from (Origin)
//   4      the positive class + 1; 0: none is named
//   4      bytes of `compatible`
//   8, 8   number of labels, and the bytes that they take
//   ...    compatible: what the kind says of its payload; the first byte is 0 where it counts rows
//   ...    labels; 0 to 7 zeros, to a multiple of 8
//   8      size of the whole
//   8 x 4  rows counted (-1: not known), dropped for a null, of other labels, with a nan score
//   ...    payload
//   4      CRC-32C of all before
// States whose bytes up to the size are equal can be added without reading their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "confmat/base/bytes.hpp"
#include "confmat/state/kinds.hpp"
#include "confmat/state/labels.hpp"

namespace confmat {

struct RowTotals {
  static constexpr std::int64_t kUnknown = -1;
  std::int64_t counted = kUnknown;
  std::int64_t dropped = 0;
  std::int64_t other = 0;
  std::int64_t nan = 0;
  bool operator==(const RowTotals&) const = default;
};

// The rows of both; not known if those of one are not. Throws InputError: they are too many.
RowTotals added(const RowTotals& one, const RowTotals& other);
// The rows of the first without those of the other. Throws InputError: more were left out there.
RowTotals taken_away(const RowTotals& one, const RowTotals& other);

// What stands in front of the payload.
struct Envelope {
  StateKind kind;
  LabelSet labels;
  Bytes compatible;
  Bytes leading;  // all before the size
  RowTotals rows;
  Bytes payload;
};

// The kind that the bytes claim. Throws StateError: they are no state, of no kind or format known.
StateKind kind_of(Bytes bytes);

// Whether the header says that weights were summed, and not rows. Throws StateError: as kind_of.
bool holds_weights(Bytes bytes);

// Reads what is not the payload; the checksum and every claim are checked. Throws StateError: the
// bytes are no state, one of no wanted kind, of an older or newer format, cut, changed.
Envelope open_state(Bytes bytes, std::span<const StateKind> wanted);

// All before the size, unread; empty where that is beyond the bytes, or they are no state.
Bytes leading_of(Bytes bytes) noexcept;

// What open_state does, of bytes that begin with `leading`, those of a state that was opened:
// without reading them again. False: they do not.
struct Body {
  RowTotals rows;
  Bytes payload;
};
bool open_alike(Bytes bytes, Bytes leading, Body& body);

// Refuses what open_state refuses, but for the labels: these are not read.
void check_sealed(Bytes bytes, std::span<const StateKind> wanted);

// Writes a state: the payload comes between the two.
class StateWriter {
 public:
  // `payload_bytes`: how many will come, where that is known.
  StateWriter(StateKind kind, Bytes compatible, const LabelSet& labels, const RowTotals& rows,
              std::size_t payload_bytes = 0);
  [[nodiscard]] ByteWriter& payload() noexcept { return out_; }
  [[nodiscard]] std::vector<std::uint8_t> seal();

 private:
  void put_totals(const RowTotals& rows);

  ByteWriter out_;
  std::size_t size_at_;
};

}  // namespace confmat
