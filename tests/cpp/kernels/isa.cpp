// Every instruction set gives the same results as the plainest.
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "confmat/batch/number_dispatch.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/scores/score_key.hpp"
#include "confmat/tally/int_reader.hpp"

using namespace confmat;

namespace {

const DType kInts[] = {DType::kInt8,  DType::kInt16,  DType::kInt32,  DType::kInt64,
                       DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64};

// Lengths around every vector width, and one block.
const std::size_t kLengths[] = {0, 1, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 4096};

std::vector<std::byte> random_bytes(std::size_t n, std::mt19937_64& random) {
  std::vector<std::byte> bytes(n);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::uint32_t class_at(const void* classes, ClassWidth width, std::size_t i) {
  if (width == kClass8) return static_cast<const std::uint8_t*>(classes)[i];
  if (width == kClass16) return static_cast<const std::uint16_t*>(classes)[i];
  return static_cast<const std::uint32_t*>(classes)[i];
}

}  // namespace

TEST_CASE("each instruction set this machine has is in the table") {
  CHECK(std::string(runnable_kernels().front()->name) == "base");
  bool chosen = false;
  for (const Kernels* loops : runnable_kernels()) chosen = chosen || loops == &kernels();
  CHECK(chosen);
}

TEST_CASE("classes of random bytes: every instruction set, type, width and window") {
  std::mt19937_64 random(11);
  for (const Kernels* loops : runnable_kernels()) {
    for (const DType type : kInts) {
      for (const std::size_t n : kLengths) {
        for (const ClassWidth width : {kClass8, kClass16, kClass32}) {
          const auto size = static_cast<std::size_t>(width_of(type));
          auto memory = random_bytes(n * size + 1, random);
          const bool zeros = random() % 4 == 0;
          for (auto& byte : memory) {
            if (random() % 2 == 0 || zeros) byte &= zeros ? std::byte{0} : std::byte{3};
          }
          const std::byte* values = memory.data() + 1;  // unaligned
          const std::uint32_t span = 1 + static_cast<std::uint32_t>(random() % 250);
          const std::int64_t bases[] = {0, -3, 100, INT64_MIN, INT64_MAX - 10, -200};
          const std::int64_t base = bases[random() % 6];
          Window window;
          if (!window_of(type, base, span, span, window)) continue;
          std::vector<std::uint32_t> classes(n + 1, 0xCDCDCDCD);
          const auto classify = loops->classify[width][static_cast<std::size_t>(type)];
          const bool beyond = classify(values, n, window, classes.data());
          bool any = false;
          for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t wanted = with_int_type(type, [&](auto like) {
              decltype(like) value;
              std::memcpy(&value, values + i * size, size);
              if (value > 0 && static_cast<std::uint64_t>(value) > INT64_MAX) return span;
              const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) -
                                  static_cast<std::uint64_t>(base);
              const bool below = static_cast<std::int64_t>(value) < base;
              return below || offset >= span ? span : static_cast<std::uint32_t>(offset);
            });
            any = any || wanted == span;
            REQUIRE(class_at(classes.data(), width, i) == wanted);
          }
          REQUIRE(beyond == any);
          REQUIRE(loops->contains[width](classes.data(), n, span) == any);
          // Nothing is written beyond the last class.
          REQUIRE(class_at(classes.data(), width, n) == (width == kClass8    ? 0xCDU
                                                         : width == kClass16 ? 0xCDCDU
                                                                             : 0xCDCDCDCDU));
        }
      }
    }
  }
}

TEST_CASE("classes become others by a table: every instruction set") {
  std::mt19937_64 random(15);
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : kLengths) {
      for (const std::size_t size : {1U, 2U, 11U, 16U, 17U, 200U, 256U}) {
        std::array<std::uint8_t, 256> to{};
        for (auto& entry : to) entry = static_cast<std::uint8_t>(random());
        std::vector<std::uint8_t> classes(n + 1, 0xCD);
        for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<std::uint8_t>(random() % size);
        std::vector<std::uint8_t> wanted = classes;
        for (std::size_t i = 0; i < n; ++i) wanted[i] = to[wanted[i]];
        loops->translate8(to.data(), size, n, classes.data());
        REQUIRE(classes == wanted);
      }
    }
  }
}

