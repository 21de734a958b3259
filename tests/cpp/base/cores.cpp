// Cores that a container may use, read from systems made up for the test.
#include <doctest/doctest.h>

#ifdef __linux__
#include <sched.h>
#endif

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "confmat/base/cores.hpp"

using confmat::granted_cores;
using confmat::usable_cores;

namespace {

namespace fs = std::filesystem;

struct System {
  fs::path root;

  explicit System(const std::string& name) : root(fs::temp_directory_path() / name) {
    fs::remove_all(root);
    fs::create_directories(root);
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  ~System() { fs::remove_all(root); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  [[nodiscard]] int cores() const { return granted_cores(root.string()); }
};

constexpr const char* kTwo =
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

}  // namespace

TEST_CASE("cores: those of the groups of version 2, the least of all around the process") {
  const System system("confmat_cores_v2");
  CHECK(system.cores() == 0);
  system.write("proc/self/mountinfo", std::string("23 1 8:1 / / rw - ext4 /dev/sda1 rw\n") + kTwo);
  system.write("proc/self/cgroup", "0::/kube/pod/app\n");
  CHECK(system.cores() == 0);
  system.write("sys/fs/cgroup/kube/pod/app/cpu.max", "max 100000\n");
  CHECK(system.cores() == 0);
  system.write("sys/fs/cgroup/kube/pod/cpu.max", "600000 100000\n");
  CHECK(system.cores() == 6);
  system.write("sys/fs/cgroup/kube/pod/app/cpu.max", "250000 100000\n");
  CHECK(system.cores() == 3);
  system.write("sys/fs/cgroup/cpu.max", "10000 100000\n");
  CHECK(system.cores() == 1);
}

TEST_CASE("cores: those of a namespace, where the group of the process is the root") {
  const System system("confmat_cores_namespace");
  system.write("proc/self/mountinfo", kTwo);
  system.write("proc/self/cgroup", "0::/\n");
  system.write("sys/fs/cgroup/cpu.max", "400000 200000\n");
  CHECK(system.cores() == 2);
}

TEST_CASE("cores: those of the groups of version 1") {
  const System system("confmat_cores_v1");
  system.write("proc/self/mountinfo",
               "31 30 0:27 /docker/abc /sys/fs/cgroup/cpuset rw shared:9 - cgroup c rw,cpuset\n"
               "32 30 0:28 /docker/abc /sys/fs/cgroup/cpu rw shared:9 - cgroup c rw,cpu,cpuacct\n"
               "33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 c rw\n");
  system.write("proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:/docker/abc/task\n0::/x\n");
  system.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  system.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  CHECK(system.cores() == 0);
  system.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "350000\n");
  CHECK(system.cores() == 4);
  system.write("sys/fs/cgroup/cpu/task/cpu.cfs_quota_us", "150000\n");
  system.write("sys/fs/cgroup/cpu/task/cpu.cfs_period_us", "100000\n");
  CHECK(system.cores() == 2);
}

TEST_CASE("cores: lines that are none, periods of 0, limits beyond any machine") {
  const System system("confmat_cores_bad");
  system.write("proc/self/mountinfo", std::string("\n- - -\ncgroup2\n1 2 3\n") + kTwo);
  system.write("proc/self/cgroup", "\n0\n0:\n:::\n0::/a\n");
  for (const char* text : {"", "max", "100000", "100000 0", "-5 100000", "0 100000", "x y"}) {
    system.write("sys/fs/cgroup/a/cpu.max", text);
    CHECK(system.cores() == 0);
  }
  system.write("sys/fs/cgroup/a/cpu.max", "9e300 1");
  CHECK(system.cores() == 65536);
}

#ifdef __linux__
TEST_CASE("cores: no more than the affinity of the thread") {
  CHECK(usable_cores() >= 1);
  std::thread([] {
    cpu_set_t all;
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    }
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(usable_cores() == 1);
  }).join();
}
#endif
