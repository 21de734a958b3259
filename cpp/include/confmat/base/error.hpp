// Errors of the core. `InputError` is the caller's mistake and names the argument;
// `StateError` is a serialised state or kwargs envelope that does not hold what it claims.
#pragma once

#include <stdexcept>
#include <string>

namespace confmat {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InputError : public Error {
 public:
  using Error::Error;
};

class StateError : public Error {
 public:
  using Error::Error;
};

}  // namespace confmat