TEST_CASE("extremes, null masks and codes: every instruction set") {
  std::mt19937_64 random(12);
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : kLengths) {
      for (const DType type : kInts) {
        const auto size = static_cast<std::size_t>(width_of(type));
        const auto memory = random_bytes(n * size + 1, random);
        Extremes found;
        Extremes wanted;
        loops->range[static_cast<std::size_t>(type)](memory.data() + 1, n, found);
        for (std::size_t i = 0; i < n; ++i) {
          with_int_type(type, [&](auto like) {
            decltype(like) value;
            std::memcpy(&value, memory.data() + 1 + i * size, size);
            const bool beyond = value > 0 && static_cast<std::uint64_t>(value) > INT64_MAX;
            const auto same = beyond ? INT64_MAX : static_cast<std::int64_t>(value);
            wanted.low = std::min(wanted.low, same);
            wanted.high = std::max(wanted.high, same);
          });
        }
        REQUIRE(found.low == wanted.low);
        REQUIRE(found.high == wanted.high);
      }
      for (std::int64_t offset = 0; offset < 64; ++offset) {
        const std::size_t bits = static_cast<std::size_t>(offset) + n;
        const auto validity = random_bytes((bits + 7) / 8, random);  // exactly as long as needed
        const auto* map = reinterpret_cast<const std::uint8_t*>(validity.data());
        for (const ClassWidth width : {kClass8, kClass16, kClass32}) {
          std::vector<std::uint32_t> classes(n + 1);
          loops->mask_nulls[width](map, offset, n, 9, classes.data());
          for (std::size_t i = 0; i < n; ++i) {
            const std::size_t bit = static_cast<std::size_t>(offset) + i;
            const bool valid = ((map[bit / 8] >> (bit % 8)) & 1) != 0;
            REQUIRE(class_at(classes.data(), width, i) == (valid ? 0 : 9));
          }
          REQUIRE(class_at(classes.data(), width, n) == 0);
        }
      }
    }
  }
}

TEST_CASE("codes stay within the table whatever the class bytes are") {
  std::mt19937_64 random(13);
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : kLengths) {
      const auto a = random_bytes(n * 2, random);
      const auto b = random_bytes(n * 2, random);
      const auto at = [](const std::vector<std::byte>& from, std::size_t i, std::size_t size) {
        std::uint32_t value = 0;
        std::memcpy(&value, from.data() + i * size, size);
        return value;
      };
      std::vector<std::uint32_t> codes(n);
      for (const std::uint32_t side : {2U, 12U, 16U}) {
        loops->combine8(a.data(), b.data(), n, side, codes.data());
        for (std::size_t i = 0; i < n; ++i) {
          const auto wanted =
              std::min(at(a, i, 1), side - 1) * side + std::min(at(b, i, 1), side - 1);
          REQUIRE(class_at(codes.data(), kClass8, i) == wanted);
        }
      }
      for (const std::uint32_t side : {17U, 100U, 256U}) {
        loops->combine16(a.data(), b.data(), n, side, codes.data());
        for (std::size_t i = 0; i < n; ++i) {
          const auto wanted =
              std::min(at(a, i, 1), side - 1) * side + std::min(at(b, i, 1), side - 1);
          REQUIRE(class_at(codes.data(), kClass16, i) == wanted);
        }
      }
      for (const std::uint32_t side : {257U, 5000U, 65535U}) {
        loops->combine32(a.data(), b.data(), n, side, codes.data());
        for (std::size_t i = 0; i < n; ++i) {
          const auto wanted =
              std::min(at(a, i, 2), side - 1) * side + std::min(at(b, i, 2), side - 1);
          REQUIRE(codes[i] == wanted);
        }
      }
    }
  }
}

TEST_CASE("one code only, so that each narrow counter is filled") {
  for (const Kernels* loops : runnable_kernels()) {
    const std::vector<std::uint8_t> codes(70'001, 5);
    std::array<std::uint8_t, 16> live{};
    live.fill(255);
    live[3] = 5;
    for (const Kernels::TallyFew tally : {loops->tally4, loops->tally9, loops->tally16_few}) {
      std::array<std::uint32_t, 16> counts{};
      CHECK(tally(codes.data(), codes.size(), {}, live.data(), counts.data()) == codes.size());
      CHECK(counts[3] == codes.size());
    }
  }
}

TEST_CASE("histograms of random codes: every instruction set") {
  std::mt19937_64 random(14);
  for (const Kernels* loops : runnable_kernels()) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{3}, std::size_t{70}, std::size_t{4096},
                                std::size_t{70'001}}) {
      std::vector<std::uint8_t> codes(n);
      for (auto& code : codes) code = static_cast<std::uint8_t>(random() % 20);
      std::vector<std::int64_t> wanted(65536);
      for (const auto code : codes) ++wanted[code];

      std::vector<std::uint32_t> tables(8 * 256);
      loops->tally8(codes.data(), n, {}, tables.data());
      for (std::size_t code = 0; code < 256; ++code) {
        std::int64_t sum = 0;
        for (std::size_t lane = 0; lane < 8; ++lane) sum += tables[lane * 256 + code];
        REQUIRE(sum == wanted[code]);
      }
      std::array<std::uint8_t, 16> live{};
      for (std::size_t k = 0; k < 16; ++k) live[k] = static_cast<std::uint8_t>(k + 2);
      const std::pair<Kernels::TallyFew, std::size_t> few[] = {
          {loops->tally4, 4}, {loops->tally9, 9}, {loops->tally16_few, 16}};
      for (const auto& [tally, size] : few) {
        std::array<std::uint32_t, 16> counts{};
        const std::size_t found = tally(codes.data(), n, {}, live.data(), counts.data());
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < size; ++k) {
          REQUIRE(counts[k] == wanted[live[k]]);
          sum += counts[k];
        }
        REQUIRE(static_cast<std::int64_t>(found) == sum);
      }
      const std::vector<std::uint16_t> wide(codes.begin(), codes.end());
      for (const int lanes : {1, 2, 4}) {
        std::vector<std::uint32_t> several(4 * 20);
        loops->tally16(wide.data(), n, {}, several.data(), 20, lanes);
        for (std::size_t code = 0; code < 20; ++code) {
          REQUIRE(several[code] + several[code + 20] + several[code + 40] + several[code + 60] ==
                  wanted[code]);
        }
      }
      const std::vector<std::uint32_t> widest(codes.begin(), codes.end());
      std::vector<std::int64_t> cells(19);
      CHECK(loops->tally32(widest.data(), n, cells.data(), 19) == (wanted[19] == 0));
      for (std::size_t code = 0; code < 19; ++code) REQUIRE(cells[code] == wanted[code]);
    }
  }
}

