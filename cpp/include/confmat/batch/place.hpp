// Where a value was found, in words: "label 7 at row 1203441 of `y_pred` ...".
#pragma once

#include <cstdint>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat {

struct Place {
  const char* argument = "";
  std::int64_t first_row = 0;             // row of the chunk's first value in the whole column
  const char* unit = nullptr;             // what is numbered, where it is no row
  const char* scores_go_to = "cm.sweep";  // what takes scores at this door

  [[noreturn]] void fail(const std::string& what, std::int64_t at, const std::string& why) const {
    const std::string of = std::string(" of `") + argument + "` " + why;
    if (unit == nullptr) throw InputError(what, first_row + at, of);
    throw InputError(what + " at " + unit + " " + std::to_string(first_row + at) + of);
  }
};

}  // namespace confmat
