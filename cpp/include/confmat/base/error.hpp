// Errors of the core. `InputError` is the caller's mistake and names the argument;
// `StateError` is a serialised state or kwargs envelope that does not hold what it claims.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace confmat {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InputError : public Error {
 public:
  using Error::Error;
  // About one row: the text is `before`, " at row N" and `after`.
  InputError(std::string before, std::int64_t row, std::string after)
      : Error(before + " at row " + std::to_string(row) + after),
        before_(std::move(before)),
        row_(row),
        after_(std::move(after)) {}

  // The row of the column, and what stands around it; nothing where no row is known.
  [[nodiscard]] std::optional<std::int64_t> row() const noexcept { return row_; }
  [[nodiscard]] const std::string& before() const noexcept { return before_; }
  [[nodiscard]] const std::string& after() const noexcept { return after_; }

 private:
  std::string before_;
  std::optional<std::int64_t> row_;
  std::string after_;
};

class StateError : public Error {
 public:
  using Error::Error;
};

}  // namespace confmat
