// Blocks that were given up are taken again where they fit, and no more of them than agreed.
#include "confmat/base/kept_blocks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

#include "confmat/base/pages.hpp"

using confmat::KeptBlocks;
using confmat::MemoryBlock;
using From = confmat::MemoryBlock::From;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

// Blocks are told by their addresses; nothing is read.
struct Kept {
  KeptBlocks blocks;
  std::array<std::byte, 64> memory{};
  std::array<MemoryBlock, KeptBlocks::kBlocks> gone;

  std::size_t put(std::size_t number, std::size_t size, From from = From::kMalloc) {
    return blocks.put({&memory.at(number), size, from}, gone);
  }
  std::byte* take(std::size_t size, From from = From::kMalloc) {
    return blocks.take(size, from).memory;
  }
};

}  // namespace

TEST_CASE("the smallest kept block of a kind that fits is taken, once") {
  Kept kept;
  CHECK(kept.put(0, kMiB) == 0);
  CHECK(kept.put(1, kMiB - 64) == 0);
  CHECK(kept.put(2, kMiB - 128, From::kUsualPages) == 0);
  CHECK(kept.take(kMiB / 2) == nullptr);  // much would be left over
  CHECK(kept.take(kMiB + 1) == nullptr);
  CHECK(kept.take(kMiB - 100, From::kHugePages) == nullptr);
  CHECK(kept.take(kMiB - 100) == &kept.memory[1]);
  CHECK(kept.take(kMiB - 100) == &kept.memory[0]);
  CHECK(kept.take(kMiB - 200) == nullptr);
  CHECK(kept.take(kMiB - 200, From::kUsualPages) == &kept.memory[2]);
}

TEST_CASE("few and large blocks are kept, the oldest go first") {
  Kept kept;
  CHECK(kept.put(0, KeptBlocks::kLeast - 1) == 1);
  CHECK(kept.gone[0].memory == kept.memory.data());
  CHECK(kept.put(0, KeptBlocks::kMost + 1) == 1);
  for (std::size_t i = 0; i < KeptBlocks::kBlocks; ++i) CHECK(kept.put(i, kMiB) == 0);
  CHECK(kept.put(20, kMiB) == 1);
  CHECK(kept.gone[0].memory == kept.memory.data());
  CHECK(kept.put(21, KeptBlocks::kMost) == 1);
  CHECK(kept.gone[0].memory == &kept.memory[1]);
  // 15 of 1 MiB and one of 16: one of 16 more needs all the small ones' place.
  CHECK(kept.put(22, KeptBlocks::kMost) == 15);
  CHECK(kept.gone[14].memory == &kept.memory[20]);
  CHECK(kept.take(KeptBlocks::kMost) == &kept.memory[21]);
  CHECK(kept.take(KeptBlocks::kMost) == &kept.memory[22]);
  CHECK(kept.take(KeptBlocks::kMost) == nullptr);
}

TEST_CASE("a block of pages has the size that was asked for, whatever was there before") {
  for (int round = 0; round < 3; ++round) {
    for (const std::size_t size : {kMiB / 16, kMiB, 5 * kMiB, 5 * kMiB + 4096, 20 * kMiB}) {
      confmat::Pages<unsigned char> one(size), other(size);
      const bool apart = one.data() + size <= other.data() || other.data() + size <= one.data();
      CHECK(apart);
      one[0] = 1;
      one[size - 1] = 2;
      other[size - 1] = 3;
      CHECK(one[size - 1] == 2);
      one.shrink(size / 2);
      CHECK(one.size() == size / 2);
      CHECK(one[0] == 1);
    }
  }
}
