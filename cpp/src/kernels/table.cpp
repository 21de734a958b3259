// The instruction sets, and which of them this machine runs.
#include "confmat/kernels/table.hpp"

#include <cstdlib>
#include <cstring>

#include "confmat/base/cpu.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "isa_tables.hpp"

namespace confmat {
namespace {

#if defined(__x86_64__)
// The first processors with AVX-512 lack what one of its loops needs.
const Kernels& avx512_table() noexcept {
  static const Kernels without = [] {
    Kernels table = avx512::kTable;
    table.tally_classes = nullptr;
    return table;
  }();
  return cpu_counts_bits() ? avx512::kTable : without;
}
#endif

struct Runnable {
  const Kernels* tables[3] = {&base::kTable, nullptr, nullptr};
  std::size_t count = 1;

  Runnable() noexcept {
#if defined(__x86_64__)
    if (cpu_has_avx2()) tables[count++] = &avx2::kTable;
    if (cpu_has_avx512()) tables[count++] = &avx512_table();
#endif
  }
};

const Runnable& runnable() noexcept {
  static const Runnable found;
  return found;
}

// CONFMAT_ISA is a wish: a name that is unknown, or beyond this machine, leaves the best set.
const Kernels& choose() noexcept {
  const Runnable& found = runnable();
  if (const char* wanted = std::getenv("CONFMAT_ISA"); wanted != nullptr) {
    for (std::size_t i = 0; i < found.count; ++i) {
      if (std::strcmp(found.tables[i]->name, wanted) == 0) return *found.tables[i];
    }
  }
  return *found.tables[found.count - 1];
}

}  // namespace

const Kernels& kernels() noexcept {
  static const Kernels& chosen = choose();
  return chosen;
}

bool has_wide_vectors() noexcept { return &kernels() != &base::kTable; }

std::span<const Kernels* const> runnable_kernels() noexcept {
  return {runnable().tables, runnable().count};
}

}  // namespace confmat
