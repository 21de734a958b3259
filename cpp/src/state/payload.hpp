// Arrays of numbers in payloads: unsigned integers as narrow as the largest of them allows,
// doubles, and the further parts of exact sums.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/codec.hpp"
#include "confmat/state/exact_sums.hpp"
#include "confmat/state/packed_numbers.hpp"

namespace confmat {

// What the cells are: bits of the byte that says whether states can be added as they are.
inline constexpr std::uint8_t kFloatCells = 1;
inline constexpr std::uint8_t kSquareCells = 2;

// Throws StateError where fewer than n items of so many bytes are left.
inline void require_left(const ByteReader& reader, std::uint64_t n, std::size_t bytes) {
  if (n > reader.left() / bytes) throw StateError("the state is shorter than it claims");
}

// Puts at(0) ... at(n - 1), in so many bytes each.
template <class At>
void put_each(ByteWriter& out, std::size_t n, unsigned width, const At& at) {
  with_unsigned(width, [&]<class To>(To) {
    std::uint8_t* const to = out.room(n * sizeof(To));
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) store(to, i, static_cast<To>(at(i)));
    }
  });
}

template <class T>
void put_numbers(ByteWriter& out, std::span<const T> values, unsigned width) {
  if (width == sizeof(T)) return out.append(values.data(), values.size_bytes());
  put_each(out, values.size(), width, [values](std::size_t i) { return values[i]; });
}

template <class T>
std::vector<T> take_numbers(ByteReader& reader, std::size_t n, unsigned width) {
  require_left(reader, n, width);
  const Bytes bytes = reader.take(n * width);
  std::vector<T> out(n);
  if (width == sizeof(T)) {
    if (n > 0) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  with_unsigned(width, [&]<class From>(From) {
    for (const auto [first, last] : Strides(n)) {
      for (std::size_t i = first; i < last; ++i) {
        out[i] = static_cast<T>(load<From>(bytes.data(), static_cast<std::int64_t>(i)));
      }
    }
  });
  return out;
}

// Numbers of all their bytes, floats too.
template <class T>
void put_array(ByteWriter& out, std::span<const T> values) {
  out.append(values.data(), values.size_bytes());
}
template <class T>
std::vector<T> take_array(ByteReader& reader, std::size_t n) {
  require_left(reader, n, sizeof(T));
  std::vector<T> out(n);
  if (n > 0) std::memcpy(out.data(), reader.take(n * sizeof(T)).data(), n * sizeof(T));
  return out;
}

void put_leads(ByteWriter& out, const ExactSums& sums);
void put_tails(ByteWriter& out, const ExactSums& sums);
std::vector<Tail> take_tails(ByteReader& reader);

// A state within a state: its size, and its bytes.
void put_state(ByteWriter& out, const std::vector<std::uint8_t>& bytes);
// Several, in memory that is asked for once.
void put_states(ByteWriter& out, const std::vector<std::vector<std::uint8_t>>& states);
Bytes take_state(ByteReader& reader);

// Leads and tails of so many sums, checked. Throws StateError as check_sums.
ExactSums take_sums(ByteReader& reader, std::size_t n, const char* what);

// Throws StateError: a sum that is negative, nan or infinite (unless that may be), parts that are
// not those of its sum.
void check_sums(const ExactSums& sums, bool may_be_infinite, const char* what);

}  // namespace confmat
