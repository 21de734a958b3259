// Floats to keys of the same order (confmat/scores/score_key.hpp). Included by each instruction-set
// file inside its own unnamed namespace.

template <class Bits>
bool order_keys(const std::byte* values, std::size_t n, void* out) noexcept {
  constexpr unsigned kSign = sizeof(Bits) * 8 - 1;
  constexpr Bits kTop = Bits{1} << kSign;  // the bits of -0.0, which gets the key of 0.0
  constexpr Bits kInfinity =
      static_cast<Bits>(sizeof(Bits) == 4 ? 0x7F800000U : 0x7FF0000000000000U);
  Bits* __restrict keys = static_cast<Bits*>(out);
  Bits beyond = 0;  // a nan sets its sign bit: the smallest vectors can do that, too
  for (std::size_t i = 0; i < n; ++i) {
    const Bits bits = load<Bits>(values + i * sizeof(Bits));
    beyond |= kInfinity - (bits & ~kTop);
    const Bits one_zero = bits == kTop ? Bits{0} : bits;
    keys[i] = one_zero ^ ((Bits{0} - (one_zero >> kSign)) | kTop);
  }
  return (beyond >> kSign) == 0;
}
