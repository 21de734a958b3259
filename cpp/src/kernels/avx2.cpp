// The loops for x86-64-v3.
#if defined(__x86_64__)
#define CONFMAT_ISA avx2
#include "body.inl.hpp"
#endif
