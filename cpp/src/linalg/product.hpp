// Products of parts of row-major matrices, by tiles. Cost: m n d multiplications, on every core
// where that pays. No result depends on the number of threads; instruction sets round differently.
#pragma once

#include <cstddef>

namespace confmat::linalg {

// A part of a matrix: its first entry, and how far apart its rows are.
template <class T>
struct Part {
  T* at;
  std::size_t stride;

  Part from(std::size_t row, std::size_t column) const {
    return {at + row * stride + column, stride};
  }
  T* line(std::size_t row) const { return at + row * stride; }
  operator Part<const T>() const { return {at, stride}; }  // NOLINT(google-explicit-constructor)
};

// C -= A B for C of m x n, A of m x d. Throws Interrupted.
void subtract_product(Part<const double> a, Part<const double> b, Part<double> c, std::size_t m,
                      std::size_t n, std::size_t d);

}  // namespace confmat::linalg
