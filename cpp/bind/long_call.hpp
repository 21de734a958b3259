// Work without the GIL that a signal can end. Long work gets a thread of its own, while the thread
// that called waits and runs Python's handlers of signals.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace confmat::bind {

// Runs work() without the GIL; in a thread of its own, if `is_long`. What a handler of signals
// raises (KeyboardInterrupt) is thrown once the work has stopped: see base/interrupt.hpp.
// Needs the GIL.
void run_without_gil(bool is_long, const std::function<void()>& work);

// The same; `size` is the number of rows or cells to read. Returns what work() returns, which must
// need no GIL to be moved.
template <class Work>
auto without_gil(std::int64_t size, const Work& work) {
  constexpr std::int64_t kLong = std::int64_t{1} << 20;  // less takes no 100 ms
  if constexpr (std::is_void_v<decltype(work())>) {
    run_without_gil(size >= kLong, work);
  } else {
    decltype(work()) result{};
    run_without_gil(size >= kLong, [&] { result = work(); });
    return result;
  }
}

}  // namespace confmat::bind
