// Work without the GIL that a signal can end: the thread that called works, and runs Python's
// handlers of signals between the blocks of its work.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace confmat::bind {

// Runs work(); without the GIL, unless there is so `little` that nobody would wait for it. What a
// handler of signals raises (KeyboardInterrupt) is thrown once the work has stopped on all of its
// threads: see base/interrupt.hpp. Needs the GIL.
void run_without_gil(bool little, const std::function<void()>& work);

// Runs work() with the GIL: for objects, which only its holder may read. Signals end it likewise.
void with_gil(const std::function<void()>& work);

// run_without_gil; `size` is the number of rows or cells to read. Returns what work() returns,
// which must need no GIL to be moved.
template <class Work>
auto without_gil(std::int64_t size, const Work& work) {
  constexpr std::int64_t kLittle = std::int64_t{1} << 10;
  if constexpr (std::is_void_v<decltype(work())>) {
    run_without_gil(size <= kLittle, work);
  } else {
    decltype(work()) result{};
    run_without_gil(size <= kLittle, [&] { result = work(); });
    return result;
  }
}

}  // namespace confmat::bind
