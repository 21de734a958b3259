// Inputs from a seed: random bytes, or valid ones with some of them changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "target.hpp"

namespace confmat::fuzz {

// Weyl sequence and mixer (SplitMix64, Steele, Lea and Flood 2014): ready at once from any seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

 private:
  std::uint64_t state_;
};

// The input of one execution. Depends on its arguments alone.
Bytes input_for(std::uint64_t seed, const std::vector<Bytes>& seeds);

}  // namespace confmat::fuzz
