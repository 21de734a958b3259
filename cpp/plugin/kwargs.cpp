// Reads the one pickle that Polars sends, byte by byte; no other is accepted.
#include "plugin/kwargs.hpp"

#include "confmat/base/bytes.hpp"

namespace confmat::plugin {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

// Opcodes of the one accepted shape (Python's pickletools names them so).
constexpr std::uint8_t kProto = 0x80;
constexpr std::uint8_t kFrame = 0x95;
constexpr std::uint8_t kEmptyDict = '}';
constexpr std::uint8_t kMemoize = 0x94;
constexpr std::uint8_t kShortUnicode = 0x8C;
constexpr std::uint8_t kShortBytes = 'C';
constexpr std::uint8_t kBytes = 'B';
constexpr std::uint8_t kSetItem = 's';
constexpr std::uint8_t kStop = '.';

void expect(ByteReader& reader, std::uint8_t opcode) {
  if (reader.get<std::uint8_t>() != opcode) {
    throw StateError("the arguments of the expression are not confmat's");
  }
}

std::span<const std::uint8_t> read_bytes(ByteReader& reader) {
  const auto opcode = reader.get<std::uint8_t>();
  if (opcode == kShortBytes) return reader.take(reader.get<std::uint8_t>());
  if (opcode == kBytes) return reader.take(reader.get<std::uint32_t>());
  throw StateError("the arguments of the expression are not bytes");
}

}  // namespace

std::span<const std::uint8_t> unwrap_kwargs(std::span<const std::uint8_t> pickle) {
  if (pickle.size() > kMaxBytes) {
    throw StateError("the arguments of the expression are larger than 1 MiB");
  }
  ByteReader reader(pickle);
  expect(reader, kProto);
  expect(reader, 5);
  expect(reader, kFrame);
  // A frame holds everything, or ends before bytes that are large.
  if (reader.get<std::uint64_t>() > reader.left()) throw StateError("a frame of the wrong length");
  expect(reader, kEmptyDict);
  expect(reader, kMemoize);
  expect(reader, kShortUnicode);
  expect(reader, 1);
  expect(reader, 'v');
  expect(reader, kMemoize);
  const auto bytes = read_bytes(reader);
  expect(reader, kMemoize);
  expect(reader, kSetItem);
  expect(reader, kStop);
  if (reader.left() != 0) throw StateError("the arguments of the expression are too long");
  return bytes;
}

}  // namespace confmat::plugin
