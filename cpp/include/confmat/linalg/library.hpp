// Decompositions of large matrices by a library that the caller of this thread has; Eigen makes
// those of the others.
#pragma once

#include <cstdint>

namespace confmat::linalg {

class Library {
 public:
  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  virtual ~Library() = default;

  // Row-major, descending. False: it has none of this matrix. Throws Interrupted.
  virtual bool symmetric_eigenvalues(const double* a, std::int64_t k, double* out) = 0;
  virtual bool singular_values(const double* a, std::int64_t k, double* out) = 0;
  virtual bool symmetric_eigenvectors(const double* a, std::int64_t k, double* values,
                                      double* vectors) = 0;
};

// What this thread has for as long as it lives.
class LibraryScope {
 public:
  explicit LibraryScope(Library* library) noexcept;
  LibraryScope(const LibraryScope&) = delete;
  LibraryScope& operator=(const LibraryScope&) = delete;
  ~LibraryScope();

 private:
  Library* before_;
};

Library* library() noexcept;  // of this thread; null: none

}  // namespace confmat::linalg
