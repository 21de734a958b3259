// Counts the calls that are under way, and waits for them when the process ends.
#include "confmat/base/guests.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace confmat {
namespace {

std::atomic<int> guests{0};
StopFlag ending{false};

}  // namespace

Guest::Guest() : scope_(&ending) {
  ++guests;
  if (!ending) return;
  --guests;
  throw Interrupted();
}

Guest::~Guest() { --guests; }

void send_guests_off() noexcept {
  constexpr int kLooks = 5'000;
  ending = true;
  for (int look = 0; look < kLooks && guests > 0; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace confmat
