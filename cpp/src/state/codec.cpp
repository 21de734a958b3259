// Writes and opens the envelope: magic, kind, labels, rows, size and checksum.
#include "confmat/state/codec.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/kernels/table.hpp"

namespace confmat {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'c', 'm', 's', 0x0D, 0x0A, 0x1A, 0x0A};
// Of matrices and of sweeps that development versions saved.
constexpr std::array<std::array<std::uint8_t, 8>, 2> kFirst{
    {{0x89, 'c', 'f', 'm', 0x0D, 0x0A, 0x1A, 0x0A}, {0x89, 'c', 'f', 's', 0x0D, 0x0A, 0x1A, 0x0A}}};
constexpr std::uint16_t kFormat = 1;
constexpr std::size_t kHead = 8 + 3 * 2 + 2 + 4 + 4 + 8 + 8;
constexpr std::size_t kCompatibleAt = 20;  // where the bytes of each are told
constexpr std::size_t kLabelBytesAt = 32;
constexpr std::size_t kTotals = std::size_t{5} * 8;
constexpr std::size_t kChecksum = 4;
constexpr std::size_t kFewBytes = 1 << 14;  // nobody would stop amid these
constexpr std::uint64_t kMostLabels = (std::uint64_t{1} << 31U) - 1;

bool begins_with(Bytes bytes, Bytes with) noexcept {
  return bytes.size() >= with.size() && std::ranges::equal(bytes.first(with.size()), with);
}

std::uint32_t checksum(Bytes bytes) {
  std::uint32_t crc = 0;
  const auto add = [&crc](Bytes part) {
    crc = kernels().crc32c(crc, reinterpret_cast<const std::byte*>(part.data()), part.size());
  };
  if (bytes.size() <= kFewBytes) {
    add(bytes);
  } else {
    for (const auto [first, last] : Strides(bytes.size())) add(bytes.subspan(first, last - first));
  }
  return crc;
}

void check_magic(Bytes bytes, const char* wanted) {
  if (begins_with(bytes, kMagic)) return;
  if (std::ranges::any_of(kFirst, [&](const auto& magic) { return begins_with(bytes, magic); })) {
    throw StateError(
        "saved by a development version before the first release, whose format is not read; "
        "count again");
  }
  throw StateError("these bytes are not " + std::string(wanted));
}

void check_version(std::uint16_t version) {
  if (version == kFormat) return;
  throw StateError("format version " + std::to_string(version) + "; this reads " +
                   std::to_string(kFormat) +
                   (version > kFormat ? " (a newer confmat wrote it)" : " (there is none)"));
}

// The kind of this number. Throws StateError: there is none.
const KindRow& known_kind(std::uint16_t number) {
  const KindRow* const found = find_kind(number);
  if (found == nullptr) {
    throw StateError("a state of unknown kind " + std::to_string(number) +
                     " (a newer confmat wrote it)");
  }
  return *found;
}

const KindRow& wanted_kind(std::uint16_t number, std::uint16_t version,
                           std::span<const StateKind> wanted) {
  const KindRow& row = known_kind(number);
  if (std::ranges::find(wanted, row.kind) == wanted.end()) {
    throw StateError("these bytes are " + std::string(row.name) + ", not " +
                     row_of_kind(wanted.front()).name);
  }
  if (version == 0 || version > row.version) {
    throw StateError("version " + std::to_string(version) + " of " + row.name + "; this reads " +
                     std::to_string(row.version));
  }
  return row;
}

[[noreturn]] void refuse_cut(std::size_t size) {
  throw StateError("cut short: " + std::to_string(size) + " bytes, less than a header");
}

