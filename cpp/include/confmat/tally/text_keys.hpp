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
  struct alignas(32) Place {
    // Empty, it is like no key: no text has a negative length, or 16 bytes of which 8 are no UTF-8.
    TextKey key{~std::uint64_t{0}, 0};
    std::uint32_t number = kUnknown;
  };

 public:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;  // no class

  // Whether so many rows repay the room that so many texts need: each row gains what clearing two
  // places costs, and each text is missed at first.
  [[nodiscard]] static bool pays(std::size_t texts, std::int64_t rows) noexcept {
    return rows > std::int64_t{4} << bits_for(texts);
  }

  // Forgets all keys; as many texts as these are to come.
  void clear(std::size_t texts) {
    const unsigned bits = bits_for(texts);
    newer_.assign(std::size_t{1} << bits, Place{});
    older_.assign(newer_.size(), Place{});
    shift_ = 64 - bits;
  }

  // What a loop that looks for keys needs, in its registers; until clear().
  class Finder {
   public:
    Finder(const Place* places, unsigned shift) noexcept : places_(places), shift_(shift) {}

    [[nodiscard]] std::uint32_t find(TextKey key) const noexcept {
      const Place& place = places_[home(key, shift_)];
      const std::uint64_t differ = (place.key.first ^ key.first) | (place.key.second ^ key.second);
      // Whether the place is this key's, no branch foresees.
      return place.number | (0U - static_cast<std::uint32_t>(differ != 0));
    }

   private:
    const Place* places_;
    unsigned shift_;
  };

  // kUnknown, too, where another key has taken the place since: see older().
  [[nodiscard]] Finder newer() const noexcept { return {newer_.data(), shift_}; }
  [[nodiscard]] Finder older() const noexcept { return {older_.data(), shift_}; }

  // The older of two keys that share a home goes.
  void keep(TextKey key, std::uint32_t number) noexcept {
    const std::size_t at = home(key, shift_);
    older_[at] = newer_[at];
    newer_[at] = {key, number};
  }

 private:
  // 16 KiB stay in the first-level cache; more than 512 KiB would leave the second.
  static unsigned bits_for(std::size_t texts) noexcept {
    return std::clamp(static_cast<unsigned>(std::bit_width(texts)) + 3, 9U, 14U);
  }

  // The high bits of a product depend on all bits of its factor.
  [[nodiscard]] static std::size_t home(TextKey key, unsigned shift) noexcept {
    const std::uint64_t mixed = key.first * 0x9E3779B97F4A7C15U + key.second * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> shift);
  }

  std::vector<Place> newer_;
  std::vector<Place> older_;
  unsigned shift_ = 63;
};

}  // namespace confmat
