// A fuzz target: a function that must come back from any bytes. It catches the errors that its
// input may deserve (InputError, StateError); whatever else leaves it, a sanitizer's report or more
// than a few seconds is a find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace confmat::fuzz {

using Bytes = std::vector<std::uint8_t>;

struct Target {
  // A static object of this type puts the target on the driver's list. `seeds` are valid inputs to
  // start from; a target that draws its structures from the bytes needs none. `slow`: one input is
  // made where others get so many.
  Target(const char* name, void (*run)(std::span<const std::uint8_t>),
         std::vector<Bytes> (*seeds)() = nullptr, std::uint64_t slow = 1);

  const char* name;
  void (*run)(std::span<const std::uint8_t>);
  std::vector<Bytes> (*seeds)();
  std::uint64_t slow;
};

// Choices read from the bytes of an input; 0 when they are used up.
class Draw {
 public:
  explicit Draw(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t bits(std::size_t width = 8) {
    std::uint64_t value = 0;
    for (; width > 0; --width) {
      value = value << 8U;
      if (at_ < bytes_.size()) value |= bytes_[at_++];
    }
    return value;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits(n <= 256 ? 1 : 4)) % n; }
  bool chance(std::size_t one_in) { return below(one_in) == one_in - 1; }
  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// What a target promises of its results. A false one ends the run as a crash does.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace confmat::fuzz
