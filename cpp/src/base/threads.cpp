#include "confmat/base/threads.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace confmat {
namespace {

int find_cores() noexcept {
  if (const char* text = std::getenv("POLARS_MAX_THREADS"); text != nullptr) {
    const char* end = text + std::strlen(text);
    int value = 0;
    const auto read = std::from_chars(text, end, value);
    if (read.ec == std::errc{} && read.ptr == end && value > 0) return value;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int> extra_threads{0};  // that run now, in every call of this process

}  // namespace

int core_count(int asked) noexcept {
  if (asked > 0) return asked;
  static const int cores = find_cores();  // asking costs 10 us
  return cores;
}

ThreadShare::ThreadShare(int wanted) noexcept : size_(0) {
  const int most = core_count(0) - 1;
  int running = extra_threads.load();
  do {
    size_ = std::clamp(most - running, 0, std::max(wanted, 0));
  } while (size_ > 0 && !extra_threads.compare_exchange_weak(running, running + size_));
}

ThreadShare::~ThreadShare() { extra_threads -= size_; }

}  // namespace confmat
