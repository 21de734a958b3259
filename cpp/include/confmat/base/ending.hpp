// The end of a process in which threads still use a library.
#pragma once

namespace confmat {

// From now on the process ends without the destructors of its libraries: OpenBLAS would wait in
// its own for threads that a call of it keeps busy, and may do so for ever.
// Once, while the process ends. Does nothing where the C library cannot tell the exit status.
void end_without_destructors() noexcept;

}  // namespace confmat
