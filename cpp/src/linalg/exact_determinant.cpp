// Determinants of whole numbers: modulo primes below 2^62, put together by mixed radix digits.
#include <bit>
#include <cstddef>
#include <vector>

#include "confmat/base/interrupt.hpp"
#include "confmat/linalg/determinant.hpp"
#include "modular.hpp"

namespace confmat::linalg {
namespace {

// Every prime used is above 2^61.
constexpr int kPrimeBits = 61;
constexpr std::size_t kPrimes = kMostDetBits / kPrimeBits + 2;

// Miller and Rabin's test; these bases decide all numbers below 2^64.
bool is_prime(std::uint64_t candidate) {
  const Modulus mod(candidate);
  const int twos = std::countr_zero(candidate - 1);
  const std::uint64_t minus_one = mod.minus(0, mod.one());
  for (const std::uint64_t base : {2U, 3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U, 29U, 31U, 37U}) {
    std::uint64_t x = mod.power(mod.enter(base), (candidate - 1) >> static_cast<unsigned>(twos));
    bool passes = x == mod.one() || x == minus_one;
    for (int i = 1; i < twos && !passes; ++i) {
      x = mod.times(x, x);
      passes = x == minus_one;
    }
    if (!passes) return false;
  }
  return true;
}

const std::vector<Modulus>& moduli() {
  static const std::vector<Modulus> all = [] {
    std::vector<Modulus> found;
    for (std::uint64_t p = (std::uint64_t{1} << 62U) - 1; found.size() < kPrimes; p -= 2) {
      if (is_prime(p)) found.emplace_back(p);
    }
    return found;
  }();
  return all;
}

std::uint64_t determinant_mod(const WholeMatrix& a, const Modulus& mod,
                              std::vector<std::uint64_t>& work) {
  const auto k = static_cast<std::size_t>(a.k);
  work.resize(k * k);
  const std::uint64_t two = mod.plus(mod.one(), mod.one());
  for (std::size_t i = 0; i < k * k; ++i) {
    work[i] = mod.enter(static_cast<std::uint64_t>(a.entries[i]));
    if (!a.shifts.empty() && a.shifts[i] != 0) {
      work[i] = mod.times(work[i], mod.power(two, static_cast<std::uint64_t>(a.shifts[i])));
    }
  }
  std::uint64_t det = mod.one();
  for (std::size_t p = 0; p < k; ++p) {
    std::size_t row = p;
    while (row < k && work[row * k + p] == 0) ++row;
    if (row == k) return 0;
    if (row != p) {
      for (std::size_t j = p; j < k; ++j) std::swap(work[p * k + j], work[row * k + j]);
      det = mod.minus(0, det);
    }
    const std::uint64_t* pivot = work.data() + p * k;
    det = mod.times(det, pivot[p]);
    if (p + 1 == k) break;
    const std::uint64_t scale = mod.reciprocal(pivot[p]);
    for (std::size_t i = p + 1; i < k; ++i) {
      std::uint64_t* line = work.data() + i * k;
      if (line[p] == 0) continue;
      const std::uint64_t factor = mod.times(line[p], scale);
      for (std::size_t j = p + 1; j < k; ++j) {
        line[j] = mod.minus(line[j], mod.times(factor, pivot[j]));
      }
    }
  }
  return det;
}

}  // namespace

WideInt exact_determinant(const WholeMatrix& a, int bits) {
  thread_local std::vector<std::uint64_t> work, digits;
  const std::vector<Modulus>& all = moduli();
  const int primes = (bits + 1) / kPrimeBits + 1;  // and a bit of sign
  const auto count = static_cast<std::size_t>(primes);
  digits.clear();
  bool zero = true;
  const StopSign sign;
  for (std::size_t i = 0; i < count; ++i) {
    sign.obey();
    const Modulus& mod = all[i];
    const std::uint64_t wanted = determinant_mod(a, mod, work);
    std::uint64_t known = 0, radix = mod.one();
    for (std::size_t j = i; j > 0; --j) {
      known = mod.plus(mod.times(known, mod.enter(all[j - 1].prime())), mod.enter(digits[j - 1]));
      radix = mod.times(radix, mod.enter(all[j - 1].prime()));
    }
    const std::uint64_t digit = mod.times(mod.minus(wanted, known), mod.reciprocal(radix));
    digits.push_back(mod.leave(digit));
    zero = zero && wanted == 0;
  }
  if (zero) return {};
  WideInt value, product(1);
  for (std::size_t i = count; i > 0; --i) {
    const WideInt prime(static_cast<std::int64_t>(all[i - 1].prime()));
    value = value * prime + WideInt(static_cast<std::int64_t>(digits[i - 1]));
    product = product * prime;
  }
  const WideInt negative = value - product;
  return (negative + value).sign() > 0 ? negative : value;
}

}  // namespace confmat::linalg
