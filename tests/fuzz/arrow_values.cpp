// Arrow arrays, nested ones too, many of them wrong where that can be seen, that are checked before
// others read them on trust. What passes is read here as such a reader would.
#include <cstring>

#include "arrow_structs.hpp"
#include "confmat/arrow/check.hpp"
#include "confmat/base/error.hpp"

namespace confmat::fuzz {
namespace {

std::uint64_t sum = 0;  // so that no reading is optimised away

void read_bytes(const void* from, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) sum += static_cast<const std::uint8_t*>(from)[i];
}

template <class T>
T load(const void* from, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(from) + i * std::int64_t{sizeof(T)},
              sizeof value);
  return value;
}

void read_views(const ArrowArray& array) {
  for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
    const auto length = load<std::int32_t>(array.buffers[1], i * 4);
    if (length <= 12) continue;
    const auto buffer = load<std::int32_t>(array.buffers[1], i * 4 + 2);
    const auto offset = load<std::int32_t>(array.buffers[1], i * 4 + 3);
    read_bytes(array.buffers[2 + buffer], offset, offset + std::int64_t{length});
  }
}

void read(const ArrowSchema& schema, const ArrowArray& array) {
  const ArrowFormat format = format_of(schema.format);
  const std::int64_t end = array.offset + array.length;
  if (array.length == 0) return;
  switch (format.layout) {
    case ArrowLayout::kFixed:
      read_bytes(array.buffers[1], array.offset * format.width, end * format.width);
      break;
    case ArrowLayout::kOffsets32:
      read_bytes(array.buffers[2], load<std::int32_t>(array.buffers[1], array.offset),
                 load<std::int32_t>(array.buffers[1], end));
      break;
    case ArrowLayout::kOffsets64:
      read_bytes(array.buffers[2], load<std::int64_t>(array.buffers[1], array.offset),
                 load<std::int64_t>(array.buffers[1], end));
      break;
    case ArrowLayout::kViews:
      read_views(array);
      break;
    case ArrowLayout::kList32:
      require(load<std::int32_t>(array.buffers[1], end) <= array.children[0]->length,
              "lists end within their child");
      break;
    case ArrowLayout::kList64:
      require(load<std::int64_t>(array.buffers[1], end) <= array.children[0]->length,
              "lists end within their child");
      break;
    case ArrowLayout::kFixedList:
      require(end * format.width <= array.children[0]->length, "lists end within their child");
      break;
    case ArrowLayout::kStruct:
      for (std::int64_t i = 0; i < array.n_children; ++i) {
        require(end <= array.children[i]->length, "each child has a value a row");
      }
      break;
    default:
      break;
  }
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    read(*schema.children[i], *array.children[i]);
  }
  if (schema.dictionary != nullptr) read(*schema.dictionary, *array.dictionary);
}

void run(std::span<const std::uint8_t> bytes) {
  Draw draw(bytes);
  DrawnArray drawn(draw, 3);
  try {
    check_values(drawn.schema(), drawn.array(), "values");
  } catch (const InputError&) {
    return;
  }
  read(drawn.schema(), drawn.array());
}

const Target kTarget("arrow_values", run);

}  // namespace
}  // namespace confmat::fuzz
