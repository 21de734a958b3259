// Results of plugin calls: a type, an array that owns its buffers, and their hand-over to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "confmat/base/pages.hpp"
#include "plugin/polars_abi.hpp"

namespace confmat::plugin {

// An Arrow type with its field name: what the schema functions promise and the calls deliver.
struct Type {
  std::string format;
  std::string name;
  std::vector<Type> children = {};
};

// Uninitialised memory: results are written once, in full.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) : memory_(bytes) {}
  explicit Buffer(PageBlock memory) noexcept : memory_(std::move(memory)) {}
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return reinterpret_cast<T*>(memory_.get());
  }

 private:
  PageBlock memory_;
};

struct Array {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<Buffer> buffers;  // as Arrow orders them; an empty Buffer stands for "absent"
  std::vector<Array> children = {};
};

struct Result {
  Type type;
  Array array;
};

// Fixed-width values without nulls.
Array primitive(std::int64_t length, Buffer values);
// Float64 values in which nan stands for null: costs one pass.
Array nullable_doubles(std::int64_t length, Buffer values);

// Needs: `*out` is zeroed. On return the host owns everything.
void hand_over(Result&& result, SeriesExport* out);
void hand_over(const Type& type, ArrowSchema* out);

}  // namespace confmat::plugin
