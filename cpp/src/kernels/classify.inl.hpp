// Values to classes. Included by each instruction-set file inside its own unnamed namespace.

template <class T>
struct UnsignedOf;
template <>
struct UnsignedOf<std::int8_t> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<std::int16_t> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<std::int32_t> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<std::int64_t> {
  using Type = std::uint64_t;
};
template <>
struct UnsignedOf<std::uint8_t> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<std::uint16_t> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<std::uint32_t> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<std::uint64_t> {
  using Type = std::uint64_t;
};

template <class A, class B, bool kFirst>
struct Pick {
  using Type = A;
};
template <class A, class B>
struct Pick<A, B, false> {
  using Type = B;
};

template <class T>
inline T load(const std::byte* at) noexcept {
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}

template <class T, class Class>
bool classify(const std::byte* values, std::size_t n, const Window& window, void* out) noexcept {
  using Offset = typename UnsignedOf<T>::Type;
  using Wide = typename Pick<Offset, Class, (sizeof(Offset) > sizeof(Class))>::Type;
  Class* __restrict classes = static_cast<Class*>(out);
  const Offset lo = static_cast<Offset>(window.lo);
  const Offset last = static_cast<Offset>(window.last);
  const Wide shift = static_cast<Wide>(window.shift);
  const Wide other = static_cast<Wide>(window.other);
  Offset beyond = 0;
  // Only the result is narrowed, by a statement of its own: else the loop would not vectorise.
  for (std::size_t i = 0; i < n; ++i) {
    const Offset offset = static_cast<Offset>(load<Offset>(values + i * sizeof(T)) - lo);
    const Wide chosen = offset > last ? other : static_cast<Wide>(offset + shift);
    beyond = static_cast<Offset>(beyond | static_cast<Offset>(offset > last ? 1 : 0));
    classes[i] = static_cast<Class>(chosen);
  }
  return beyond != 0;
}

template <class Class>
bool contains(const void* in, std::size_t n, std::uint32_t wanted) noexcept {
  const Class* classes = static_cast<const Class*>(in);
  const Class sought = static_cast<Class>(wanted);
  Class any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    any = static_cast<Class>(any | static_cast<Class>(classes[i] == sought ? 1 : 0));
  }
  return any != 0;
}

void translate8(const std::uint8_t* to, [[maybe_unused]] std::size_t size, std::size_t n,
                void* in) noexcept {
  auto* classes = static_cast<std::uint8_t*>(in);
  std::size_t i = 0;
#if defined(__SSSE3__)
  if (size <= 16) {
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(to));
    for (; i + 16 <= n; i += 16) {
      auto* at = reinterpret_cast<__m128i*>(classes + i);
      _mm_storeu_si128(at, _mm_shuffle_epi8(table, _mm_loadu_si128(at)));
    }
  }
#endif
  for (; i < n; ++i) classes[i] = to[classes[i]];
}

template <class T>
void range(const std::byte* values, std::size_t n, Extremes& extremes) noexcept {
  if (n == 0) return;
  T low = load<T>(values);
  T high = low;
  for (std::size_t i = 1; i < n; ++i) {
    const T value = load<T>(values + i * sizeof(T));
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  constexpr bool kCanExceed = sizeof(T) == 8 && static_cast<T>(-1) > T{0};
  const auto narrow = [](T value) noexcept {
    const std::int64_t same = static_cast<std::int64_t>(value);
    return kCanExceed && same < 0 ? INT64_MAX : same;
  };
  if (narrow(low) < extremes.low) extremes.low = narrow(low);
  if (narrow(high) > extremes.high) extremes.high = narrow(high);
}

template <class Class>
void mask_nulls(const std::uint8_t* validity, std::int64_t first_bit, std::size_t n,
                std::uint32_t null_class, void* out) noexcept {
  Class* __restrict classes = static_cast<Class*>(out);
  const Class null = static_cast<Class>(null_class);
  const std::uint8_t* byte = validity + (first_bit >> 3);
  const unsigned shift = static_cast<unsigned>(first_bit & 7);
  std::size_t i = 0;
  // Eight rows a step. The next byte is touched only when it holds bits of these rows.
  for (; i + 8 <= n; i += 8, ++byte) {
    unsigned bits = static_cast<unsigned>(byte[0]) >> shift;
    if (shift != 0) bits |= static_cast<unsigned>(byte[1]) << (8U - shift);
    if ((bits & 255U) == 255U) continue;
    for (unsigned k = 0; k < 8; ++k) {
      classes[i + k] = ((bits >> k) & 1U) != 0 ? classes[i + k] : null;
    }
  }
  for (; i < n; ++i) {
    const std::int64_t bit = first_bit + static_cast<std::int64_t>(i);
    if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) classes[i] = null;
  }
}
