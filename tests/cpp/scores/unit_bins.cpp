// The bins called "unit": each holds what lies in [lower, upper), of floats and doubles alike.
#include "confmat/scores/unit_bins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "confmat/base/half.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/scores/score_key.hpp"

using confmat::score_key;
using confmat::UnitBins;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const UnitBins<std::uint32_t> kFloats;
const UnitBins<std::uint64_t> kDoubles;

std::size_t bin_of(double score) { return kDoubles.bin(score_key(score)); }
std::size_t bin_of(float score) { return kFloats.bin(score_key(score)); }

template <class Score>
bool holds(Score score) {
  const std::size_t bin = bin_of(score);
  const auto at = static_cast<double>(score);
  if (bin >= kDoubles.size() || at < kDoubles.lower(bin)) return false;
  return at < kDoubles.lower(bin + 1) || (at == kInf && bin + 1 == kDoubles.size());
}

template <class Score>
void check_around(Score score) {
  constexpr Score kEnd = std::numeric_limits<Score>::infinity();
  for (const Score one : {std::nextafter(score, -kEnd), score, std::nextafter(score, kEnd)}) {
    CAPTURE(static_cast<double>(one));
    CHECK(holds(one));
    CHECK(bin_of(one) == bin_of(static_cast<double>(one)));
  }
}

// How far apart the bounds of its bin are, of the distance to the nearer end of [0, 1].
double relative_width(double score) {
  const std::size_t bin = bin_of(score);
  const double nearer = std::min(score, 1 - score);
  return (kDoubles.lower(bin + 1) - kDoubles.lower(bin)) / nearer;
}

}  // namespace

TEST_CASE("unit bins: bounds increase, and what is beside them lies on its side") {
  CHECK(kDoubles.size() == 131'051);
  CHECK(kDoubles.lower(0) == -kInf);
  CHECK(kDoubles.lower(kDoubles.size() - 1) == kInf);
  for (std::size_t bin = 1; bin < kDoubles.size(); ++bin) {
    const double lower = kDoubles.lower(bin);
    CHECK(lower > kDoubles.lower(bin - 1));
    CHECK(bin_of(lower) == bin);
    check_around(lower);
    check_around(static_cast<float>(lower));
  }
}

TEST_CASE("unit bins: every exponent of floats and doubles") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400'000; ++round) {
    const auto wide = std::bit_cast<double>(random());
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(wide)) CHECK(holds(wide));
    if (std::isnan(narrow)) continue;
    CHECK(holds(narrow));
    CHECK(bin_of(narrow) == bin_of(static_cast<double>(narrow)));
  }
  for (const double score : {0.0, 0.5, 1.0, kInf, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, double{FLT_MAX},
                             double{FLT_MIN}, double{FLT_TRUE_MIN}, 0x1p128}) {
    check_around(score);
    check_around(-score);
    check_around(static_cast<float>(score));
    check_around(static_cast<float>(-score));
  }
  CHECK(bin_of(-0.0) == bin_of(0.0));
  CHECK(bin_of(-0.0F) == bin_of(0.0F));
}

TEST_CASE("unit bins: every instruction set, whole blocks of any keys") {
  std::mt19937_64 random(4);
  for (const std::size_t n : {1U, 15U, 64U, 1000U}) {
    std::vector<std::uint32_t> narrow(n);
    std::vector<std::uint64_t> wide(n);
    for (std::uint32_t& key : narrow) key = static_cast<std::uint32_t>(random());
    for (std::uint64_t& key : wide) key = random();
    for (std::size_t i = 0; i < n; i += 2) {  // those of [0, 1) as well
      narrow[i] = score_key(static_cast<float>(narrow[i] >> 8U) * 0x1p-24F);
      wide[i] = score_key(static_cast<double>(wide[i] >> 11U) * 0x1p-53);
    }
    for (const confmat::Kernels* loops : confmat::runnable_kernels()) {
      CAPTURE(loops->name);
      const auto check = [&](const auto& bins, const auto& keys, auto kernel) {
        std::vector<std::uint32_t> found(n);
        kernel(keys.data(), n, confmat::unit_octaves(keys[0]), found.data());
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(found[i] == bins.bin(keys[i]));
          CHECK(found[i] < bins.size());
        }
      };
      check(kFloats, narrow, loops->unit_bins32);
      check(kDoubles, wide, loops->unit_bins64);
    }
  }
}

TEST_CASE("unit bins: blocks of [0, 1] alone, on every instruction set, as doubles of them") {
  constexpr auto kOne = std::bit_cast<std::uint32_t>(1.0F);
  std::mt19937 random(6);
  std::vector<float> scores = {0.0F, 1.0F};
  for (int exponent = -149; exponent < 0; ++exponent) {
    const float power = std::ldexp(1.0F, exponent);
    for (const float near : {power, 1 - power}) {
      scores.insert(scores.end(), {std::nextafter(near, 0.0F), near, std::nextafter(near, 1.0F)});
    }
  }
  while (scores.size() < 100'000) {
    scores.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random()) % (kOne + 1)));
    scores.push_back(1 - scores.back());
  }
  std::vector<std::uint32_t> keys(scores.size());
  std::ranges::transform(scores, keys.begin(), [](float score) { return score_key(score); });
  std::vector<std::uint32_t> found(scores.size());
  for (const confmat::Kernels* loops : confmat::runnable_kernels()) {
    CAPTURE(loops->name);
    loops->unit_bins32(keys.data(), keys.size(), confmat::unit_octaves(keys[0]), found.data());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(scores[i]);
      CHECK(found[i] == bin_of(static_cast<double>(scores[i])));
    }
  }
}

