// Errors that are found again by what a host was told.
#include "confmat/base/refusals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

void keep(const std::string& text, const std::string& words) {
  ToldText told{};
  std::ranges::copy(text, told.begin());
  keep_refusal(told, std::make_exception_ptr(InputError(words)));
}
void keep(const std::string& text) { keep(text, text); }

std::string words_in(const std::string& message) {
  try {
    if (const auto error = refusal_in(message)) std::rethrow_exception(error);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("refusals: the longest text that a message holds") {
  for (const char* text : {"a row", "a row of two", "row of two rows", ""}) keep(text);
  CHECK(words_in("host: a row!") == "a row");
  CHECK(words_in("a row of two") == "a row of two");
  CHECK(words_in("a row of two rows") == "row of two rows");
  CHECK(words_in("a ro") == "none");
  CHECK(words_in("") == "none");
}

TEST_CASE("refusals: of one text the last error, and it makes room for none but itself") {
  keep("kept");
  for (int i = 0; i < 10'000; ++i) keep("often", std::to_string(i));
  CHECK(words_in("often") == "9999");
  CHECK(words_in("kept") == "kept");
}

TEST_CASE("refusals: the oldest is forgotten") {
  keep("first;");
  keep("second;");
  keep("first;");
  std::size_t others = 0;
  while (words_in("second;") != "none" && others < 10'000) keep(std::to_string(others++) + "th;");
  CHECK(others >= 64);
  CHECK(others < 10'000);
  CHECK(words_in("first;") == "first;");
  keep("another");
  CHECK(words_in("first;") == "none");
}

}  // namespace confmat
