// One buffer of bytes, and where each string begins.
#include "confmat/arrow/binaries.hpp"

#include <algorithm>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"

namespace confmat {
namespace {

struct Strings {
  std::vector<std::int64_t> offsets;
  Pages<std::uint8_t> bytes;
  const void* buffers[3] = {};
};

void release_strings(ArrowArray* array) {
  delete static_cast<Strings*>(array->private_data);
  array->release = nullptr;
}

void release_type(ArrowSchema* schema) { schema->release = nullptr; }

}  // namespace

std::shared_ptr<const ArrowData> arrow_binaries(std::span<const std::vector<std::uint8_t>> values) {
  auto strings = std::make_unique<Strings>();
  strings->offsets.reserve(values.size() + 1);
  std::int64_t size = 0;
  for (const auto& value : values) {
    strings->offsets.push_back(size);
    size += static_cast<std::int64_t>(value.size());
  }
  strings->offsets.push_back(size);
  strings->bytes = Pages<std::uint8_t>(static_cast<std::size_t>(size));
  const StopSign sign;
  std::uint8_t* at = strings->bytes.data();
  for (const auto& value : values) {
    sign.obey();
    at = std::copy(value.begin(), value.end(), at);
  }
  strings->buffers[1] = strings->offsets.data();
  strings->buffers[2] = strings->bytes.data();
  ArrowSchema schema{.format = "Z",
                     .name = "",
                     .metadata = nullptr,
                     .flags = 0,
                     .n_children = 0,
                     .children = nullptr,
                     .dictionary = nullptr,
                     .release = release_type,
                     .private_data = nullptr};
  auto data = std::make_shared<ArrowData>();
  ArrowArray array{.length = static_cast<std::int64_t>(values.size()),
                   .null_count = 0,
                   .offset = 0,
                   .n_buffers = 3,
                   .n_children = 0,
                   .buffers = strings->buffers,
                   .children = nullptr,
                   .dictionary = nullptr,
                   .release = release_strings,
                   .private_data = strings.release()};
  data->take(schema, array, "states");
  return data;
}

}  // namespace confmat
