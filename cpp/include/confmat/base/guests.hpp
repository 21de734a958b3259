// Calls on threads of the host, which outlive the end of the process: what they read would be
// destroyed under them.
#pragma once

#include "confmat/base/interrupt.hpp"

namespace confmat {

// One such call, for as long as it lives. Throws Interrupted after send_guests_off().
class Guest {
 public:
  Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  ~Guest();

 private:
  StopScope scope_;
};

// Before the process ends: interrupts the calls that run and lets no other begin. Returns when
// there is none, or after some seconds.
void send_guests_off() noexcept;

}  // namespace confmat
