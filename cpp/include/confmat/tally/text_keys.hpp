// Classes of the texts that come again and again, by keys of 16 bytes: two multiplications and one
// comparison a row, no branch. What it does not know costs a search; a wrong class it never gives.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "confmat/kernels/table.hpp"

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

  // Whether clear() would make more room for so many texts.
  [[nodiscard]] bool are_small_for(std::size_t texts) const noexcept {
    return bits_for(texts) > 64 - shift_;
  }

  // Forgets all keys; as many texts as these are to come.
  void clear(std::size_t texts) {
    const unsigned bits = bits_for(texts);
    kept_.clear();
    few_is_ = Few::kStale;
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
    const auto same = [&](const Place& place) { return place.key == key; };
    if (kept_.size() <= kFewTexts && std::ranges::none_of(kept_, same)) {
      kept_.push_back(newer_[at]);
      few_is_ = Few::kStale;
    }
  }

  // All keys kept so far, where they are few and vectors can find them; else null. The first time
  // after keep() it may take as long as some thousand looks.
  [[nodiscard]] const FewTexts* few() noexcept {
    if (few_is_ == Few::kStale) few_is_ = place_few() ? Few::kAll : Few::kNone;
    return few_is_ == Few::kAll ? &few_ : nullptr;
  }

 private:
  // 16 KiB stay in the first-level cache; more than 512 KiB would leave the second.
  static unsigned bits_for(std::size_t texts) noexcept {
    return std::clamp(static_cast<unsigned>(std::bit_width(texts)) + 3, 9U, 14U);
  }

  enum class Few : std::uint8_t { kStale, kNone, kAll };

  // Whether factors were found that give each key a place of its own.
  bool place_few() noexcept {
    constexpr int kTries = 1000;  // one in 30 does for ten keys, one in 300 for twelve
    if (kept_.empty() || kept_.size() > kFewTexts) return false;
    std::uint64_t state = 0;
    const auto draw = [&] { return (state += 0x9E3779B97F4A7C15U) * 0xBF58476D1CE4E5B9U | 1U; };
    for (int at = 0; at < kTries; ++at) {
      few_.factors[0] = draw();
      few_.factors[1] = draw();
      unsigned taken = 0;
      const bool apart = std::ranges::all_of(kept_, [&](const Place& place) {
        const unsigned bit = 1U << few_home(place.key);
        const bool is_free = (taken & bit) == 0;
        taken |= bit;
        return is_free;
      });
      if (!apart) continue;
      const Place none;
      std::ranges::fill(few_.first, none.key.first);
      std::ranges::fill(few_.second, none.key.second);
      std::ranges::fill(few_.number, none.number);
      for (const Place& place : kept_) {
        const std::size_t home = few_home(place.key);
        few_.first[home] = place.key.first;
        few_.second[home] = place.key.second;
        few_.number[home] = place.number;
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t few_home(TextKey key) const noexcept {
    const std::uint64_t mixed = key.first * few_.factors[0] + key.second * few_.factors[1];
    return static_cast<std::size_t>(mixed >> (64 - kFewTextBits));
  }

  // The high bits of a product depend on all bits of its factor.
  [[nodiscard]] static std::size_t home(TextKey key, unsigned shift) noexcept {
    const std::uint64_t mixed = key.first * 0x9E3779B97F4A7C15U + key.second * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> shift);
  }

  std::vector<Place> newer_;
  std::vector<Place> older_;
  std::vector<Place> kept_;  // the first ones, one more than may be few
  FewTexts few_;
  Few few_is_ = Few::kStale;
  unsigned shift_ = 63;
};

}  // namespace confmat
