// Work that is not wanted any more ends on all of its threads.
#include "confmat/base/interrupt.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/class_set.hpp"
#include "confmat/linalg/dense.hpp"
#include "confmat/linalg/determinant.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/tally/count.hpp"
#include "support/columns.hpp"

using confmat::Interrupted;
using confmat::StopFlag;
using confmat::StopScope;

TEST_CASE("a flag is that of its thread and of the threads it starts") {
  CHECK(confmat::stop_flag() == nullptr);
  StopFlag flag{false};
  {
    const StopScope scope(&flag);
    std::atomic<int> same{0};
    confmat::run_on_threads(3, [&]() noexcept { same += confmat::stop_flag() == &flag ? 1 : 0; });
    CHECK(same >= 1);
    std::thread([&] { CHECK(confmat::stop_flag() == nullptr); }).join();
    StopFlag inner{false};
    const StopScope nested(&inner);
    CHECK(confmat::stop_flag() == &inner);
  }
  CHECK(confmat::stop_flag() == nullptr);
}

TEST_CASE("the thread of a call asks, every 50 ms, at its work and while it waits for others") {
  struct Counting final : confmat::Lookout {
    void ask() noexcept override {
      ++asked;
      here = here && std::this_thread::get_id() == thread;
      confmat::run_apart([this] { apart = apart && std::this_thread::get_id() != thread; });
      if (asked == wanted) flag = true;
    }
    std::thread::id thread = std::this_thread::get_id();
    StopFlag flag{false};
    int asked = 0, wanted = 3;
    bool here = true, apart = true;
  };
  using Clock = std::chrono::steady_clock;
  const auto napping = [](int naps) {
    for (int i = 0; i < naps; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      confmat::StopSign().obey();
    }
  };
  Counting working;
  {
    const StopScope scope(&working.flag, &working);
    const auto start = Clock::now();
    CHECK_THROWS_AS(napping(1000), Interrupted);
    CHECK(working.asked == 3);
    CHECK(Clock::now() - start >= std::chrono::milliseconds(140));
    working.wanted = 0;
    working.flag = false;
    std::thread([&] { napping(40); }).join();  // no thread of this call
    confmat::run_apart([&] { CHECK(std::this_thread::get_id() == working.thread); });
  }
  CHECK(working.asked == 3);
  Counting waiting;
  if (confmat::core_count(0) > 1) {
    const StopScope scope(&waiting.flag, &waiting);
    confmat::run_on_threads(1, [&]() noexcept {
      if (std::this_thread::get_id() == waiting.thread) return;
      while (confmat::stop_flag() != &waiting.flag || !waiting.flag) std::this_thread::yield();
    });
    CHECK(waiting.asked == 3);
  }
  CHECK((working.here && working.apart && waiting.here && waiting.apart));
}

TEST_CASE("a raised flag ends what is between the rows of a large table") {
  StopFlag flag{true};
  const StopScope scope(&flag);
  CHECK_NOTHROW(confmat::obey_between_rows(confmat::kLargeTable - 1));
  CHECK_THROWS_AS(confmat::obey_between_rows(confmat::kLargeTable), Interrupted);
}

TEST_CASE("a raised flag ends strides, tasks and parts") {
  StopFlag flag{false};
  const StopScope scope(&flag);
  std::atomic<std::int64_t> done{0};
  const auto raise_at = [&](std::int64_t limit) {
    if (++done == limit) flag = true;
  };
  const auto walk = [&] {
    for (const auto [first, last] : confmat::Strides(std::size_t{1} << 30U)) {
      raise_at(last - first == 1U << 16U ? 5 : 0);
    }
  };
  CHECK_THROWS_AS(walk(), Interrupted);
  CHECK(done == 5);
  flag = false;
  done = 0;
  CHECK_THROWS_AS(confmat::for_each_task(std::int64_t{1} << 40, 4,
                                         [&] { return [&](std::int64_t) { raise_at(100); }; }),
                  Interrupted);
  CHECK(done < 200);
  flag = false;
  done = 0;
  CHECK_THROWS_AS(confmat::for_each_part(1000, 4, [&](int) { raise_at(10); }), Interrupted);
  CHECK(done < 30);
}

