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
  for (; n > 0;) {
    const std::size_t rows = n < kAtOnce ? n : kAtOnce;
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
    keys += rows;
    out += rows;
    n -= rows;
  }
}
