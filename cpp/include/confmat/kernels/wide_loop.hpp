// Loops that others write, compiled for two instruction sets: that of every processor, and AVX2.
// Steps in doubles are those that IEEE 754 rounds, so no digit depends on which of them runs.
// A loop that writes bytes or words copies what it needs to variables of its own first: else the
// compiler takes them for what is written to, and makes no vectors.
#pragma once

namespace confmat {

// Whether the chosen instruction set (see kernels()) is more than that of every processor.
bool has_wide_vectors() noexcept;

#if defined(__x86_64__)
// All that the loop calls becomes part of it, and so of its instruction set.
template <class Loop>
__attribute__((target("avx2"), flatten)) void wide_loop_avx2(const Loop& loop) {
  loop();
}

template <class Loop>
void wide_loop(const Loop& loop) {
  if (has_wide_vectors()) return wide_loop_avx2(loop);
  loop();
}
#else
template <class Loop>
void wide_loop(const Loop& loop) {
  loop();
}
#endif

}  // namespace confmat
