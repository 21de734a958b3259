// Hands types and arrays to the host, which releases them when it likes.
#include "plugin/output.hpp"

#include <memory>

#include "confmat/kernels/validity.hpp"

namespace confmat::plugin {
namespace {

struct SchemaOwner {
  Type type;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  std::vector<std::unique_ptr<SchemaOwner>> owners;
};

// All that an array needs below its top. Few allocations: a query that calls the plugin a group
// keeps one of these for each group.
struct ArrayTree {
  std::vector<ArrowArray> nodes;
  std::vector<ArrowArray*> children;
  std::vector<const void*> buffers;
  std::vector<Buffer> memory;

  explicit ArrayTree(const Array& array) {
    Sizes sizes;
    sizes.add(array);
    nodes.reserve(sizes.nodes);
    children.reserve(sizes.nodes);
    buffers.reserve(sizes.buffers);
    memory.reserve(sizes.buffers);
  }

 private:
  struct Sizes {
    std::size_t nodes = 0;
    std::size_t buffers = 0;
    void add(const Array& array) {
      nodes += array.children.size();
      buffers += array.buffers.size();
      for (const auto& child : array.children) add(child);
    }
  };
};

// The host never releases children: the owner at the top frees the whole tree.
void keep_schema(ArrowSchema* /*child*/) {}
void keep_array(ArrowArray* /*child*/) {}

// The host calls these on copies of the structs, so only private_data tells what to free.
void release_schema(ArrowSchema* schema) {
  delete static_cast<SchemaOwner*>(schema->private_data);
  schema->release = nullptr;
}

std::unique_ptr<SchemaOwner> own(const Type& type, ArrowSchema& out) {
  auto owner = std::make_unique<SchemaOwner>();
  owner->type = type;
  owner->children.resize(type.children.size());
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    owner->owners.push_back(own(type.children[i], owner->children[i]));
    owner->child_pointers.push_back(&owner->children[i]);
  }
  out = {.format = owner->type.format.c_str(),
         .name = owner->type.name.c_str(),
         .metadata = nullptr,
         .flags = kArrowFlagNullable,
         .n_children = static_cast<std::int64_t>(owner->children.size()),
         .children = owner->child_pointers.data(),
         .dictionary = nullptr,
         .release = keep_schema,
         .private_data = nullptr};
  return owner;
}

// Needs: `tree` was sized for the whole array, so that nothing in it moves.
void place(Array&& array, ArrowArray& out, ArrayTree& tree) {
  const std::size_t first_child = tree.nodes.size();
  const std::size_t first_buffer = tree.buffers.size();
  for (auto& buffer : array.buffers) {
    tree.buffers.push_back(buffer.as<void>());
    tree.memory.push_back(std::move(buffer));
  }
  tree.nodes.resize(first_child + array.children.size());
  for (std::size_t i = 0; i < array.children.size(); ++i) {
    tree.children.push_back(&tree.nodes[first_child + i]);
  }
  out = {.length = array.length,
         .null_count = array.null_count,
         .offset = 0,
         .n_buffers = static_cast<std::int64_t>(array.buffers.size()),
         .n_children = static_cast<std::int64_t>(array.children.size()),
         .buffers = tree.buffers.data() + first_buffer,
         .children = tree.children.data() + first_child,
         .dictionary = nullptr,
         .release = keep_array,
         .private_data = nullptr};
  for (std::size_t i = 0; i < array.children.size(); ++i) {
    place(std::move(array.children[i]), tree.nodes[first_child + i], tree);
  }
}

void release_array(ArrowArray* array) {
  delete static_cast<ArrayTree*>(array->private_data);
  array->release = nullptr;
}

// What lives until the host is done with the SeriesExport; the array outlives it.
struct ExportOwner {
  ArrowSchema schema{};
  std::unique_ptr<SchemaOwner> schema_owner;
  ArrowArray array{};
  ArrowArray* arrays[1] = {&array};
};

void release_export(SeriesExport* series) {
  delete static_cast<ExportOwner*>(series->private_data);
  series->release = nullptr;
}

}  // namespace

Array primitive(std::int64_t length, Buffer values) {
  Array out{.length = length, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.push_back(std::move(values));
  return out;
}

Array nullable_doubles(std::int64_t length, Buffer values) {
  const auto n = static_cast<std::size_t>(length);
  Buffer validity((n + 7) / 8);
  valid_bits({values.as<double>(), n}, validity.as<std::uint8_t>());
  const std::int64_t nulls = length - count_bits({validity.as<std::uint8_t>(), (n + 7) / 8});
  Array out = primitive(length, std::move(values));
  if (nulls == 0) return out;
  out.null_count = nulls;
  out.buffers[0] = std::move(validity);
  return out;
}

void hand_over(const Type& type, ArrowSchema* out) {
  ArrowSchema schema{};
  auto owner = own(type, schema);
  schema.release = release_schema;
  schema.private_data = owner.release();
  *out = schema;
}

void hand_over(Result&& result, SeriesExport* out) {
  auto owner = std::make_unique<ExportOwner>();
  owner->schema_owner = own(result.type, owner->schema);
  auto tree = std::make_unique<ArrayTree>(result.array);
  place(std::move(result.array), owner->array, *tree);
  owner->array.release = release_array;
  owner->array.private_data = tree.release();
  *out = {.field = &owner->schema,
          .arrays = owner->arrays,
          .len = 1,
          .release = release_export,
          .private_data = nullptr};
  out->private_data = owner.release();
}

}  // namespace confmat::plugin
