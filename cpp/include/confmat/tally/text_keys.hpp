// Classes of the texts that come again and again, by keys of 16 bytes: two multiplications and one
// comparison a row, no branch. What it does not know costs a search; a wrong class it never gives.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace confmat {

// Determines a text of a chunk: equal keys are equal texts, but for kNoKey.
struct TextKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  bool operator==(const TextKey&) const = default;
};
inline constexpr TextKey kNoKey{0, std::uint64_t{255} << 56U};

class TextKeys {
 public:
  static constexpr std::uint16_t kUnknown = 65535;  // no class: kMostClasses keeps it free

  // Whether so many rows repay the room that so many texts need: each row gains what clearing two
  // places costs, and each text is missed at first.
  [[nodiscard]] static bool pays(std::size_t texts, std::int64_t rows) noexcept {
    return rows > std::int64_t{4} << bits_for(texts);
  }

  // Forgets all keys; as many texts as these are to come.
  void clear(std::size_t texts) {
    const unsigned bits = bits_for(texts);
    places_.assign(std::size_t{1} << bits, Place{});
    shift_ = 64 - bits;
  }

  [[nodiscard]] std::uint16_t find(TextKey key) const noexcept {
    const Place& place = places_[home(key)];
    // All bits where the key is the one of that way: which it is, no branch foresees.
    const auto hit = [&](int way) {
      const bool same = ((place.first[way] ^ key.first) | (place.second[way] ^ key.second)) == 0;
      return 0U - static_cast<std::uint32_t>(same);
    };
    const std::uint32_t one = hit(0);
    const std::uint32_t two = hit(1);
    return static_cast<std::uint16_t>((place.classes[0] & one) | (place.classes[1] & two) |
                                      ~(one | two));
  }

  // The older of two keys in one place goes.
  void keep(TextKey key, std::uint16_t number) noexcept {
    Place& place = places_[home(key)];
    place.first[1] = place.first[0];
    place.second[1] = place.second[0];
    place.classes[1] = place.classes[0];
    place.first[0] = key.first;
    place.second[0] = key.second;
    place.classes[0] = number;
  }

 private:
  // 20 KiB stay in the first-level cache; more than 640 KiB would leave the second.
  static unsigned bits_for(std::size_t texts) noexcept {
    return std::clamp(static_cast<unsigned>(std::bit_width(texts)) + 2, 9U, 14U);
  }

  // Empty, it is like no key: no text has a negative length, or 16 bytes of which 8 are no UTF-8.
  struct Place {
    std::uint64_t first[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};
    std::uint64_t second[2] = {};
    std::uint16_t classes[2] = {kUnknown, kUnknown};
  };

  // The high bits of a product depend on all bits of its factor.
  [[nodiscard]] std::size_t home(TextKey key) const noexcept {
    const std::uint64_t mixed = key.first * 0x9E3779B97F4A7C15U + key.second * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> shift_);
  }

  std::vector<Place> places_;
  unsigned shift_ = 63;
};

}  // namespace confmat