// Needs: `bytes` are all from the size on, with the checksum. `before`: those in front of them.
Body open_body(Bytes whole, std::size_t before) {
  const Bytes bytes = whole.subspan(before);
  if (bytes.size() < kTotals + kChecksum) refuse_cut(whole.size());
  ByteReader reader(bytes);
  const auto size = reader.get<std::uint64_t>();
  if (size != whole.size()) {
    throw StateError("wanted " + std::to_string(size) + " bytes, as the header says, found " +
                     std::to_string(whole.size()));
  }
  std::uint32_t stored = 0;
  const std::size_t end = whole.size() - kChecksum;
  std::memcpy(&stored, whole.data() + end, kChecksum);
  if (checksum(whole.first(end)) != stored) {
    throw StateError("changed after it was written: the checksum does not match");
  }
  Body body;
  for (std::int64_t* const into :
       {&body.rows.counted, &body.rows.dropped, &body.rows.other, &body.rows.nan}) {
    *into = reader.get<std::int64_t>();
  }
  if (body.rows.counted < RowTotals::kUnknown ||
      std::min({body.rows.dropped, body.rows.other, body.rows.nan}) < 0) {
    throw StateError("a number of rows is out of range");
  }
  body.payload = bytes.subspan(kTotals, bytes.size() - kTotals - kChecksum);
  return body;
}

}  // namespace

RowTotals added(const RowTotals& one, const RowTotals& other) {
  const auto sum = [](std::int64_t x, std::int64_t y) {
    if (__builtin_add_overflow(x, y, &x)) {
      throw InputError("cannot add: the number of rows is beyond 64-bit integers");
    }
    return x;
  };
  const bool is_known = std::min(one.counted, other.counted) != RowTotals::kUnknown;
  return {.counted = is_known ? sum(one.counted, other.counted) : RowTotals::kUnknown,
          .dropped = sum(one.dropped, other.dropped),
          .other = sum(one.other, other.other),
          .nan = sum(one.nan, other.nan)};
}

RowTotals taken_away(const RowTotals& one, const RowTotals& other) {
  const auto rest = [](std::int64_t x, std::int64_t y, const char* name) {
    if (y > x) {
      throw InputError("cannot subtract: " + std::string(name) + " is larger in the second, " +
                       std::to_string(y) + " and not " + std::to_string(x));
    }
    return x - y;
  };
  RowTotals out{.dropped = rest(one.dropped, other.dropped, "n_dropped"),
                .other = rest(one.other, other.other, "n_other"),
                .nan = rest(one.nan, other.nan, "n_nan")};
  const bool is_known = std::min(one.counted, other.counted) != RowTotals::kUnknown;
  if (is_known && one.counted >= other.counted) out.counted = one.counted - other.counted;
  return out;
}

StateKind kind_of(Bytes bytes) {
  check_magic(bytes, "a saved state");
  if (bytes.size() < kHead) refuse_cut(bytes.size());
  ByteReader reader(bytes.subspan(kMagic.size()));
  check_version(reader.get<std::uint16_t>());
  return known_kind(reader.get<std::uint16_t>()).kind;
}

bool holds_weights(Bytes bytes) {
  static_cast<void>(kind_of(bytes));
  if (bytes.size() == kHead) refuse_cut(bytes.size());
  return bytes[kHead] != 0;
}

namespace {

// A state whose claims of sizes, and whose checksum, are right; what it holds is not read.
struct Opened {
  Envelope envelope;  // but for the labels
  Bytes labels;
  std::uint64_t n_labels = 0;
  std::uint8_t kind = 0;
};

Opened open_parts(Bytes bytes, std::span<const StateKind> wanted) {
  check_magic(bytes, row_of_kind(wanted.front()).name);
  if (bytes.size() < kHead) refuse_cut(bytes.size());
  ByteReader reader(bytes.subspan(kMagic.size()));
  check_version(reader.get<std::uint16_t>());
  const auto number = reader.get<std::uint16_t>();
  const KindRow& row = wanted_kind(number, reader.get<std::uint16_t>(), wanted);
  Opened out;
  out.kind = reader.get<std::uint8_t>();
  const auto origin = reader.get<std::uint8_t>();
  out.envelope.kind = row.kind;
  out.envelope.labels.positive = reader.get<std::uint32_t>();
  const auto compatible_size = reader.get<std::uint32_t>();
  out.n_labels = reader.get<std::uint64_t>();
  const auto label_size = reader.get<std::uint64_t>();
  if (compatible_size > reader.left() || label_size > reader.left() - compatible_size) {
    throw StateError("the labels end behind the last byte");
  }
  out.envelope.compatible = reader.take(compatible_size);
  out.labels = reader.take(label_size);
  const std::size_t used = kHead + compatible_size + label_size;
  const std::size_t leading = (used + 7) / 8 * 8;
  if (leading > bytes.size()) refuse_cut(bytes.size());
  const Body body = open_body(bytes, leading);
  if (std::ranges::any_of(bytes.subspan(used, leading - used),
                          [](auto byte) { return byte != 0; })) {
    throw StateError("not written as this format writes it: bytes between its parts");
  }
  if (out.kind > 2 || origin >= kOrigins || out.n_labels > kMostLabels) {
    throw StateError("unknown kinds of labels");
  }
  out.envelope.labels.origin = static_cast<Origin>(origin);
  out.envelope.leading = bytes.first(leading);
  out.envelope.rows = body.rows;
  out.envelope.payload = body.payload;
  return out;
}

}  // namespace

