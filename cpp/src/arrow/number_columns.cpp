// Structs whose children are freed with them.
#include "confmat/arrow/number_columns.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace confmat {
namespace {

struct Types {
  std::vector<std::string> names;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

struct Arrays {
  std::shared_ptr<const void> owner;
  std::vector<std::array<const void*, 2>> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* validity = nullptr;  // of the struct
};

void release_types(ArrowSchema* schema) {
  delete static_cast<Types*>(schema->private_data);
  schema->release = nullptr;
}
void release_arrays(ArrowArray* array) {
  delete static_cast<Arrays*>(array->private_data);
  array->release = nullptr;
}
// The owner at the top frees the children.
void keep_type(ArrowSchema* schema) { schema->release = nullptr; }
void keep_array(ArrowArray* array) { array->release = nullptr; }

}  // namespace

std::shared_ptr<const ArrowData> arrow_struct(std::shared_ptr<const void> owner, std::int64_t rows,
                                              std::span<const NumberColumn> columns) {
  auto types = std::make_unique<Types>();
  auto arrays = std::make_unique<Arrays>();
  arrays->owner = std::move(owner);
  for (std::size_t i = 0; i < columns.size(); ++i) types->names.push_back(std::to_string(i));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const NumberColumn& of = columns[i];
    types->children.push_back({.format = of.format,
                               .name = types->names[i].c_str(),
                               .metadata = nullptr,
                               .flags = kArrowFlagNullable,
                               .n_children = 0,
                               .children = nullptr,
                               .dictionary = nullptr,
                               .release = keep_type,
                               .private_data = nullptr});
    arrays->buffers.push_back({of.nulls > 0 ? of.validity : nullptr, of.values});
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    arrays->children.push_back({.length = rows,
                                .null_count = columns[i].nulls,
                                .offset = 0,
                                .n_buffers = 2,
                                .n_children = 0,
                                .buffers = arrays->buffers[i].data(),
                                .children = nullptr,
                                .dictionary = nullptr,
                                .release = keep_array,
                                .private_data = nullptr});
  }
  for (ArrowSchema& child : types->children) types->pointers.push_back(&child);
  for (ArrowArray& child : arrays->children) arrays->pointers.push_back(&child);
  const auto n = static_cast<std::int64_t>(columns.size());
  ArrowSchema schema{.format = "+s",
                     .name = "",
                     .metadata = nullptr,
                     .flags = 0,
                     .n_children = n,
                     .children = types->pointers.data(),
                     .dictionary = nullptr,
                     .release = release_types,
                     .private_data = nullptr};
  schema.private_data = types.release();
  ArrowArray array{.length = rows,
                   .null_count = 0,
                   .offset = 0,
                   .n_buffers = 1,
                   .n_children = n,
                   .buffers = &arrays->validity,
                   .children = arrays->pointers.data(),
                   .dictionary = nullptr,
                   .release = release_arrays,
                   .private_data = nullptr};
  array.private_data = arrays.release();
  auto data = std::make_shared<ArrowData>();
  data->take(schema, array, "columns");
  return data;
}

}  // namespace confmat
