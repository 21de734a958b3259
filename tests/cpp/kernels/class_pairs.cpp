// Pairs of few classes, as every instruction set that has the loop counts them.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/tally/code_histogram.hpp"

using namespace confmat;

namespace {

using Classes = std::vector<std::uint8_t>;

// Mostly below `classes`; one of `every` rows has any class up to `most`.
Classes some_classes(std::mt19937_64& random, std::size_t n, unsigned classes, unsigned most,
                     unsigned every) {
  Classes out(n);
  for (auto& one : out) {
    one =
        static_cast<std::uint8_t>(random() % (every > 0 && random() % every == 0 ? most : classes));
  }
  return out;
}

}  // namespace

TEST_CASE("pairs of few classes: counters of every pair, of rows with rare classes, too") {
  std::mt19937_64 random(11);
  for (const Kernels* const loops : runnable_kernels()) {
    if (loops->tally_classes == nullptr) continue;
    for (const std::size_t n : {0UL, 1UL, 63UL, 511UL, 512UL, 513UL, 4095UL, 4096UL, 10'000UL}) {
      for (const unsigned classes : {1U, 2U, 3U, 5U, 10U, 14U}) {
        for (const unsigned every : {0U, 1U, 50U, 2000U}) {
          const auto truth = some_classes(random, n, classes, 16, every);
          const auto prediction = some_classes(random, n, classes, 16, every / 2);
          std::vector<std::uint64_t> wanted(kFewClasses * kFewClasses), found(wanted.size());
          for (std::size_t i = 0; i < n; ++i) ++wanted[truth[i] * kFewClasses + prediction[i]];
          std::vector<std::uint64_t> counters(8 * wanted.size(), 0);
          const Ahead ahead{.at = {reinterpret_cast<const std::byte*>(truth.data()),
                                   reinterpret_cast<const std::byte*>(prediction.data())},
                            .width = {1, 16}};
          for (int times = 1; times <= 2; ++times) {
            loops->tally_classes(truth.data(), prediction.data(), n, classes, ahead,
                                 counters.data());
            for (std::size_t pair = 0; pair < wanted.size(); ++pair) {
              const auto at = counters.begin() + static_cast<std::ptrdiff_t>(8 * pair);
              found[pair] = std::accumulate(at, at + 8, std::uint64_t{0});
              if (times == 2) found[pair] /= 2;
            }
            CHECK((found == wanted));
          }
        }
      }
    }
  }
}

TEST_CASE("a histogram of classes and one of their codes are the same") {
  std::mt19937_64 random(12);
  for (const std::uint32_t classes : {1U, 4U, 10U, 14U, 15U}) {
    const std::size_t n = 5'000, side = classes + 2;
    const auto most = static_cast<unsigned>(side);
    const auto truth = some_classes(random, n, classes, most, 9);
    const auto prediction = some_classes(random, n, classes, most, 9);
    std::vector<std::int64_t> wanted(side * side), found;
    for (std::size_t i = 0; i < n; ++i) ++wanted[truth[i] * side + prediction[i]];
    std::vector<std::uint32_t> codes(n);
    CodeHistogram histogram(classes);
    histogram.add(truth.data(), prediction.data(), n, codes.data(), {});
    CHECK(histogram.take(found));
    CHECK((found == wanted));
  }
}
