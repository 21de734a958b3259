// Keys of scores to the bins called "unit" (confmat/scores/unit_bins.hpp). Included by each
// instruction-set file inside its own unnamed namespace.

// values[i] = table[values[i]]. Compilers take the values apart for it where vectors can look up.
inline void look_up(const std::uint32_t* table, std::size_t n, std::uint32_t* values) noexcept {
  std::size_t i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16) {
    const __m512i places = _mm512_loadu_si512(values + i);
    const __m512i found =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, places, table, 4);
    _mm512_storeu_si512(values + i, found);
  }
#endif
  for (; i < n; ++i) values[i] = table[values[i]];
}

// Octaves next to each other whose bins are told apart by as many bits: these lie along a line.
struct UnitLine {
  std::uint32_t from;
  unsigned shift;

  // Of an octave that begins with these bits. Needs: their fraction is 0.
  UnitLine(const std::uint32_t* octaves, std::uint32_t bits) noexcept
      : from(octaves[bits >> 23U] >> kUnitShiftBits),
        shift(octaves[bits >> 23U] & ((1U << kUnitShiftBits) - 1)) {
    from -= bits >> shift;
  }
  [[nodiscard]] std::uint32_t at(std::uint32_t bits) const noexcept {
    return from + (bits >> shift);
  }
};

constexpr std::uint32_t float_bits(int exponent) noexcept {
  return static_cast<std::uint32_t>(127 + exponent) << 23U;
}

// Floats of [0, 1] lie along few lines, and in the middle in bins of one width: then nothing has to
// be looked up.
class UnitLines {
 public:
  explicit UnitLines(const std::uint32_t* octaves) noexcept
      : zero_(octaves, 0),
        fine_(octaves, float_bits(kUnitFine - 1)),
        low_(octaves, kLow - kOctave),
        high_(octaves + kRests, 0U - kLow),
        finest_(octaves + kRests, 0U - float_bits(kUnitFine)),
        one_(octaves + kRests, 0),
        middle_((octaves[kLow >> 23U] >> kUnitShiftBits) -
                static_cast<std::uint32_t>(kMiddle * __builtin_bit_cast(float, kLow))) {}

  // False: some score lies outside, and no bin is found.
  bool bins(const std::uint32_t* __restrict keys, std::size_t n,
            std::uint32_t* __restrict out) const noexcept {
    std::uint32_t outside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      outside |= static_cast<std::uint32_t>((keys[i] ^ kSign) > kOne);
    }
    if (outside != 0) return false;
    const UnitLines lines = *this;  // which `out` does not change
    for (std::size_t i = 0; i < n; ++i) out[i] = lines.bin(keys[i] ^ kSign);
    return true;
  }

 private:
  static constexpr std::uint32_t kSign = std::uint32_t{1} << 31U;
  static constexpr std::uint32_t kOctave = std::uint32_t{1} << 23U;
  static constexpr std::size_t kRests = 512;  // where the table of what is near 1 begins
  static constexpr std::uint32_t kLow = float_bits(kUnitMiddle);
  static constexpr std::uint32_t kOne = float_bits(0);
  // 1 - 2^e, exact.
  static constexpr std::uint32_t below_one(int exponent) noexcept {
    return __builtin_bit_cast(std::uint32_t, 1 - __builtin_bit_cast(float, float_bits(exponent)));
  }
  static constexpr float kMiddle = 1 << kUnitMiddleBits;

  static std::uint32_t either(bool first, std::uint32_t one, std::uint32_t other) noexcept {
    return other ^ ((one ^ other) & (0U - static_cast<std::uint32_t>(first)));
  }

  [[nodiscard]] std::uint32_t bin(std::uint32_t bits) const noexcept {
    const auto score = __builtin_bit_cast(float, bits);
    const std::uint32_t rest = 0U - __builtin_bit_cast(std::uint32_t, 1 - score);
    std::uint32_t low = either(bits < float_bits(kUnitFine), fine_.at(bits), low_.at(bits));
    low = either(bits < kOctave, zero_.at(bits), low);
    std::uint32_t high = either(bits < below_one(kUnitFine), high_.at(rest), finest_.at(rest));
    high = either(bits == kOne, one_.from, high);
    const std::uint32_t middle =
        middle_ + static_cast<std::uint32_t>(static_cast<std::int32_t>(score * kMiddle));
    return either(bits < kLow, low, either(bits < below_one(kUnitMiddle), middle, high));
  }

  UnitLine zero_, fine_, low_, high_, finest_, one_;
  std::uint32_t middle_;
};

// Of doubles more lines would be needed than pay.
struct NoUnitLines {
  explicit NoUnitLines(const std::uint32_t* /*octaves*/) noexcept {}
  static bool bins(const std::uint64_t*, std::size_t, std::uint32_t*) noexcept { return false; }
};

// Of s in [0.5, 1] 1 - s is exact. The negated bits of what is negative or near 1 ascend with the
// score, and an octave of them is closed at the other end. Masks, as no branch could be foreseen.
template <class Key, class Score>
void unit_bins(const void* from, std::size_t n, const std::uint32_t* __restrict octaves,
               std::uint32_t* __restrict out) noexcept {
  constexpr unsigned kBits = 8 * sizeof(Key);
  constexpr unsigned kExponent = sizeof(Key) == 4 ? 9 : 12;  // with the sign
  constexpr unsigned kFraction = 32 - kExponent;             // of the upper 32 bits
  constexpr Key kSign = Key{1} << (kBits - 1);
  constexpr Key kOne = __builtin_bit_cast(Key, Score{1}) | kSign;
  constexpr Key kOctave = Key{1} << (kBits - kExponent);  // from the key of 0.5 to that of 1
  constexpr std::size_t kAtOnce = 256;
  const Key* __restrict keys = static_cast<const Key*>(from);
  const std::conditional_t<sizeof(Key) == 4, UnitLines, NoUnitLines> lines(octaves);
  for (std::size_t rows = 0; n > 0; keys += rows, out += rows, n -= rows) {
    rows = n < kAtOnce ? n : kAtOnce;
    if (lines.bins(keys, rows, out)) continue;
    std::uint32_t fractions[kAtOnce];
    std::uint32_t found[kAtOnce];
    for (std::size_t i = 0; i < rows; ++i) {
      const Key key = keys[i];
      const Key near_one = Key{0} - static_cast<Key>(kOne - key <= kOctave);
      const Key rest =
          Key{0} - __builtin_bit_cast(Key, Score{1} - __builtin_bit_cast(Score, key ^ kSign));
      const Key plain = (key ^ kSign) + ((key >> (kBits - 1)) ^ 1);
      const Key bits = plain ^ ((plain ^ rest) & near_one);
      const auto high = static_cast<std::uint32_t>(bits >> (kBits - 32));
      const auto table = static_cast<std::uint32_t>(near_one) & (1U << kExponent);
      fractions[i] = high & ((1U << kFraction) - 1);
      found[i] = (high >> kFraction) | table;
    }
    look_up(octaves, rows, found);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t octave = found[i];
      out[i] =
          (octave >> kUnitShiftBits) + (fractions[i] >> (octave & ((1U << kUnitShiftBits) - 1)));
    }
  }
}
