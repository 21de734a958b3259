// The structs that Polars and an expression plugin exchange (plugin ABI 0.1), as Polars' public
// `polars-ffi` crate lays them out. `len` of a SeriesExport is its number of chunks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "confmat/arrow/abi.hpp"

extern "C" {

struct SeriesExport {
  ArrowSchema* field;
  ArrowArray** arrays;
  std::size_t len;
  void (*release)(SeriesExport*);
  void* private_data;
};

struct CallerContext {
  std::uint64_t bitflags;
};

}  // extern "C"

static_assert(sizeof(SeriesExport) == 40 && sizeof(CallerContext) == 8);

inline constexpr std::uint32_t kPluginVersion = 0x00000001;  // major 0, minor 1
