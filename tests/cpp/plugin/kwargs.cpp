// The one pickle that is accepted, and everything else that is not.
#include "plugin/kwargs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "confmat/base/error.hpp"
#include "support/fake_host.hpp"

using confmat::StateError;
using confmat::host::Bytes;
using confmat::host::pickled;
using confmat::plugin::unwrap_kwargs;

namespace {

using Sizes = std::vector<std::size_t>;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

// The bytes inside; nullopt where the pickle is refused with StateError. Other errors pass.
std::optional<Bytes> unwrapped(const Bytes& pickle) {
  // Exactly sized, so that a read beyond the end is seen.
  const std::vector<std::uint8_t> exact(pickle.begin(), pickle.end());
  try {
    const auto inside = unwrap_kwargs(exact);
    return Bytes(inside.begin(), inside.end());
  } catch (const StateError& error) {
    CHECK(std::string(error.what()).size() > 10);
    return std::nullopt;
  }
}

Bytes counting(std::size_t n) {
  Bytes out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  return out;
}

// Offsets of the bytes in front of the value that say what it is; the frame's length aside.
std::vector<std::size_t> structural(std::size_t value_size) {
  std::vector<std::size_t> out = {0, 1, 2, 11, 12, 13, 14, 15, 16, 17};
  const std::size_t header = value_size < 256 ? 19 : 22;
  for (std::size_t at = 18; at < header; ++at) out.push_back(at);
  for (std::size_t at = 0; at < 3; ++at) out.push_back(header + value_size + at);
  return out;
}

}  // namespace

TEST_CASE("kwargs: small and large values are unwrapped") {
  for (const auto n : Sizes{0, 1, 2, 22, 200, 254, 255, 256, 257, 65535, 65536, 70000, 1048000}) {
    CAPTURE(n);
    const Bytes value = counting(n);
    const auto inside = unwrapped(pickled(value));
    REQUIRE(inside);
    CHECK((*inside == value));
  }
}

TEST_CASE("kwargs: bytes that Python wrote") {
  // pickle.dumps({"v": b"\x01\x02\x03"}, protocol=5)
  const Bytes python = {0x80, 0x05, 0x95, 0x0E, 0,   0,    0,    0,    0,    0,    0,    0x7D, 0x94,
                        0x8C, 0x01, 0x76, 0x94, 'C', 0x03, 0x01, 0x02, 0x03, 0x94, 0x73, 0x2E};
  CHECK((unwrapped(python) == Bytes{1, 2, 3}));
  CHECK((pickled({1, 2, 3}) == python));
  // {}, {"w": b"x"}, {"v": "x"}, {"v": None}, {"v": b"x", "w": b"y"}, and what runs code.
  const std::vector<Bytes> others = {
      {0x80, 5, '}', 0x94, '.'},
      {0x80, 5,    0x95, 12,  0,    0,   0, 0,   0,    0,   0,  '}',
       0x94, 0x8C, 1,    'w', 0x94, 'C', 1, 'x', 0x94, 's', '.'},
      {0x80, 5,    0x95, 13,  0,    0,    0, 0,   0,    0,   0,  '}',
       0x94, 0x8C, 1,    'v', 0x94, 0x8C, 1, 'x', 0x94, 's', '.'},
      {0x80, 5, 0x95, 9, 0, 0, 0, 0, 0, 0, 0, '}', 0x94, 0x8C, 1, 'v', 0x94, 'N', 's', '.'},
      {0x80, 5,    0x95, 21, 0,   0,    0,    0, 0,   0,    0,   '}', 0x94, '(',  0x8C, 1,
       'v',  0x94, 'C',  1,  'x', 0x94, 0x8C, 1, 'w', 0x94, 'C', 1,   'y',  0x94, 'u',  '.'},
      {'c', 'o', 's', '\n', 's', 'y', 's', 't', 'e', 'm', '\n', '(', 'V', 'l', 's', '\n', 't', 'R',
       '.'},
  };
  for (const auto& other : others) CHECK_FALSE(unwrapped(other));
}

