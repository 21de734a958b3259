// Numbers sorted by every instruction set that can, whatever they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "confmat/kernels/table.hpp"

namespace confmat {
namespace {

constexpr std::size_t kSizes[] = {0,  1,  2,  7,   8,   9,   15,  16,   17,   31,
                                  63, 64, 65, 127, 128, 129, 200, 1000, 8193, 60000};

template <class T>
void check_sort(Kernels::Sort<T> sort, const std::string& isa) {
  if (sort == nullptr) return;
  std::mt19937_64 random(9);
  for (int shape = 0; shape < 8; ++shape) {
    for (const std::size_t n : kSizes) {
      std::vector<T> numbers(n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto any = static_cast<T>(random());
        const T shapes[] = {
            any, static_cast<T>(any % 3), T{7}, static_cast<T>(i), static_cast<T>(n - i),
            static_cast<T>(~T{0} - any % 2), static_cast<T>(any % 100 == 0 ? any : 5),
            // What a pivot is drawn from is the least of all, again and again.
            static_cast<T>(i % (n / 16 + 1) == n / 32 ? i / (n / 16 + 1) : any | 64)};
        numbers[i] = shapes[shape];
      }
      std::vector<T> wanted = numbers;
      std::sort(wanted.begin(), wanted.end());
      std::vector<T> spare(n);
      sort(numbers.data(), spare.data(), n);
      INFO(isa, " shape ", shape, " n ", n);
      CHECK(numbers == wanted);
    }
  }
}

}  // namespace

TEST_CASE("numbers are sorted: every instruction set that does so") {
  for (const Kernels* kernels : runnable_kernels()) {
    check_sort(kernels->sort32, kernels->name);
    check_sort(kernels->sort64, kernels->name);
  }
}

}  // namespace confmat
