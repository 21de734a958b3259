// The loops of each instruction set; which of them may run is decided in table.cpp.
#pragma once

#include "confmat/kernels/table.hpp"

namespace confmat {

namespace base {
extern const Kernels kTable;
}
#if defined(__x86_64__)
namespace avx2 {
extern const Kernels kTable;
}
namespace avx512 {
extern const Kernels kTable;
}
#endif

}  // namespace confmat
