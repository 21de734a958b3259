// Random numbers that are the same on every machine: xoshiro256++ (Blackman and Vigna, 2021,
// https://doi.org/10.1145/3460772), its state from splitmix64. A seed has 2^64 streams, so that
// what is drawn from one does not depend on who draws from the others.
// Cost: 1 ns a number.
#pragma once

#include <bit>
#include <cstdint>

namespace confmat {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept {
    std::uint64_t at = mixed(mixed(seed) + stream);
    for (std::uint64_t& word : state_) word = mixed(at += kGolden);
  }

  std::uint64_t bits() noexcept {
    const std::uint64_t out = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return out;
  }

  // A multiple of 2^-53 in [0, 1).
  double uniform() noexcept { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

  // A whole number below n, each as likely as the others (Lemire, 2019,
  // https://doi.org/10.1145/3230636). Needs: n is not 0.
  std::uint32_t below(std::uint32_t n) noexcept {
    std::uint64_t product = (bits() >> 32U) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t rest = -n % n;
      while (static_cast<std::uint32_t>(product) < rest) product = (bits() >> 32U) * n;
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

  static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }

  std::uint64_t state_[4];
};

}  // namespace confmat
