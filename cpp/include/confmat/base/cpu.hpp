// What the processor at hand can run.
#pragma once

namespace confmat {

// x86-64-v3 and -v4, as in the psABI; false on every other architecture.
inline bool cpu_has_avx2() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

inline bool cpu_has_avx512() noexcept {
#if defined(__x86_64__)
  return cpu_has_avx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

// Beyond -v4: counts the bits of words of a vector.
inline bool cpu_counts_bits() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vpopcntdq") != 0;
#else
  return false;
#endif
}

}  // namespace confmat
