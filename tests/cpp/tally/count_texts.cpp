// Counts of texts in each layout, and of dictionary keys.
#include <doctest/doctest.h>

#include "confmat/batch/text_set.hpp"
#include "support/columns.hpp"

using namespace test;

namespace {

Counted count_one(const Column& y_true, const Column& y_pred, const CountOptions& options = {}) {
  return count({&y_true, 1}, {&y_pred, 1}, {}, options);
}

Texts random_texts(std::size_t n, const std::vector<std::string>& pool, std::mt19937_64& random) {
  Texts values(n);
  for (auto& value : values) {
    if (random() % 20 != 0) value = pool[random() % pool.size()];
  }
  return values;
}

const std::vector<std::string> kPool = {"",
                                        "a",
                                        "b",
                                        std::string("a\0b", 3),
                                        std::string("a\0", 2),
                                        "eight888",
                                        "eight889",
                                        "nine99999",
                                        "thirteen bytes",
                                        "thirteen bytez",
                                        "Zoë",
                                        "zoë",
                                        "twelve_bytes",
                                        "fifteen__bytes_",
                                        "fifteen__bytes_\x0f",
                                        "fifteen__bytes_.",
                                        std::string(300, 'x'),
                                        std::string(299, 'x') + "y"};

}  // namespace

