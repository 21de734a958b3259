// Runs of equal keys, as every instruction set finds them: nothing is written behind the last.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/scores/score_key.hpp"

namespace confmat {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 1000, 5000};

template <class Key, class Score>
void check_runs(Kernels::Runs<Key, Score> runs, const std::string& isa) {
  std::mt19937_64 random(23);
  constexpr Score kBehind = -7;
  constexpr std::uint32_t kCountBehind = 0xCDCDCDCD;
  const Key lows[] = {0, score_key(Score{0}) - 40, score_key(Score{0}), score_key(Score{0.25})};
  for (const std::uint64_t distinct : {1U, 3U, 40U, 1000U, 1'000'000U}) {
    for (const std::size_t n : kSizes) {
      for (const Key low : lows) {
        std::vector<Key> entries(n);
        for (Key& entry : entries) {
          entry = static_cast<Key>(2 * (random() % distinct) + (random() % 3 == 0 ? 1 : 0));
        }
        std::sort(entries.begin(), entries.end());
        std::vector<Score> scores;
        std::vector<std::uint32_t> positives, negatives;
        for (std::size_t i = n; i-- > 0;) {
          if (i + 1 == n || entries[i] / 2 != entries[i + 1] / 2) {
            scores.push_back(score_of(static_cast<Key>(low + entries[i] / 2)));
            positives.push_back(0);
            negatives.push_back(0);
          }
          ++(entries[i] % 2 == 1 ? positives : negatives).back();
        }
        const std::size_t wanted = scores.size();
        scores.push_back(kBehind);
        positives.push_back(kCountBehind);
        negatives.push_back(kCountBehind);
        std::vector<Score> found(wanted + 1, kBehind);
        std::vector<std::uint32_t> ones(wanted + 1, kCountBehind), others(wanted + 1, kCountBehind);
        const std::size_t written =
            runs(entries.data(), n, low, found.data(), ones.data(), others.data());
        INFO(isa, " n ", n, " distinct ", distinct);
        CHECK(written == wanted);
        CHECK(std::equal(found.begin(), found.end(), scores.begin(),
                         [](Score a, Score b) { return score_key(a) == score_key(b); }));
        CHECK(ones == positives);
        CHECK(others == negatives);
      }
    }
  }
}

}  // namespace

TEST_CASE("runs of equal keys: every instruction set") {
  for (const Kernels* kernels : runnable_kernels()) {
    check_runs(kernels->runs32, kernels->name);
    check_runs(kernels->runs64, kernels->name);
  }
}

}  // namespace confmat