TEST_CASE("unit bins: as narrow as they are said to be") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int round = 0; round < 200'000; ++round) {
    const double distance = std::exp2(-36 * part(random));
    for (const double score : {distance / 2, 1 - distance / 2}) {
      const double nearer = std::min(score, 1 - score);
      const std::size_t bin = bin_of(score);
      CAPTURE(score);
      CHECK(kDoubles.lower(bin + 1) - kDoubles.lower(bin) <= 0x1p-15);
      // Rounded to a double, 1 - s of a bound is that of the bin's other end at most.
      if (nearer < 0x1p-5) CHECK(relative_width(score) <= (nearer > 0x1p-20 ? 0x1p-11 : 0x1p-8));
    }
  }
}

TEST_CASE(
    "unit bins: one value each of float16, bfloat16, k / 255 and k / 1000; of small integers") {
  const auto distinct = [](const std::vector<double>& ascending) {
    for (std::size_t i = 1; i < ascending.size(); ++i) {
      CAPTURE(ascending[i]);
      CHECK(bin_of(ascending[i - 1]) < bin_of(ascending[i]));
    }
  };
  std::vector<double> halves, brains, integers;
  for (std::uint16_t bits = 0; bits <= 0x3C00; ++bits) {
    halves.push_back(static_cast<double>(confmat::float_of_half(bits)));
  }
  for (std::uint32_t bits = 0; bits <= 0x3F80; ++bits) {
    brains.push_back(static_cast<double>(std::bit_cast<float>(bits << 16U)));
  }
  for (int i = -255; i < 256; ++i) integers.push_back(i);
  for (const auto& values : {halves, brains, integers}) distinct(values);
  for (const int steps : {255, 1000}) {
    std::vector<double> parts;
    for (int i = 0; i <= steps; ++i) parts.push_back(static_cast<double>(i) / steps);
    distinct(parts);
  }
}

TEST_CASE("unit bins: levels join neighbours, and 0, 1 and the powers of two between begin a bin") {
  constexpr std::size_t kSizes[] = {131'051, 65'526, 32'764, 16'383, 8'192,
                                    4'097,   2'049,  1'025,  513};
  for (unsigned level = 0; level <= confmat::kMostUnitLevel; ++level) {
    CAPTURE(level);
    const UnitBins<std::uint64_t> coarse(level);
    const UnitBins<std::uint32_t> floats(level);
    CHECK(coarse.size() == kSizes[level]);
    CHECK(coarse.lower(0) == -kInf);
    CHECK(coarse.lower(coarse.size()) == kInf);
    const confmat::UnitJoin join(0, level);
    std::vector<std::uint32_t> joined(coarse.size());
    for (std::uint32_t bin = 0; bin < kDoubles.size(); ++bin) {
      const std::uint32_t found = join(bin);
      if (joined[found]++ == 0) CHECK(join.first(found) == bin);
      for (unsigned between = 0; between <= level; ++between) {
        CHECK(confmat::UnitJoin(between, level)(confmat::UnitJoin(0, between)(bin)) == found);
      }
    }
    const confmat::UnitLevel at = confmat::unit_level(level);
    for (std::uint32_t bin = 0; bin < coarse.size(); ++bin) {
      CHECK(joined[bin] >= 1);
      CHECK(joined[bin] <= 1U << level);
      const bool is_first = bin == 0 || bin == at.zero || bin + 1 == coarse.size();
      if (!is_first) CHECK(joined[bin] == 1U << level);
      const double lower = coarse.lower(bin);
      if (bin + 1 < coarse.size()) CHECK(lower < coarse.lower(bin + 1));
      CHECK(coarse.bin(score_key(lower)) == bin);
      if (bin > 0) CHECK(coarse.bin(score_key(std::nextafter(lower, -kInf))) == bin - 1);
      CHECK(floats.bin(score_key(static_cast<float>(lower))) ==
            coarse.bin(score_key(static_cast<double>(static_cast<float>(lower)))));
    }
    CHECK(coarse.lower(at.zero) == 0.0);
    CHECK(coarse.lower(at.one) == 1.0);
    for (int exponent = -126; exponent < 0; ++exponent) {
      const double power = std::ldexp(1.0, exponent);
      CHECK(coarse.lower(coarse.bin(score_key(power))) == power);
    }
  }
}

TEST_CASE("unit bins: each k / 255 has a bin of its own up to level 7") {
  for (unsigned level = 0; level <= confmat::kMostUnitLevel; ++level) {
    const UnitBins<std::uint32_t> bins(level);
    bool apart = true;
    for (int k = 1; k <= 255; ++k) {
      const auto bin = [&](int i) { return bins.bin(score_key(static_cast<float>(i) / 255)); };
      apart = apart && bin(k) != bin(k - 1);
    }
    CHECK(apart == (level < 8));
  }
}
