// How many cores this process may keep busy, which in a container are fewer than the machine has.
#pragma once

#include <string>

namespace confmat {

// The cores that the affinity of this thread and its control groups allow; at least 1.
int usable_cores() noexcept;

// The cores' worth of time that the control groups of this process (cgroups, version 2 and 1)
// grant, rounded up; 0 where nothing limits it. `root` stands before every path that is read.
int granted_cores(const std::string& root);

}  // namespace confmat