Envelope open_state(Bytes bytes, std::span<const StateKind> wanted) {
  Opened opened = open_parts(bytes, wanted);
  Envelope& out = opened.envelope;
  out.labels.labels =
      labels_of(opened.labels, static_cast<Labels::Kind>(opened.kind), opened.n_labels);
  check_labels(out.labels);
  return std::move(out);
}

void check_sealed(Bytes bytes, std::span<const StateKind> wanted) {
  static_cast<void>(open_parts(bytes, wanted));
}

Bytes leading_of(Bytes bytes) noexcept {
  if (bytes.size() < kHead || !begins_with(bytes, kMagic)) return {};
  const std::uint64_t left = bytes.size() - kHead;
  const auto compatible = load<std::uint32_t>(bytes.data() + kCompatibleAt, 0);
  const auto labels = load<std::uint64_t>(bytes.data() + kLabelBytesAt, 0);
  if (compatible > left || labels > left - compatible) return {};
  const std::size_t end = (kHead + compatible + labels + 7) / 8 * 8;
  return end > bytes.size() ? Bytes{} : bytes.first(end);
}

bool open_alike(Bytes bytes, Bytes leading, Body& body) {
  if (!begins_with(bytes, leading)) return false;
  body = open_body(bytes, leading.size());
  return true;
}

StateWriter::StateWriter(StateKind kind, Bytes compatible, const LabelSet& labels,
                         const RowTotals& rows, std::size_t payload_bytes) {
  if (payload_bytes > 0) {
    std::size_t label_bytes = labels.labels.ints.size() * sizeof(std::int64_t);
    for (const std::string& text : labels.labels.texts) label_bytes += text.size() + 4;
    out_.reserve(kHead + compatible.size() + label_bytes + 7 + kTotals + payload_bytes + kChecksum);
  }
  out_.append(kMagic.data(), kMagic.size());
  out_.put(kFormat);
  out_.put(static_cast<std::uint16_t>(kind));
  out_.put(row_of_kind(kind).version);
  out_.put(static_cast<std::uint8_t>(labels.labels.kind));
  out_.put(static_cast<std::uint8_t>(labels.origin));
  out_.put(labels.positive);
  out_.put(static_cast<std::uint32_t>(compatible.size()));
  out_.put(static_cast<std::uint64_t>(labels.labels.size()));
  const std::size_t label_size_at = out_.bytes().size();
  out_.put(std::uint64_t{0});
  out_.append(compatible.data(), compatible.size());
  const std::size_t before = out_.bytes().size();
  put_labels(out_, labels.labels);
  out_.put_at(label_size_at, static_cast<std::uint64_t>(out_.bytes().size() - before));
  while (out_.bytes().size() % 8 != 0) out_.put(std::uint8_t{0});
  size_at_ = out_.bytes().size();
  put_totals(rows);
}

void StateWriter::put_totals(const RowTotals& rows) {
  out_.put(std::uint64_t{0});
  for (const std::int64_t total : {rows.counted, rows.dropped, rows.other, rows.nan}) {
    out_.put(total);
  }
}

std::vector<std::uint8_t> StateWriter::seal() {
  out_.put_at(size_at_, static_cast<std::uint64_t>(out_.bytes().size() + kChecksum));
  out_.put(checksum(out_.bytes()));
  return out_.take();
}

}  // namespace confmat
