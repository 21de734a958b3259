// Short texts of few kinds by vectors, against a look at each key.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "confmat/kernels/table.hpp"
#include "confmat/tally/text_keys.hpp"
#include "support/columns.hpp"

using namespace test;

namespace {

// As few_texts.inl.hpp has them: eight bytes, eight bytes of which the last is the length.
confmat::TextKey key_of(const std::string& text) {
  char bytes[16] = {};
  text.copy(bytes, 15);
  bytes[15] = static_cast<char>(text.size());
  confmat::TextKey key;
  std::memcpy(&key, bytes, sizeof key);
  return key;
}

confmat::TextKey view_of(const Column& views, std::size_t row) {
  confmat::TextKey key;
  std::memcpy(&key, views.data + row * 16, sizeof key);
  return key;
}

const std::vector<std::string> kTexts = {
    "",         "a",         "b",        std::string("a\0", 2), "sevens7",     "sevens8",
    "eight888", "nine99999", "eight889", "twelve_bytes",        "twelve_bytez"};
const std::vector<std::string> kOthers = {"c",
                                          "sevens9",
                                          "nine99990",
                                          "eight880",
                                          "twelve_bytex",
                                          "sixteen__bytes__",
                                          std::string("b\0", 2),
                                          std::string(90, 'x')};

// What each kernel finds of rows of these texts, where the first pool is known.
void check_texts(const Texts& values, TextLayout layout) {
  Memory memory;
  const Column column = memory.texts(values, {.layout = layout});
  const bool view = layout == TextLayout::kView;
  confmat::TextKeys keys;
  keys.clear(kTexts.size());
  Texts known(kTexts.begin(), kTexts.end());
  const Column views = memory.texts(known, {.layout = TextLayout::kView});
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    keys.keep(view ? view_of(views, i) : key_of(kTexts[i]), static_cast<std::uint32_t>(i));
  }
  const confmat::FewTexts* few = keys.few();
  REQUIRE(few != nullptr);
  std::int64_t size = 0;
  for (const auto& value : values) size += static_cast<std::int64_t>(value->size());
  for (const confmat::Kernels* kernels : confmat::runnable_kernels()) {
    const auto find = kernels->find_texts[static_cast<std::size_t>(layout)];
    if (find == nullptr) continue;
    std::vector<std::uint32_t> found(values.size());
    find(column.data, {column.bytes, size}, values.size(), *few, found.data());
    std::int64_t begin = 0;
    for (std::size_t row = 0; row < values.size(); ++row) {
      const std::string& text = *values[row];
      const auto at = std::ranges::find(kTexts, text);
      const bool within = view || begin + 16 <= size;
      const auto wanted = at == kTexts.end() || !within
                              ? confmat::TextKeys::kUnknown
                              : static_cast<std::uint32_t>(at - kTexts.begin());
      begin += static_cast<std::int64_t>(text.size());
      REQUIRE_MESSAGE(found[row] == wanted, kernels->name << ", row " << row << ": " << text);
    }
  }
}

}  // namespace

TEST_CASE("kernels: few texts are told from each other and from all others") {
  std::mt19937_64 random(31);
  for (const auto layout : {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
    for (int round = 0; round < 40; ++round) {
      Texts values;
      for (int row = 0; row < 8 * (1 + round); ++row) {
        const auto& pool = round % 2 == 1 && random() % 4 == 0 ? kOthers : kTexts;
        values.emplace_back(pool[random() % pool.size()]);
      }
      values.front() = "twelve_bytes";  // 16 bytes are there
      values.back() = "twelve_bytez";
      check_texts(values, layout);
    }
  }
}

TEST_CASE("kernels: offsets that lead out of their buffer are no text") {
  std::mt19937_64 random(32);
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += "eight888";
  confmat::TextKeys keys;
  keys.clear(1);
  keys.keep(key_of("eight888"), 7);
  const auto check = [&]<class Offset>(Offset /*type*/, TextLayout layout) {
    constexpr auto kMost = std::numeric_limits<Offset>::max();
    const std::vector<Offset> strange = {-1, -8, 159, 160, 161, kMost, kMost - 8, -kMost - 1, 153};
    for (int round = 0; round < 200; ++round) {
      std::vector<Offset> offsets;
      for (int row = 0; row <= 16; ++row) {
        const bool wrong = random() % 3 == 0;
        offsets.push_back(wrong ? strange[random() % strange.size()]
                                : static_cast<Offset>(8 * (row % 19)));
      }
      for (const confmat::Kernels* kernels : confmat::runnable_kernels()) {
        const auto find = kernels->find_texts[static_cast<std::size_t>(layout)];
        if (find == nullptr) continue;
        std::uint32_t found[16];
        find(reinterpret_cast<const std::byte*>(offsets.data()),
             {bytes.data(), static_cast<std::int64_t>(bytes.size())}, 16, *keys.few(), found);
        for (std::size_t row = 0; row < 16; ++row) {
          const std::int64_t begin = offsets[row], end = offsets[row + 1];
          const bool is_text = begin >= 0 && begin <= 144 && begin % 8 == 0 && end == begin + 8;
          REQUIRE(found[row] == (is_text ? 7 : confmat::TextKeys::kUnknown));
        }
      }
    }
  };
  check(std::int32_t{}, TextLayout::kOffsets32);
  check(std::int64_t{}, TextLayout::kOffsets64);
}

TEST_CASE("few keys have places of their own, many have none") {
  for (const std::size_t n : {1U, 2U, 8U, 10U, 11U}) {
    confmat::TextKeys keys;
    keys.clear(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys.keep(key_of("label " + std::to_string(i)), static_cast<std::uint32_t>(i));
    }
    const confmat::FewTexts* few = keys.few();
    REQUIRE(few != nullptr);
    CHECK(std::ranges::count_if(few->number, [&](std::uint64_t at) { return at < n; }) ==
          static_cast<std::ptrdiff_t>(n));
  }
  confmat::TextKeys keys;
  keys.clear(20);
  for (std::uint32_t i = 0; i < 17; ++i) keys.keep(key_of(std::to_string(i)), i);
  CHECK(keys.few() == nullptr);
  keys.clear(2);
  CHECK(keys.few() == nullptr);
  keys.keep(key_of("one"), 1);
  keys.keep(key_of("one"), 1);
  CHECK(keys.few() != nullptr);
}
