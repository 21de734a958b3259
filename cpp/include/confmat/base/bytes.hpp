// Little-endian reading and writing of small binary messages. The reader checks every length
// against the bytes in hand: foreign bytes can fail it, never run past it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"

namespace confmat {

static_assert(std::endian::native == std::endian::little, "states are little-endian in memory");

// Value i of those that lie side by side from there on, aligned or not; store() sets it.
template <class T>
T load(const void* from, std::int64_t i) noexcept {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(from) + i * std::int64_t{sizeof(T)},
              sizeof value);
  return value;
}

template <class T>
void store(void* to, std::size_t i, T value) noexcept {
  std::memcpy(static_cast<std::byte*>(to) + i * sizeof value, &value, sizeof value);
}

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  // A text behind its 32-bit length.
  std::string_view text() {
    const auto bytes = take(get<std::uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A 32-bit number of items that need at least `item_bytes` each: bounds what is allocated.
  std::uint32_t count(std::size_t item_bytes) {
    const auto n = get<std::uint32_t>();
    if (n > rest_.size() / item_bytes) throw StateError("message is shorter than it claims");
    return n;
  }
  std::span<const std::uint8_t> take(std::size_t n) {
    if (n > rest_.size()) throw StateError("message is shorter than it claims");
    const auto head = rest_.first(n);
    rest_ = rest_.subspan(n);
    return head;
  }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

 private:
  std::span<const std::uint8_t> rest_;
};

class ByteWriter {
 public:
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof(T));
  }
  void text(std::string_view value) {
    put(static_cast<std::uint32_t>(value.size()));
    append(value.data(), value.size());
  }
  void append(const void* data, std::size_t n) {
    const auto* const first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + n);
  }
  // So many zeros, to be written over until more is put.
  std::uint8_t* room(std::size_t n) {
    bytes_.resize(bytes_.size() + n);
    return bytes_.data() + (bytes_.size() - n);
  }
  // Puts a value in place of what is there. Needs: it lies within the bytes.
  template <class T>
  void put_at(std::size_t at, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace confmat
