// Keys of scores to the bins called "unit" (confmat/scores/unit_bins.hpp). Included by each
// instruction-set file inside its own unnamed namespace.

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
  const Key* __restrict keys = static_cast<const Key*>(from);
  for (std::size_t i = 0; i < n; ++i) {
    const Key key = keys[i];
    const Key near_one = Key{0} - static_cast<Key>(kOne - key <= kOctave);
    const Key rest =
        Key{0} - __builtin_bit_cast(Key, Score{1} - __builtin_bit_cast(Score, key ^ kSign));
    const Key plain = (key ^ kSign) + ((key >> (kBits - 1)) ^ 1);
    const Key bits = plain ^ ((plain ^ rest) & near_one);
    const auto high = static_cast<std::uint32_t>(bits >> (kBits - 32));
    const auto table = static_cast<std::uint32_t>(near_one) & (1U << kExponent);
    const std::uint32_t octave = octaves[(high >> kFraction) | table];
    out[i] = (octave >> kUnitShiftBits) +
             ((high & ((1U << kFraction) - 1)) >> (octave & ((1U << kUnitShiftBits) - 1)));
  }
}