TEST_CASE("streamed bytes arrive, and no others change") {
  std::mt19937_64 random(12);
  for (const Kernels* loops : runnable_kernels()) {
    const auto from = random_bytes(2 * 4096 + 64, random);
    alignas(64) std::array<std::byte, 3 * 4096> to{};
    loops->stream_out(from.data() + 3, 2 * 4096, to.data() + 2048);
    loops->stream_end();
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool inside = i >= 2048 && i < 2048 + 2 * 4096;
      REQUIRE(to[i] == (inside ? from[3 + i - 2048] : std::byte{0}));
    }
  }
}

TEST_CASE("keys of floats: every instruction set, any bits") {
  std::mt19937_64 random(13);
  const auto check = [&]<class Bits>(Bits, auto kernel, std::initializer_list<Bits> special) {
    for (const std::size_t n : kLengths) {
      auto memory = random_bytes(n * sizeof(Bits) + 1, random);
      auto* values = memory.data() + 1;  // unaligned
      bool nan = false;
      std::vector<Bits> wanted(n);
      for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
        if (random() % 3 == 0) bits = special.begin()[random() % special.size()];
        // One nan in a few of the runs.
        if (is_nan_bits(bits) && (n % 2 == 0 || i != n / 2))
          bits &= ~(Bits{1} << (sizeof(Bits) * 8 - 3));
        std::memcpy(values + i * sizeof bits, &bits, sizeof bits);
        nan = nan || is_nan_bits(bits);
        wanted[i] = key_of_bits(bits);
      }
      std::vector<Bits> keys(n);
      CHECK(kernel(values, n, keys.data()) == !nan);
      CHECK(keys == wanted);
    }
  };
  for (const Kernels* loops : runnable_kernels()) {
    check(std::uint32_t{}, loops->keys32,
          {0U, 0x80000000U, 0x7F800000U, 0xFF800000U, 0x7FC00000U, 1U});
    check(std::uint64_t{}, loops->keys64,
          {std::uint64_t{0}, std::uint64_t{1} << 63U, 0x7FF0000000000000U, 0xFFF0000000000000U,
           0x7FF8000000000000U, std::uint64_t{1}});
  }
}

TEST_CASE("products of tiles: every instruction set") {
  std::mt19937_64 random(12);
  std::uniform_int_distribution<int> draw(-9, 9);  // sums are exact
  for (const Kernels* loops : runnable_kernels()) {
    const std::size_t rows = loops->tile_rows, columns = loops->tile_columns;
    REQUIRE(rows <= kMostTileRows);
    REQUIRE(columns <= kMostTileColumns);
    for (const std::size_t depth : {0U, 1U, 2U, 7U, 96U}) {
      std::vector<double> a(rows * depth), b(columns * depth), out(rows * (columns + 5));
      for (std::vector<double>* part : {&a, &b, &out}) {
        for (double& x : *part) x = draw(random);
      }
      std::vector<double> wanted = out;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          for (std::size_t p = 0; p < depth; ++p) {
            wanted[i * (columns + 5) + j] -= a[p * rows + i] * b[p * columns + j];
          }
        }
      }
      loops->subtract_tile(a.data(), b.data(), depth, out.data(), columns + 5);
      CHECK(out == wanted);
    }
  }
}