TEST_CASE("kwargs: nothing, prefixes and trailing bytes are refused") {
  CHECK_FALSE(unwrapped({}));
  for (const auto n : Sizes{0, 5, 255, 256, 400}) {
    const Bytes whole = pickled(counting(n));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      CAPTURE(length);
      const auto end = whole.begin() + static_cast<std::ptrdiff_t>(length);
      CHECK_FALSE(unwrapped(Bytes(whole.begin(), end)));
    }
    for (const auto more : Bytes{0x00, 0x2E, 0x94, 0xFF}) {
      Bytes longer = whole;
      longer.push_back(more);
      CHECK_FALSE(unwrapped(longer));
    }
  }
}

TEST_CASE("kwargs: each changed byte is refused or changes nothing but itself") {
  for (const auto n : Sizes{6, 255, 256, 300}) {
    const Bytes value = counting(n);
    const Bytes whole = pickled(value);
    const std::size_t header = n < 256 ? 19 : 22;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (unsigned change = 1; change < 256; ++change) {
        Bytes changed = whole;
        changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
        const auto inside = unwrapped(changed);
        if (!inside) continue;
        if (at >= header && at < header + n) {
          CHECK(((*inside)[at - header] == changed[at]));
        } else {
          CAPTURE(at);
          CAPTURE(change);
          CHECK((*inside == value));
        }
      }
    }
  }
}

TEST_CASE("kwargs: one opcode is accepted in each place") {
  for (const auto n : Sizes{6, 300}) {
    const Bytes whole = pickled(counting(n));
    for (const auto at : structural(n)) {
      int accepted = 0;
      for (unsigned opcode = 0; opcode < 256; ++opcode) {
        Bytes changed = whole;
        changed[at] = static_cast<std::uint8_t>(opcode);
        if (unwrapped(changed)) ++accepted;
      }
      CAPTURE(at);
      CHECK(accepted == 1);
    }
  }
}

TEST_CASE("kwargs: claims of length are held against the bytes in hand") {
  Bytes frame = pickled(counting(10));
  std::fill(frame.begin() + 3, frame.begin() + 11, std::uint8_t{0xFF});
  CHECK_FALSE(unwrapped(frame));
  Bytes value = pickled(counting(300));
  std::fill(value.begin() + 18, value.begin() + 22, std::uint8_t{0xFF});
  CHECK_FALSE(unwrapped(value));
}

TEST_CASE("kwargs: at most 1 MiB") {
  const std::size_t envelope = pickled(Bytes(70000)).size() - 70000;
  CHECK(unwrapped(pickled(Bytes(kMaxBytes - envelope))));
  CHECK_FALSE(unwrapped(pickled(Bytes(kMaxBytes - envelope + 1))));
  CHECK_FALSE(unwrapped(Bytes(3 * kMaxBytes, 0x80)));
}

TEST_CASE("kwargs: random bytes") {
  confmat::host::Random random(20240501);
  const Bytes valid = pickled(counting(30));
  const Bytes opcodes = {0x80, 5, 0x95, '}', 0x94, 0x8C, 1, 'v', 'C', 'B', 's', '.', 'c', 'R', 0};
  int accepted = 0;
  for (int i = 0; i < 100'000; ++i) {
    Bytes bytes;
    switch (i % 3) {
      case 0:
        bytes.resize(random.below(80));
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
        break;
      case 1:  // opcodes only
        bytes.resize(random.below(60));
        for (auto& byte : bytes) byte = opcodes[random.below(opcodes.size())];
        break;
      default:  // a valid one, changed, cut and spliced
        bytes = valid;
        for (std::size_t n = random.below(4); n > 0; --n) {
          bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
        }
        if (random.chance(3)) bytes.resize(random.below(bytes.size() + 1));
        if (random.chance(3)) bytes.insert(bytes.end(), valid.begin(), valid.end());
    }
    accepted += unwrapped(bytes) ? 1 : 0;
  }
  CHECK(accepted > 1000);  // those with changed values
  CHECK(accepted < 34'000);
}
