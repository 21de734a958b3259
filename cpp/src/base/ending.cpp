// Ends the process at once where a thread is left in a library that would wait for it.
#include "confmat/base/ending.hpp"

#include <cstdio>
#include <cstdlib>

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace confmat {

void end_without_destructors() noexcept {
#if defined(__GLIBC__)
  static_cast<void>(on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr));
#endif
}

}  // namespace confmat
