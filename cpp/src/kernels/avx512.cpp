// The loops for x86-64-v4.
#if defined(__x86_64__)
#define CONFMAT_ISA avx512
#include "body.inl.hpp"
#endif
