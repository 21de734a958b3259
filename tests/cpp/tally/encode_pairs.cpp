// Codes of pairs of known labels, and their histograms.
#include <doctest/doctest.h>

#include <cstring>
#include <thread>

#include "confmat/tally/encode.hpp"
#include "support/columns.hpp"

using namespace test;
using confmat::code_width;
using confmat::CodeWidth;
using confmat::PairEncoder;
using confmat::tally_codes;

namespace {

std::uint64_t code_at(const std::vector<std::uint8_t>& out, CodeWidth width, std::size_t i) {
  std::uint64_t code = 0;
  const auto size = static_cast<std::size_t>(width);
  std::memcpy(&code, out.data() + i * size, size);
  return code;
}

template <class Label>
std::uint64_t class_of(const std::vector<Label>& labels, const std::optional<Label>& value) {
  if (!value) return labels.size() + 1;
  return static_cast<std::uint64_t>(std::find(labels.begin(), labels.end(), *value) -
                                    labels.begin());
}

}  // namespace

TEST_CASE("code widths") {
  CHECK(code_width(0) == CodeWidth::k8);
  CHECK(code_width(14) == CodeWidth::k8);
  CHECK(code_width(15) == CodeWidth::k16);
  CHECK(code_width(254) == CodeWidth::k16);
  CHECK(code_width(255) == CodeWidth::k32);
  CHECK(code_width(65533) == CodeWidth::k32);
  CHECK_THROWS_AS(code_width(65534), InputError);
}

TEST_CASE(
    "codes of integers: width, permuted and scattered labels, nulls, others, a single value") {
  std::mt19937_64 random(41);
  for (const std::size_t k :
       {std::size_t{1}, std::size_t{2}, std::size_t{14}, std::size_t{15}, std::size_t{254},
        std::size_t{255}, std::size_t{257}, std::size_t{65533}}) {
    for (const std::int64_t factor : {std::int64_t{1}, std::int64_t{3}, std::int64_t{1} << 40}) {
      Labels labels;
      for (std::size_t i = 0; i < k; ++i)
        labels.ints.push_back(static_cast<std::int64_t>(i) * factor);
      if (random() % 2 == 0) std::shuffle(labels.ints.begin(), labels.ints.end(), random);
      const PairEncoder encoder(labels);
      const std::size_t n = 9000;
      const auto draw = [&] {
        Ints values(n);
        for (auto& value : values) {
          const auto pick = random() % 20;
          if (pick > 0) value = pick == 1 ? -7 : labels.ints[random() % k];
        }
        return values;
      };
      const Ints t = draw();
      const Ints p = draw();
      Memory memory;
      const Column a = memory.ints(t, DType::kInt64, {.swapped = true});
      const Column b = memory.ints(p, DType::kInt64);
      const Column one = slice(b, 11, 12);
      const auto size = static_cast<std::size_t>(encoder.width());
      std::vector<std::uint8_t> out(n * size);
      CHECK(encoder.encode(a, b, out.data()));  // 450 are other labels
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(code_at(out, encoder.width(), i) ==
                class_of(labels.ints, t[i]) * (k + 2) + class_of(labels.ints, p[i]));
      }
      encoder.encode(a, one, out.data());
      for (std::size_t i = 0; i < n; i += 7) {
        REQUIRE(code_at(out, encoder.width(), i) ==
                class_of(labels.ints, t[i]) * (k + 2) + class_of(labels.ints, p[11]));
      }
      CHECK(encoder.encode(one, one, out.data()) == (p[11] == -7));
      REQUIRE(code_at(out, encoder.width(), 0) == class_of(labels.ints, p[11]) * (k + 3));
      if (k > 300) continue;
      encoder.encode(a, b, out.data());
      std::vector<std::int64_t> cells((k + 2) * (k + 2));
      CHECK(tally_codes(out.data(), static_cast<std::int64_t>(n), encoder.width(), cells));
      std::vector<std::int64_t> wanted(cells.size());
      for (std::size_t i = 0; i < n; ++i) ++wanted[code_at(out, encoder.width(), i)];
      REQUIRE(cells == wanted);
    }
  }
}

