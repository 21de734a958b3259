// Values to Booleans: which are 1. Included by each instruction-set file inside its own unnamed
// namespace.

template <class Value, class Mask>
bool ones(const std::byte* values, std::size_t n, std::byte* out) noexcept {
  auto* bytes = reinterpret_cast<std::uint8_t*>(out);
  Mask other = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Value value;
    __builtin_memcpy(&value, values + i * sizeof value, sizeof value);
    const Mask one = value == Value{1} ? 1 : 0;
    const Mask zero = value == Value{0} ? 1 : 0;
    other |= static_cast<Mask>(one ^ zero ^ 1);
    bytes[i] = static_cast<std::uint8_t>(one);
  }
  return other != 0;
}