TEST_CASE("counting ends within a block") {
  std::mt19937_64 random(3);
  std::vector<std::optional<std::int64_t>> values(100'000, 1);
  test::Memory memory;
  const auto column = memory.ints(values, confmat::DType::kInt8);
  StopFlag flag{true};
  const StopScope scope(&flag);
  CHECK_THROWS_AS(confmat::count({&column, 1}, {&column, 1}, {}, {}), Interrupted);
  flag = false;
  CHECK(confmat::count({&column, 1}, {&column, 1}, {}, {}).cells ==
        std::vector<std::int64_t>{100'000});
}

TEST_CASE("a decomposition is left to end and gives the same numbers where it is not") {
  constexpr std::int64_t kSize = 300;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(-1, 1);
  std::vector<double> a(kSize * kSize);
  std::ranges::generate(a, [&] { return draw(random); });
  const confmat::linalg::Det plain = confmat::linalg::determinant(a.data(), kSize);
  std::vector<double> values(kSize);
  confmat::linalg::singular_values(a.data(), kSize, values.data());
  StopFlag flag{false};
  const StopScope scope(&flag);
  const confmat::linalg::Det own = confmat::linalg::determinant(a.data(), kSize);
  CHECK(own.mantissa == plain.mantissa);
  CHECK(own.exponent == plain.exponent);
  std::vector<double> others(kSize);
  confmat::linalg::singular_values(a.data(), kSize, others.data());
  CHECK(others == values);
  flag = true;
  CHECK_THROWS_AS(confmat::linalg::determinant(a.data(), kSize), Interrupted);
  CHECK_THROWS_AS(confmat::linalg::singular_values(a.data(), kSize, others.data()), Interrupted);
  flag = false;
  CHECK(confmat::linalg::determinant(a.data(), kSize).mantissa == plain.mantissa);
}

TEST_CASE("large zeros are not waited for") {
  StopFlag flag{true};
  const StopScope scope(&flag);
  CHECK_THROWS_AS(confmat::large_zeros<std::int64_t>(1 << 20), Interrupted);
  CHECK(confmat::large_zeros<std::int64_t>(0).empty());
}

TEST_CASE("labels that are given are numbered until a signal comes") {
  StopFlag flag{true};
  const StopScope scope(&flag);
  confmat::Labels ints;
  ints.ints = {0, 1'000'000};  // too far apart for a table
  confmat::Labels texts{confmat::Labels::Kind::kText, {}, {"a", "b"}};
  for (const confmat::Labels* labels : {&ints, &texts}) {
    CHECK_THROWS_AS(static_cast<void>(confmat::fixed_classes(*labels)), Interrupted);
  }
}

TEST_CASE("states are merged, compared, saved and read until a signal comes") {
  confmat::Counts counts;
  counts.labels = std::make_shared<const confmat::LabelSet>(
      confmat::LabelSet{{confmat::Labels::Kind::kInt, {3}, {}}, confmat::Origin::kFound, 0});
  counts.rows.counted = 7;
  counts.cells = std::vector<std::int64_t>{7};
  const auto bytes = confmat::encode(counts);
  StopFlag flag{true};
  const StopScope scope(&flag);
  CHECK_THROWS_AS(static_cast<void>(confmat::added(counts, counts)), Interrupted);
  CHECK_THROWS_AS(static_cast<void>(confmat::taken_away(counts, counts)), Interrupted);
  CHECK_THROWS_AS(static_cast<void>(confmat::are_same(counts, counts)), Interrupted);
  CHECK_THROWS_AS(static_cast<void>(confmat::encode(counts)), Interrupted);
  CHECK_THROWS_AS(static_cast<void>(confmat::decode_counts(bytes)), Interrupted);
}