TEST_CASE("one encoder, many threads at once, and one call on several threads") {
  std::mt19937_64 random(42);
  Labels labels;
  labels.kind = Labels::Kind::kText;
  labels.texts = {"b", "a", "a label of more than twelve bytes"};
  const PairEncoder encoder(labels);
  const std::size_t n = 500'000;
  Texts t(n);
  Ints keys(n);
  const Texts entries = {"a", "zebra", {}, "a label of more than twelve bytes", "b"};
  for (std::size_t i = 0; i < n; ++i) {
    if (random() % 9 != 0) t[i] = labels.texts[random() % 3];
    if (random() % 9 != 0) keys[i] = static_cast<std::int64_t>(random() % 5);
  }
  Memory memory;
  const Column a = memory.texts(t, {.layout = TextLayout::kView});
  const Column b = memory.keys(keys, DType::kUInt8, memory.texts(entries));
  std::vector<std::uint8_t> wanted(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto entry = keys[i] ? entries[static_cast<std::size_t>(*keys[i])] : std::nullopt;
    wanted[i] =
        static_cast<std::uint8_t>(class_of(labels.texts, t[i]) * 5 + class_of(labels.texts, entry));
  }
  std::vector<std::uint8_t> outs[3];
  std::vector<std::thread> threads;
  for (auto& out : outs) {
    out.resize(n);
    threads.emplace_back([&encoder, &a, &b, &out] { encoder.encode(a, b, out.data()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& out : outs) CHECK(out == wanted);
  outs[0].assign(n, 0);
  encoder.encode(a, b, outs[0].data(), 3);
  CHECK(outs[0] == wanted);
  std::vector<std::int64_t> cells(25);
  std::vector<std::int64_t> more(25);
  CHECK(tally_codes(wanted.data(), static_cast<std::int64_t>(n), CodeWidth::k8, cells, 1));
  CHECK(tally_codes(wanted.data(), static_cast<std::int64_t>(n), CodeWidth::k8, more, 3));
  CHECK(cells == more);
}

TEST_CASE("foreign codes of any value are safe") {
  std::mt19937_64 random(43);
  std::vector<std::uint32_t> bytes(5000);
  for (auto& byte : bytes) byte = static_cast<std::uint32_t>(random());
  for (const std::size_t k : {std::size_t{2}, std::size_t{4}, std::size_t{13}, std::size_t{15},
                              std::size_t{100}, std::size_t{255}}) {
    std::vector<std::int64_t> cells((k + 2) * (k + 2));
    const CodeWidth width = code_width(static_cast<std::int64_t>(k));
    const auto n = static_cast<std::int64_t>(bytes.size() * 4 / static_cast<std::size_t>(width));
    CHECK_FALSE(tally_codes(bytes.data(), n, width, cells));
  }
  std::vector<std::int64_t> full(256 * 256);
  CHECK(tally_codes(bytes.data(), 10'000, CodeWidth::k16, full));
  std::vector<std::int64_t> wrong(17);
  CHECK_THROWS_AS(tally_codes(bytes.data(), 10, CodeWidth::k8, wrong), InputError);
  CHECK_THROWS_AS(
      tally_codes(bytes.data(), 10, CodeWidth::k16, full = std::vector<std::int64_t>(16)),
      InputError);
}

TEST_CASE("columns that cannot hold the labels are refused") {
  Labels labels;
  labels.ints = {0, 1};
  const PairEncoder encoder(labels);
  Memory memory;
  const Column ints = memory.ints({0, 1, 0}, DType::kInt8);
  std::vector<std::uint8_t> out(8);
  CHECK_THROWS_AS(encoder.encode(ints, memory.texts({"0", "1", "0"}), out.data()), InputError);
  CHECK_THROWS_AS(encoder.encode(ints, memory.doubles({0, 1.5, 0}), out.data()), InputError);
  CHECK_THROWS_AS(encoder.encode(ints, memory.ints({0, 1}, DType::kInt8), out.data()), InputError);
  encoder.encode(ints, memory.ints({{}, {}, {}}, DType::kNull), out.data());
  CHECK(out[1] == 1 * 4 + 3);
  encoder.encode(slice(ints, 0, 0), slice(ints, 0, 1), out.data());
  encoder.encode(ints, memory.doubles({0, 1, 5}), out.data());
  CHECK(out[1] == 1 * 4 + 1);
  CHECK(out[2] == 2);
}

TEST_CASE("millions of 8-bit codes: pairs at once, at any address, with any bytes") {
  constexpr std::int64_t kRows = (std::int64_t{1} << 22) + 13;
  std::mt19937 random(5);
  std::vector<std::uint8_t> codes(kRows + 1);
  for (auto& code : codes) code = static_cast<std::uint8_t>(random() % 144);
  for (const std::size_t skipped : {std::size_t{0}, std::size_t{1}}) {
    std::vector<std::int64_t> wanted(144);
    for (std::size_t i = 0; i < kRows; ++i) ++wanted[codes[skipped + i]];
    for (const int threads : {1, 2}) {
      std::vector<std::int64_t> cells(144);
      REQUIRE(tally_codes(codes.data() + skipped, kRows, CodeWidth::k8, cells, threads));
      CHECK(cells == wanted);
    }
  }
  for (const std::int64_t place : {std::int64_t{0}, std::int64_t{1}, kRows - 1}) {
    auto foreign = codes;
    foreign[static_cast<std::size_t>(place)] = 144;
    std::vector<std::int64_t> cells(144);
    CHECK_FALSE(tally_codes(foreign.data(), kRows, CodeWidth::k8, cells, 1));
  }
}

TEST_CASE("a long run is written past the caches: the codes are those of short runs") {
  constexpr std::int64_t kRows = (std::int64_t{1} << 20) + 700;
  Labels labels;
  labels.ints = {0, 1, 2};
  const PairEncoder encoder(labels);
  std::vector<std::int32_t> values(kRows + 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(i * 7 / 3 % 4);
  const auto column = [&](std::size_t first) {
    Column out;
    out.type = DType::kInt32;
    out.length = kRows;
    out.data = reinterpret_cast<const std::byte*>(values.data() + first);
    out.stride = 4;
    return out;
  };
  const Column y_true = column(0);
  const Column y_pred = column(1);
  std::vector<std::uint8_t> memory(kRows + 128);
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}}) {
    auto* aligned = reinterpret_cast<std::uint8_t*>(
        (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    encoder.encode(y_true, y_pred, aligned + offset);
    for (std::int64_t i = 0; i < kRows; ++i) {
      const auto a = static_cast<std::size_t>(values[static_cast<std::size_t>(i)]);
      const auto b = static_cast<std::size_t>(values[static_cast<std::size_t>(i) + 1]);
      REQUIRE(aligned[offset + static_cast<std::size_t>(i)] == a * 5 + b);
    }
  }
}
