// The dictionary of label pairs: bounded, shared by threads, and never read for another.
#include "confmat/evaluate/pair_dictionary.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/pair_coder.hpp"
#include "support/columns.hpp"

using confmat::InputError;
using confmat::PairCode;
using confmat::PairCoder;
using confmat::PairDictionary;
using confmat::PairLabels;
using confmat::PairReading;

namespace {

std::uint32_t number(PairDictionary& dictionary, std::int64_t i) {
  return dictionary.add(i, i + 1).code;
}

bool knows(const PairReading& pairs, std::uint32_t code) {
  try {
    static_cast<void>(pairs.labels(code));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a pair has one code in an edition, and both labels come back") {
  PairDictionary dictionary;
  std::set<std::uint32_t> codes;
  for (int again = 0; again < 2; ++again) {
    for (std::int64_t i = 0; i < 1000; ++i) codes.insert(number(dictionary, i));
    for (int i = 0; i < 1000; ++i) {
      const std::string text(static_cast<std::size_t>(i % 40), static_cast<char>('a' + i % 26));
      codes.insert(dictionary.add(std::string_view(text), std::string_view("b")).code);
    }
  }
  const PairReading pairs = dictionary.reading();
  std::set<std::string> texts;
  std::size_t ints = 0;
  for (const auto code : codes) {
    CHECK(code >= PairCode::kNumbered);
    CHECK(pairs.code_at(pairs.place(code)) == code);
    CHECK(pairs.place(code) < pairs.places());
    const PairLabels labels = pairs.labels(code);
    if (labels.is_text) {
      texts.insert(std::string(labels.true_text));
      CHECK(labels.pred_text == "b");
    } else {
      ++ints;
      CHECK(labels.y_pred == labels.y_true + 1);
    }
  }
  CHECK(ints == 1000);
  CHECK(texts.size() == codes.size() - 1000);
}

TEST_CASE("full editions make room, and what is forgotten is refused") {
  for (const PairDictionary::Limits limits :
       {PairDictionary::Limits{.pairs = 10, .labels = 1000, .bytes = 1000},
        PairDictionary::Limits{.pairs = 1000, .labels = 12, .bytes = 1000},
        PairDictionary::Limits{.pairs = 1000, .labels = 1000, .bytes = 20}}) {
    PairDictionary dictionary(limits);
    const auto first_edition = dictionary.edition();
    const bool by_text = limits.bytes == 20;
    std::vector<std::uint32_t> codes;
    for (std::int64_t i = 0; i < 100; ++i) {
      const std::string text = "pair" + std::to_string(i);
      codes.push_back(by_text ? dictionary.add(std::string_view(text), std::string_view(text)).code
                              : number(dictionary, i));
      const PairReading pairs = dictionary.reading();
      CHECK(knows(pairs, codes.back()));
      if (i > 0) CHECK(knows(pairs, codes[codes.size() - 2]));
    }
    CHECK(dictionary.edition() > first_edition + 3);
    const PairReading pairs = dictionary.reading();
    CHECK_FALSE(knows(pairs, codes.front()));
    // What a reading holds it keeps.
    const PairReading kept = dictionary.reading();
    for (std::int64_t i = 1000; i < 1100; ++i) number(dictionary, i);
    CHECK(knows(kept, codes.back()));
  }
}

TEST_CASE("a thread asks again for codes that may be forgotten") {
  PairDictionary dictionary({.pairs = 8, .labels = 100, .bytes = 100});
  PairCoder coder(dictionary);
  test::Memory memory;
  for (std::int64_t round = 0; round < 50; ++round) {
    const auto column = memory.ints({100'000, 100'000 + round % 7}, confmat::DType::kInt64);
    std::uint32_t codes[2];
    coder.encode(column, column, 0, codes);
    const PairReading pairs = dictionary.reading();
    CHECK(pairs.labels(codes[0]).y_true == 100'000);
    CHECK(pairs.labels(codes[1]).y_true == 100'000 + round % 7);
    for (std::int64_t i = 0; i < 5; ++i) number(dictionary, 1000 + round * 5 + i);
  }
}

TEST_CASE("codes of another dictionary are refused") {
  PairDictionary one;
  PairDictionary two;
  std::vector<std::uint32_t> codes;
  for (std::int64_t i = 0; i < 100; ++i) {
    codes.push_back(number(one, i));
    number(two, i);
  }
  const PairReading pairs = two.reading();
  int known = 0;
  for (const auto code : codes) known += knows(pairs, code) ? 1 : 0;
  CHECK(known <= 2);  // each passes once in 2^31 / 100
}

TEST_CASE("many threads write and read at once") {
  PairDictionary dictionary;
  constexpr std::int64_t kPairs = 3000;
  std::vector<std::vector<std::uint32_t>> codes(8);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < codes.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t i = 0; i < kPairs; ++i) {
        const std::int64_t label = (i * 7 + static_cast<std::int64_t>(t) * 1000) % kPairs;
        codes[t].push_back(number(dictionary, label));
        if (i % 50 != 0) continue;
        const PairReading pairs = dictionary.reading();
        if (pairs.labels(codes[t].back()).y_true != label) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  std::set<std::uint32_t> all;
  for (const auto& some : codes) all.insert(some.begin(), some.end());
  CHECK(all.size() == kPairs);
}

TEST_CASE("the child of a fork has a dictionary of its own") {
  const std::uint32_t code = number(PairDictionary::shared(), 5'000'000);
  const pid_t child = fork();
  if (child == 0) {
    const bool apart =
        !knows(PairDictionary::shared().reading(), code) &&
        knows(PairDictionary::shared().reading(), number(PairDictionary::shared(), 5'000'000));
    _exit(apart ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(knows(PairDictionary::shared().reading(), code));
}

TEST_CASE("the categories of an Enum are found again, in each edition") {
  PairDictionary dictionary({.pairs = 10, .labels = 100, .bytes = 1000});
  const confmat::Categories one = {"a", "b", "c"};
  const confmat::Categories two = {"c", "b", "a"};
  confmat::EnumPlace place_of_one;
  confmat::EnumPlace place_of_two;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t t = i % 3;
    const std::uint32_t first = dictionary.add(one, place_of_one, t, i / 3 % 3);
    const std::uint32_t second = dictionary.add(two, place_of_two, t, i / 3 % 3);
    CHECK(first != second);
    const PairReading pairs = dictionary.reading();
    CHECK(*pairs.labels(first).categories == one);
    CHECK(*pairs.labels(second).categories == two);
    CHECK(pairs.labels(second).y_true == t);
    CHECK(pairs.labels(second).y_pred == i / 3 % 3);
    if (i % 4 == 0) number(dictionary, i);
  }
}
