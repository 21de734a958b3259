// What is said of the row met last that has a label beyond the given ones.
#include "confmat/evaluate/met_outsiders.hpp"

#include <doctest/doctest.h>

#include <string>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

Labels numbers(std::int64_t from) {
  return {.kind = Labels::Kind::kInt, .ints = {from, from + 1}, .texts = {}};
}

std::string told(const MetOutsiders& met, const Labels& labels, std::int64_t rows) {
  try {
    met.refuse(labels, rows);
  } catch (const InputError& error) {
    return error.what();
  }
}

const std::string kAdvice = "; give every label, or other=\"bucket\" to count such rows apart";

}  // namespace

TEST_CASE("the last row that was met is named") {
  MetOutsiders met;
  met.put(numbers(0), {false, 8, "5"}, 1);
  met.put(numbers(0), {true, 7, "9"}, 3);
  const std::string one = "label 9 at row 7 of `y_true` is not in labels [0, 1]";
  CHECK(told(met, numbers(0), 3) == one + kAdvice);
  CHECK(told(met, numbers(0), 4) == one + kAdvice);  // that of other rows read together
  CHECK(told(met, numbers(0), 2) ==
        one + "; it is the first of 3 rows with such labels, and a group has 2 of them" + kAdvice);
  met.put({.kind = Labels::Kind::kText, .ints = {}, .texts = {"a"}}, {false, 0, "b"}, 1);
  CHECK(told(met, {.kind = Labels::Kind::kText, .ints = {}, .texts = {"a"}}, 1) ==
        "label 'b' at row 0 of `y_pred` is not in labels ['a']" + kAdvice);
  CHECK(told(met, numbers(0), 3) == one + kAdvice);
}

TEST_CASE("without word of one the group is told of") {
  MetOutsiders met;
  CHECK(told(met, numbers(0), 1) ==
        "a group has 1 row with a label that is not in labels [0, 1]" + kAdvice);
  CHECK(told(met, numbers(0), 2).starts_with("a group has 2 rows with a label"));
  for (std::int64_t i = 0; i < 40; ++i) met.put(numbers(i), {true, i, "-1"}, 1);
  CHECK(told(met, numbers(39), 1).starts_with("label -1 at row 39 of"));
  CHECK(told(met, numbers(0), 1).starts_with("a group has 1 row"));
}

}  // namespace confmat
