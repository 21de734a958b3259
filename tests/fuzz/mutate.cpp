// Changes valid inputs: bytes, words, lengths.
#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace confmat::fuzz {
namespace {

using Position = Bytes::difference_type;

// Numbers at which sizes, counts and offsets go wrong.
constexpr std::array<std::uint64_t, 16> kEdges{0,
                                               1,
                                               2,
                                               0x7F,
                                               0x80,
                                               0xFF,
                                               0x7FFF,
                                               0xFFFF,
                                               0x10000,
                                               0x7FFFFFFF,
                                               0x80000000,
                                               0xFFFFFFFF,
                                               0x100000000,
                                               0x7FFFFFFFFFFFFFFF,
                                               0x8000000000000000,
                                               0xFFFFFFFFFFFFFFFF};

Bytes random_bytes(Random& random, std::size_t n) {
  Bytes out(n);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(random.bits());
  return out;
}

void set_number(Random& random, Bytes& bytes) {
  const std::size_t width = std::size_t{1} << random.below(4);
  if (bytes.size() < width) return;
  std::uint8_t* at = bytes.data() + random.below(bytes.size() - width + 1);
  std::uint64_t value = 0;
  std::memcpy(&value, at, width);
  const std::uint64_t step = 1 + random.below(16);
  switch (random.below(3)) {
    case 0:
      value = kEdges[random.below(kEdges.size())];
      break;
    case 1:
      value += step;
      break;
    default:
      value -= step;
      break;
  }
  std::memcpy(at, &value, width);
}

void mutate(Random& random, Bytes& bytes, const std::vector<Bytes>& seeds) {
  const auto at = static_cast<Position>(random.below(bytes.size() + 1));
  const auto rest = bytes.size() - static_cast<std::size_t>(at);
  const auto run = static_cast<Position>(random.below(std::min<std::size_t>(rest, 16) + 1));
  switch (random.below(8)) {
    case 0:
      if (rest > 0) {
        auto& byte = bytes[static_cast<std::size_t>(at)];
        byte = static_cast<std::uint8_t>(byte ^ 1U << random.below(8));
      }
      break;
    case 1:
      if (rest > 0) bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.bits());
      break;
    case 2:
    case 3:
      set_number(random, bytes);
      break;
    case 4:
      bytes.erase(bytes.begin() + at, bytes.begin() + at + run);
      break;
    case 5: {
      const Bytes more = random_bytes(random, 1 + random.below(16));
      bytes.insert(bytes.begin() + at, more.begin(), more.end());
      break;
    }
    case 6: {  // a piece of a seed, over what is there
      const Bytes& other = seeds[random.below(seeds.size())];
      if (other.empty() || rest == 0) break;
      const std::size_t from = random.below(other.size());
      const std::size_t n = std::min({rest, other.size() - from, 1 + random.below(32)});
      std::memcpy(bytes.data() + at, other.data() + from, n);
      break;
    }
    default:
      if (random.below(4) == 0) bytes.resize(static_cast<std::size_t>(at));
      break;
  }
}

}  // namespace

Bytes input_for(std::uint64_t seed, const std::vector<Bytes>& seeds) {
  Random random(seed);
  if (seeds.empty()) return random_bytes(random, random.below(257));
  Bytes bytes = seeds[random.below(seeds.size())];
  // Mostly few changes, so that what is behind the first checks is reached, too.
  for (std::size_t changes = std::size_t{1} << random.below(5); changes > 0; --changes) {
    mutate(random, bytes, seeds);
  }
  return bytes;
}

}  // namespace confmat::fuzz