TEST_CASE("texts in each layout agree with a naive count, however they are cut") {
  std::mt19937_64 random(21);
  for (const auto first : {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
    for (const auto second : {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
      for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{20'000}}) {
        const Texts t = random_texts(n, kPool, random);
        const Texts p = random_texts(n, kPool, random);
        const auto naive = naive_count(t, p);
        Memory memory;
        const Column a = memory.texts(t, {.null_offset = 5, .layout = first});
        const Column b = memory.texts(p, {.null_offset = 63, .layout = second});
        const Counted whole = count_one(a, b);
        CHECK(whole.labels.kind == Labels::Kind::kText);
        REQUIRE(agrees(whole, naive, n));
        REQUIRE(agrees(count(chunks(a, 9, random), chunks(b, 5, random), {}, {}), naive, n));
      }
    }
  }
}

TEST_CASE("runs of short, longer and long texts agree with a naive count in each layout") {
  std::mt19937_64 random(27);
  // Of each three lengths of which the longest decides how a run is read, and some that are equal
  // as far as a shorter look goes.
  const std::vector<std::string> pools[] = {
      {"", "a", "b", std::string("a\0", 2), "sevens7", "sevens8"},
      {"eight888", "eight889", "sevens7", "fifteen__bytes_", "fifteen__bytes-", "fifteen__byteX_"},
      {"sixteen__bytes__", "sixteen__bytes_-", "fifteen__bytes_", std::string(40, 'x'), ""}};
  Texts t, p;
  for (int run = 0; run < 60; ++run) {
    const auto& pool = pools[random() % 3];
    const std::size_t n = 1 + random() % 900;
    for (Texts* side : {&t, &p}) {
      const Texts more = random_texts(n, pool, random);
      side->insert(side->end(), more.begin(), more.end());
    }
  }
  const auto naive = naive_count(t, p);
  for (const auto layout : {TextLayout::kOffsets32, TextLayout::kOffsets64, TextLayout::kView}) {
    Memory memory;
    const Column a = memory.texts(t, {.null_offset = 3, .layout = layout});
    const Column b = memory.texts(p, {.layout = layout});
    REQUIRE(agrees(count_one(a, b), naive, t.size()));
    REQUIRE(agrees(count(chunks(a, 9, random), chunks(b, 5, random), {}, {}), naive, t.size()));
  }
}

TEST_CASE("many texts: the table of labels and the table of cells grow") {
  std::mt19937_64 random(22);
  std::vector<std::string> pool;
  for (int i = 0; i < 900; ++i) {
    pool.push_back(std::to_string(i * i) + std::string(static_cast<std::size_t>(i % 11), 'q'));
  }
  const std::size_t n = 600'000;
  const Texts t = random_texts(n, pool, random);
  const Texts p = random_texts(n, pool, random);
  Memory memory;
  const Column a = memory.texts(t);
  const Column b = memory.texts(p, {.layout = TextLayout::kView});
  const auto naive = naive_count(t, p);
  for (const int threads : {1, 2, 4}) {
    CountOptions options;
    options.threads = threads;
    REQUIRE(agrees(count_one(a, b, options), naive, n));
  }
  CountOptions small;
  small.max_bytes = 8 * 100 * 100;
  CHECK(count_one(a, b, small).is_sparse);
}

TEST_CASE("views: padding does not matter, and what lies below nulls is not looked at") {
  std::mt19937_64 random(26);
  const std::size_t n = 3000;
  const Texts t = random_texts(n, {"a", "bb", "", "longer than twelve bytes"}, random);
  Memory memory;
  const Column clean = memory.texts(t, {.layout = TextLayout::kView});
  std::vector<std::byte> views(clean.data, clean.data + n * 16);
  for (std::size_t i = 0; i < n; ++i) {
    std::byte* view = views.data() + i * 16;
    const std::size_t used = t[i] ? 4 + t[i]->size() : 0;
    for (std::size_t at = used; at < 16; ++at) view[at] = static_cast<std::byte>(random());
  }
  Column dirty = clean;
  dirty.data = views.data();
  REQUIRE(agrees(count_one(dirty, clean), naive_count(t, t), n));
}

TEST_CASE("empty texts without a buffer, wherever their offsets say they lie") {
  const std::vector<std::int32_t> offsets(3001, 100);
  Column none;
  none.type = DType::kText;
  none.length = 3000;
  none.data = reinterpret_cast<const std::byte*>(offsets.data());
  const Counted counted = count_one(none, none);
  CHECK(counted.labels.texts == std::vector<std::string>{""});
  CHECK(counted.cells == std::vector<std::int64_t>{3000});
}

TEST_CASE("dictionaries are matched by text: permuted, with unused, repeated and null entries") {
  std::mt19937_64 random(23);
  for (const DType key_type : {DType::kInt8, DType::kUInt8, DType::kInt16, DType::kUInt16,
                               DType::kInt32, DType::kUInt32, DType::kInt64, DType::kUInt64}) {
    for (const int stride : {1, 3}) {
      Memory memory;
      Texts wanted[2];
      std::vector<Column> parts[2];
      for (int column = 0; column < 2; ++column) {
        for (int part = 0; part < 4; ++part) {
          Texts entries;
          for (const std::string& text : kPool) entries.emplace_back(text);
          entries.emplace_back(kPool[3]);  // a second entry of the same text
          entries.emplace_back(std::nullopt);
          entries.emplace_back("never used");
          std::shuffle(entries.begin(), entries.end(), random);
          const std::size_t n = column == 0 ? 1500 : std::size_t{6000} / 4;
          Ints keys(n);
          for (auto& key : keys) {
            const std::size_t entry = random() % entries.size();
            if (random() % 15 == 0 || entries[entry] == "never used") {
              wanted[column].emplace_back(std::nullopt);
            } else {
              key = static_cast<std::int64_t>(entry);
              wanted[column].push_back(entries[entry]);
            }
          }
          Shape shape{.stride = stride, .swapped = stride == 3};
          const Shape texts{.layout = part % 2 == 0 ? TextLayout::kView : TextLayout::kOffsets64};
          parts[column].push_back(memory.keys(keys, key_type, memory.texts(entries, texts), shape));
        }
      }
      const auto naive = naive_count(wanted[0], wanted[1]);
      const Counted counted = count(parts[0], parts[1], {}, {});
      REQUIRE(agrees(counted, naive, 6000));
      // A dictionary against plain texts.
      const Column plain = memory.texts(wanted[1]);
      REQUIRE(agrees(count(parts[0], {&plain, 1}, {}, {}), naive, 6000));
    }
  }
}

TEST_CASE("keys of a long dictionary, close together and then further and further apart") {
  std::mt19937_64 random(24);
  Texts entries;
  for (int i = 0; i < 2000; ++i) entries.emplace_back("label " + std::to_string(i % 30));
  Memory memory;
  const Column dictionary = memory.texts(entries);
  const std::pair<int, int> ranges[] = {{1000, 6},  {993, 8},   {1000, 15}, {985, 30},
                                        {985, 255}, {984, 256}, {970, 1030}};
  for (const auto& [key_type, shift] :
       {std::pair{DType::kInt16, 0}, std::pair{DType::kInt32, 970}, std::pair{DType::kUInt32, 0}}) {
    for (const std::size_t last : {std::size_t{4}, std::size_t{5}, std::size_t{7}}) {
      Ints keys;
      Texts wanted;
      for (std::size_t range = 0; range < last; ++range) {
        const auto [first, count] = ranges[range];
        for (int row = 0; row < 5000; ++row) {
          const int key = first - shift + static_cast<int>(random() % static_cast<unsigned>(count));
          keys.emplace_back(key);
          wanted.push_back(entries[static_cast<std::size_t>(key)]);
        }
      }
      const Column column = memory.keys(keys, key_type, dictionary);
      REQUIRE(agrees(count_one(column, column), naive_count(wanted, wanted), keys.size()));
    }
  }
}

TEST_CASE("a dictionary far longer than its chunk") {
  Texts entries;
  for (int i = 0; i < 20'000; ++i) entries.emplace_back("label " + std::to_string(i));
  Memory memory;
  const Column dictionary = memory.texts(entries);
  const Column a = memory.keys({19'999, 5, {}, 5}, DType::kUInt32, dictionary);
  const Column b = memory.texts({"label 5", "label 5", "label 5", "x"});
  const Counted counted = count_one(a, b);
  CHECK(counted.labels.texts == std::vector<std::string>{"label 19999", "label 5", "x"});
  CHECK(counted.cells == std::vector<std::int64_t>{0, 1, 0, 0, 1, 1, 0, 0, 0});
  CHECK(counted.n_dropped == 1);
}

TEST_CASE("keys beyond the dictionary are named with their row; below nulls they do not matter") {
  Memory memory;
  const Column dictionary = memory.texts({"a", "b"});
  const Column good = memory.texts({"a", "b", "a"});
  CHECK_THROWS_WITH_AS(count_one(good, memory.keys({0, 1, 2}, DType::kInt8, dictionary)),
                       "key 2 at row 2 of `y_pred` is not in its dictionary of 2 entries",
                       InputError);
  CHECK_THROWS_WITH_AS(count_one(memory.keys({0, -1, 1}, DType::kInt64, dictionary), good),
                       "key -1 at row 1 of `y_true` is not in its dictionary of 2 entries",
                       InputError);
  const Column hidden = memory.keys({0, {}, 1}, DType::kInt8, dictionary);  // the null hides 113
  CHECK(count_one(hidden, good).n_dropped == 1);
  const Column numbers = memory.keys({0, 0, 0}, DType::kInt8, memory.ints({1}, DType::kInt32));
  CHECK_THROWS_WITH_AS(count_one(numbers, good), doctest::Contains("categories are not strings"),
                       InputError);
}

TEST_CASE("a key beyond the dictionary is none of its keys, when those have been met before") {
  Memory memory;
  for (const int entries : {15, 16, 17, 255}) {
    Texts texts;
    for (int i = 0; i < entries; ++i) texts.emplace_back("entry " + std::to_string(i));
    Ints keys(20'000, 0);
    const Column good = memory.keys(keys, DType::kUInt16, memory.texts(texts));
    keys[12'003] = entries;
    const Column bad = memory.keys(keys, DType::kUInt16, memory.texts(texts));
    CHECK_THROWS_WITH_AS(count_one(good, bad), doctest::Contains("at row 12003 of `y_pred`"),
                         InputError);
  }
}

TEST_CASE("long texts that differ in one byte, wherever, are different") {
  for (std::size_t length = 9; length <= 48; ++length) {
    const std::string text(length, 'x');
    const std::string same = text;
    CHECK(confmat::same_after_head(text.data(), same.data(), length));
    for (std::size_t at = 8; at < length; ++at) {
      std::string other = text;
      other[at] = 'y';
      CHECK_FALSE(confmat::same_after_head(text.data(), other.data(), length));
    }
  }
}

TEST_CASE("fixed text labels, others and very long texts") {
  Memory memory;
  Labels labels;
  labels.kind = Labels::Kind::kText;
  labels.texts = {"dog", "cat"};
  CountOptions options;
  options.labels = &labels;
  const Column a = memory.texts({"cat", "dog", "cow", {}, "cat"});
  const Column b = memory.texts({"dog", "dog", "dog", "cow", "a long text outside"},
                                {.layout = TextLayout::kView});
  const Counted counted = count_one(a, b, options);
  CHECK(counted.labels == labels);
  CHECK(counted.cells == std::vector<std::int64_t>{1, 0, 1, 0});
  CHECK(counted.n_other == 2);
  CHECK(counted.n_dropped == 1);
  CHECK(counted.outsider.row == 2);
  CHECK(counted.outsider.label == "cow");
  CHECK(counted.outsider.in_truth);
  const Column ints = memory.ints({1, 2, 3, 4, 5}, DType::kInt8);
  CHECK_THROWS_WITH_AS(count_one(ints, ints, options),
                       doctest::Contains("`y_true` is Int8, but the labels are strings"),
                       InputError);
  const std::string longest(65536, 'l');
  const Column fits = memory.texts({longest});
  const Column too_long = memory.texts({longest + "l"});
  CHECK(count_one(fits, fits).labels.texts.front() == longest);
  CHECK_THROWS_WITH_AS(count_one(fits, too_long),
                       "the label at row 0 of `y_pred` has 65537 bytes; the limit is 64 KiB",
                       InputError);
  labels.texts = {longest + "l"};
  CHECK_THROWS_AS(count_one(fits, fits, options), InputError);
}

TEST_CASE("offsets and views that point outside are refused") {
  Memory memory;
  Column bad = memory.texts({"a", "b", "c"});
  const std::int32_t offsets[] = {0, 2, 1, 3};
  bad.data = reinterpret_cast<const std::byte*>(offsets);
  CHECK_THROWS_WITH_AS(count_one(bad, bad), doctest::Contains("row 1 of `y_true`"), InputError);
  Column view = memory.texts({"a text of some length"}, {.layout = TextLayout::kView});
  Column far = memory.texts({"a text of some length"}, {.layout = TextLayout::kView});
  const std::int32_t views[][4] = {
      {40, 0, 0, 0}, {14, 0, 0, 8}, {21, 0, 0, 1 << 30}, {21, 0, 0, -1}};
  for (const auto& one : views) {  // length, prefix, buffer, offset
    far.data = reinterpret_cast<const std::byte*>(one);
    CHECK_THROWS_WITH_AS(count_one(far, far),
                         "the text at row 0 of `y_true` lies outside its buffer", InputError);
    CHECK(far.text(0).empty());
  }
  view.buffers = {};
  CHECK_THROWS_AS(count_one(view, view), InputError);
}
