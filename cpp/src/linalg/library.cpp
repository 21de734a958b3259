// The decompositions that this thread's caller lends.
#include "confmat/linalg/library.hpp"

#include <utility>

namespace confmat::linalg {
namespace {

thread_local Library* library_here = nullptr;

}  // namespace

Library* library() noexcept { return library_here; }

LibraryScope::LibraryScope(Library* library) noexcept
    : before_(std::exchange(library_here, library)) {}

LibraryScope::~LibraryScope() { library_here = before_; }

}  // namespace confmat::linalg
