// Scores as unsigned integers of the same order: -inf is the least, nan is not a score, and -0.0 is
// 0.0.
#pragma once

#include <bit>
#include <cstdint>

namespace confmat {

constexpr bool is_nan_bits(std::uint32_t bits) noexcept {
  return (bits & 0x7FFFFFFFU) > 0x7F800000U;
}
constexpr bool is_nan_bits(std::uint64_t bits) noexcept {
  return (bits & 0x7FFFFFFFFFFFFFFFU) > 0x7FF0000000000000U;
}

// Of the bits of a float or double.
constexpr std::uint32_t key_of_bits(std::uint32_t bits) noexcept {
  bits = bits == 0x80000000U ? 0 : bits;
  return bits ^ ((0U - (bits >> 31U)) | 0x80000000U);
}
constexpr std::uint64_t key_of_bits(std::uint64_t bits) noexcept {
  bits = bits == 0x8000000000000000U ? 0 : bits;
  return bits ^ ((std::uint64_t{0} - (bits >> 63U)) | 0x8000000000000000U);
}

// Needs: not nan.
constexpr std::uint32_t score_key(float score) noexcept {
  return key_of_bits(std::bit_cast<std::uint32_t>(score));
}
constexpr std::uint64_t score_key(double score) noexcept {
  return key_of_bits(std::bit_cast<std::uint64_t>(score));
}

constexpr float score_of(std::uint32_t key) noexcept {
  return std::bit_cast<float>(key ^ (((key >> 31U) - 1) | 0x80000000U));
}
constexpr double score_of(std::uint64_t key) noexcept {
  return std::bit_cast<double>(key ^ (((key >> 63U) - 1) | 0x8000000000000000U));
}

// The key of the largest float32 that is not above the score, of a score or of its key. Between
// those of the least negative float32 and of 0.0 one key is no score's own.
constexpr std::uint32_t float_key(double score) noexcept {
  const auto near = static_cast<float>(score);
  return score_key(near) - (static_cast<double>(near) > score ? 1U : 0U);
}
constexpr std::uint32_t float_key(std::uint32_t key) noexcept { return key; }
constexpr std::uint32_t float_key(std::uint64_t key) noexcept { return float_key(score_of(key)); }

template <class Score>
using KeyOf = decltype(score_key(Score{}));

}  // namespace confmat
