// The maps of scores to bins that are the same for any data: which bin a score lies in, where bins
// begin, and what states call the map.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/scores/half_key.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/scores/unit_bins.hpp"

namespace confmat {

// That a number of bins can ask for.
inline constexpr std::uint32_t kMostBins = 65536;

// The bins of many keys, one by one.
template <class Bins>
void each_bin(const Bins& bins, const typename Bins::Key* keys, std::size_t n,
              std::uint32_t* out) noexcept {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint32_t>(bins.bin(keys[i]));
}

// Bins by the leading bits of the score as a float32, rounded down. Every bound is a float32, and
// -inf and inf are where they belong.
template <class KeyType>
class LeadingBits {
 public:
  using Key = KeyType;
  static constexpr bool kFindsTogether = false;
  // Needs: 1 <= bits <= 16.
  explicit LeadingBits(unsigned bits) noexcept : size_(std::size_t{1} << bits), shift_(32 - bits) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bin(Key key) const noexcept { return float_key(key) >> shift_; }
  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    each_bin(*this, keys, n, out);
  }
  [[nodiscard]] double lower(std::size_t bin) const noexcept {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::uint64_t key = std::uint64_t{bin} << shift_;
    if (key <= score_key(-kInf)) return static_cast<double>(-kInf);
    if (key >= score_key(kInf)) return static_cast<double>(kInf);
    return static_cast<double>(score_of(static_cast<std::uint32_t>(key)));
  }

 private:
  std::size_t size_;
  unsigned shift_;
};

// Each float16 is a bin, of the scores up to the next.
template <class KeyType>
class HalfFloats {
 public:
  using Key = KeyType;
  static constexpr bool kFindsTogether = false;

  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{1} << 16U; }
  [[nodiscard]] std::size_t bin(Key key) const noexcept { return half_key(float_key(key)); }
  void bins(const Key* keys, std::size_t n, std::uint32_t* out) const noexcept {
    each_bin(*this, keys, n, out);
  }
  [[nodiscard]] double lower(std::size_t bin) const noexcept {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    if (bin <= half_key(score_key(-kInf))) return static_cast<double>(-kInf);
    if (bin >= half_key(score_key(kInf))) return static_cast<double>(kInf);
    return static_cast<double>(half_of(static_cast<std::uint16_t>(bin)));
  }
};

// One of them. Its code is what states keep: a map that changes gets another one.
class BinMap {
 public:
  BinMap() noexcept = default;  // "unit"
  // Throws InputError for what is no power of two from 2 to kMostBins.
  static BinMap of_number(std::uint32_t bins);
  // "float16", "unit", or of one of its levels "unit/1" ... Throws InputError.
  static BinMap of_name(std::string_view name);
  // Nothing: no map has this code.
  static std::optional<BinMap> of_code(std::uint8_t code) noexcept;
  // Needs: level <= kMostUnitLevel.
  static BinMap unit(unsigned level) noexcept {
    return BinMap(static_cast<std::uint8_t>(kUnit + level));
  }

  [[nodiscard]] std::uint8_t code() const noexcept { return code_; }
  [[nodiscard]] std::string name() const;
  // Of "unit"; none: another map.
  [[nodiscard]] std::optional<unsigned> level() const noexcept {
    return code_ < kUnit ? std::nullopt : std::optional<unsigned>(code_ - kUnit);
  }
  // Where each bin begins, ascending; equal for those that no score lies in.
  [[nodiscard]] std::vector<double> lower() const;
  friend bool operator==(BinMap, BinMap) = default;

  // Calls visit with the bins of the map: see LeadingBits.
  template <class Key, class Visit>
  decltype(auto) bins(Visit&& visit) const {
    if (code_ >= kUnit) return visit(UnitBins<Key>(code_ - kUnit));
    if (code_ == kHalf) return visit(HalfFloats<Key>());
    return visit(LeadingBits<Key>(code_));
  }

 private:
  explicit BinMap(std::uint8_t code) noexcept : code_(code) {}

  static constexpr std::uint8_t kHalf = 17;  // below: of so many leading bits
  static constexpr std::uint8_t kUnit = 18;  // its level 0; then the others
  static_assert(kMostBins == 1U << (kHalf - 1U));

  std::uint8_t code_ = kUnit;
};

}  // namespace confmat
