// Threads of calls: all work is done by as many as there are, and they are shared.
#include "confmat/base/threads.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

using confmat::core_count;
using confmat::for_each_task;
using confmat::over_ranges;
using confmat::thread_count;
using confmat::ThreadShare;

TEST_CASE("threads: as many as asked for, and at least one") {
  CHECK(core_count(3) == 3);
  CHECK(core_count(0) >= 1);
  CHECK(core_count(0) == core_count(0));
  CHECK(thread_count(8, 1000) == 1);
  CHECK(thread_count(8, std::int64_t{1} << 30) == 8);
  CHECK(thread_count(100'000, std::int64_t{1} << 50) == 1024);
}

TEST_CASE("threads: all shares together stay below the cores") {
  const int most = core_count(0) - 1;
  {
    const ThreadShare nothing(0);
    CHECK(nothing.size() == 0);
    std::vector<std::unique_ptr<ThreadShare>> shares;
    int sum = 0;
    for (int i = 0; i < most + 5; ++i) {
      shares.push_back(std::make_unique<ThreadShare>(2));
      sum += shares.back()->size();
    }
    CHECK(sum == most);
    // No thread is left: a call does its work alone.
    std::atomic<int> done{0};
    for_each_task(1000, 8, [&] { return [&](std::int64_t) { ++done; }; });
    CHECK(done == 1000);
  }
  CHECK(ThreadShare(most).size() == most);
}

TEST_CASE("threads: a process forked in the middle of a call has threads again") {
  const int most = core_count(0) - 1;
  auto share = std::make_unique<ThreadShare>(most);
  REQUIRE(share->size() == most);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    bool good = ThreadShare(most).size() == most;
    share.reset();  // that of the parent, which gives nothing back here
    const ThreadShare all(most);
    good = good && all.size() == most && ThreadShare(most).size() == 0;
    std::atomic<int> done{0};
    for_each_task(1000, 8, [&] { return [&](std::int64_t) { ++done; }; });
    _exit(good && done == 1000 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(ThreadShare(most).size() == 0);
}

TEST_CASE("threads: each task and each range runs once, whatever the threads") {
  for (const int threads : {1, 2, 3, 16, 100}) {
    for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 10'000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));
      for_each_task(n, threads,
                    [&] { return [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; }; });
      int wrong = 0;
      for (const auto& count : runs) wrong += count == 1 ? 0 : 1;
      CHECK(wrong == 0);
    }
    const std::int64_t rows = (std::int64_t{1} << 20) + 17;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(threads));
    over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
      sizes[static_cast<std::size_t>(part)] += last - first;
    });
    std::int64_t sum = 0;
    for (const auto size : sizes) sum += size;
    CHECK(sum == rows);
  }
}

TEST_CASE("threads: errors arrive, that of the lowest range first") {
  const auto fail = [](std::int64_t i) {
    if (i == 500) throw std::runtime_error("task");
  };
  CHECK_THROWS_WITH(for_each_task(1000, 4, [&] { return fail; }), "task");
  CHECK_THROWS_WITH(over_ranges(8, std::int64_t{1} << 20,
                                [](int part, std::int64_t, std::int64_t) {
                                  if (part >= 2) throw std::runtime_error(std::to_string(part));
                                }),
                    "2");
}
