// Starts threads for a call, counts them, and notices a new process after a fork.
#include "confmat/base/threads.hpp"

#include <pthread.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "confmat/base/cores.hpp"

namespace confmat {
namespace {

int find_cores() noexcept {
  if (const char* text = std::getenv("POLARS_MAX_THREADS"); text != nullptr) {
    const char* end = text + std::strlen(text);
    int value = 0;
    const auto read = std::from_chars(text, end, value);
    if (read.ec == std::errc{} && read.ptr == end && value > 0) return value;
  }
  return usable_cores();
}

std::atomic<int> cores{0};          // once they were asked for
std::atomic<int> extra_threads{0};  // that run now, in every call of this process
std::atomic<unsigned> process{0};   // forks from the process that loaded this library to this one

// A child has one thread, whatever ran in its parent when it was forked, and may get cores of its
// own. When the library is loaded and not later: a fork finds no initialisation half done.
[[maybe_unused]] const int handlers = pthread_atfork(nullptr, nullptr, [] {
  ++process;
  extra_threads = 0;
  cores = 0;
});

}  // namespace

int core_count(int asked) noexcept {
  if (asked > 0) return asked;
  if (cores == 0) cores = find_cores();  // asking costs 100 us; two threads may both ask
  return cores;
}

ThreadShare::ThreadShare(int wanted) noexcept : size_(0), process_(process) {
  const int most = core_count(0) - 1;
  int running = extra_threads.load();
  do {
    size_ = std::clamp(most - running, 0, std::max(wanted, 0));
  } while (size_ > 0 && !extra_threads.compare_exchange_weak(running, running + size_));
}

ThreadShare::~ThreadShare() {
  if (process_ == process) extra_threads -= size_;
}

}  // namespace confmat
