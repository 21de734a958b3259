// A thread that is left behind, and who waits for it.
#include "left_to_end.hpp"

#include <pthread.h>

namespace confmat::linalg {

std::atomic<int> threads_left{0};

namespace {

// A child has none of the threads of its parent.
[[maybe_unused]] const int handlers = pthread_atfork(nullptr, nullptr, [] { threads_left = 0; });

}  // namespace

}  // namespace confmat::linalg
