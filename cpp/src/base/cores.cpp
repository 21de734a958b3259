// Reads affinity and the limits of control groups.
#include "confmat/base/cores.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace confmat {
namespace {

// One line of /proc/self/mountinfo about control groups.
struct Mount {
  bool unified = false;  // version 2
  std::string root;      // the group that is seen at `point`
  std::string point;
};

bool lists(const std::string& words, std::string_view wanted) {
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, ',');) {
    if (word == wanted) return true;
  }
  return false;
}

// ID, parent, device, root, point, options, any more, "-", type, source, options of the system.
std::optional<Mount> read_mount(const std::string& line) {
  std::istringstream in(line);
  std::string skipped, type, options;
  Mount mount;
  in >> skipped >> skipped >> skipped >> mount.root >> mount.point;
  while (in >> skipped && skipped != "-") {
  }
  in >> type >> skipped >> options;
  mount.unified = type == "cgroup2";
  if (!mount.unified && !(type == "cgroup" && lists(options, "cpu"))) return std::nullopt;
  return mount;
}

// The group of this process in the hierarchy of version 2 ("0::/path") or in that of version 1
// which governs processors ("4:cpu,cpuacct:/path").
std::optional<std::string> own_group(const std::string& root, bool unified) {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() && line[0] == '0' : lists(controllers, "cpu")) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

// Microseconds of time in a period of so many; 0 where there is no limit, or no such file.
double quota_of(const std::string& folder, bool unified) {
  double quota = 0;
  double period = 0;
  if (unified) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;  // "max" is no number
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;  // -1: no limit
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

// The least that the group and those around it grant.
double least_quota(const std::string& point, std::string group, bool unified) {
  double least = 0;
  while (true) {
    const double quota = quota_of(point + group, unified);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
    if (group.empty()) return least;
    group.resize(group.find_last_of('/') == std::string::npos ? 0 : group.find_last_of('/'));
  }
}

#ifdef __linux__
int affine_cores() {
  for (std::size_t cpus = 1024; cpus <= (std::size_t{1} << 20); cpus *= 2) {
    std::vector<cpu_set_t> set(cpus / (8 * sizeof(cpu_set_t)));
    const std::size_t bytes = set.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, set.data()) == 0) return CPU_COUNT_S(bytes, set.data());
  }
  return 0;
}
#else
int affine_cores() { return 0; }
#endif

}  // namespace

int granted_cores(const std::string& root) {
  double least = 0;
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const auto mount = read_mount(line);
    if (!mount) continue;
    auto group = own_group(root, mount->unified);
    if (!group) continue;
    // What lies above the mounted group is not to be seen.
    if (mount->root != "/" && group->starts_with(mount->root)) group->erase(0, mount->root.size());
    const double quota = least_quota(root + mount->point, *group, mount->unified);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
  }
  return least == 0 ? 0 : static_cast<int>(std::clamp(std::ceil(least), 1.0, 65536.0));
}

int usable_cores() noexcept {
  int cores = 0;
  try {
    cores = affine_cores();
    if (cores <= 0) cores = static_cast<int>(std::thread::hardware_concurrency());
    const int granted = granted_cores("");
    if (granted > 0) cores = std::min(cores, granted);
    // NOLINTNEXTLINE(bugprone-empty-catch): without memory, with what is known
  } catch (const std::exception&) {
  }
  return std::max(1, cores);
}

}  // namespace confmat
