// Loops that others write, compiled for two instruction sets: that of every processor, and AVX2.
// Steps in doubles are those that IEEE 754 rounds, so no digit depends on which of them runs.
// A loop is a copy, so that nothing it writes can be what it captured by value; what it captured by
// reference, or reads of an object, it copies first, or the compiler makes no vectors.
#pragma once

namespace confmat {

// Whether the chosen instruction set (see kernels()) is more than that of every processor.
bool has_wide_vectors() noexcept;

#if defined(__x86_64__)
// All that the loop calls becomes part of it, and so of its instruction set.
template <class Loop>
__attribute__((target("avx2"), flatten)) void wide_loop_avx2(Loop loop) {
  loop();
}

template <class Loop>
void wide_loop(Loop loop) {
  if (has_wide_vectors()) return wide_loop_avx2(loop);
  loop();
}
#else
template <class Loop>
void wide_loop(Loop loop) {
  loop();
}
#endif

}  // namespace confmat
