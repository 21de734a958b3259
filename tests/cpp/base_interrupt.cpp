// Work that is not wanted any more ends on all of its threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/linalg/dense.hpp"
#include "confmat/linalg/determinant.hpp"
#include "confmat/tally/count.hpp"
#include "tally_columns.hpp"

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
