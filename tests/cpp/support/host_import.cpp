// Takes what a plugin call returns, as Polars does, and checks its form.
#include "support/host_import.hpp"

#include <doctest/doctest.h>

namespace confmat::host {
namespace {

void keep(ArrowSchema* /*schema*/) {}

std::size_t width_of(std::string_view format) {
  if (format == "c" || format == "C") return 1;
  if (format == "s" || format == "S") return 2;
  if (format == "i" || format == "I" || format == "f") return 4;
  if (format == "l" || format == "L" || format == "g") return 8;
  if (format == "_pli128" || format == "vz" || format == "vu") return 16;
  return 0;
}

Bytes copied(const void* from, std::size_t n) {
  if (n == 0) return {};
  REQUIRE(from != nullptr);
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  return {bytes, bytes + n};
}

std::int64_t nulls_in(const Array& array) {
  std::int64_t nulls = 0;
  for (std::size_t i = 0; i < array.size(); ++i) nulls += array.valid(i) ? 0 : 1;
  return nulls;
}

// Views, the blobs that they point into, and the sizes of these.
void read_views(const ArrowArray& from, std::size_t rows, Array& out) {
  REQUIRE(from.n_buffers >= 3);
  const auto blobs = static_cast<std::size_t>(from.n_buffers - 3);
  out.buffers.emplace_back(copied(from.buffers[1], rows * 16));
  const auto* sizes = static_cast<const std::int64_t*>(from.buffers[2 + blobs]);
  for (std::size_t b = 0; b < blobs; ++b) {
    REQUIRE(sizes[b] >= 0);
    out.buffers.emplace_back(copied(from.buffers[2 + b], static_cast<std::size_t>(sizes[b])));
  }
  out.buffers.emplace_back(copied(sizes, blobs * sizeof(std::int64_t)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out.valid(i)) continue;
    std::uint32_t view[4];
    std::memcpy(view, out.buffers[1]->data() + (static_cast<std::size_t>(out.offset) + i) * 16, 16);
    if (view[0] <= 12) {
      for (std::size_t b = view[0]; b < 12; ++b) {
        const bool padded = reinterpret_cast<const char*>(view)[4 + b] == 0;
        REQUIRE_MESSAGE(padded, "the rest of a short view is zero");
      }
      continue;
    }
    REQUIRE(view[2] < blobs);
    const Bytes& blob = *out.buffers[2 + view[2]];
    REQUIRE(std::size_t{view[3]} + view[0] <= blob.size());
    REQUIRE(std::memcmp(blob.data() + view[3], &view[1], 4) == 0);
  }
}

}  // namespace

HostSchema::HostSchema(const Type& type) : type_(type) {
  for (const auto& child : type_.children) {
    owners_.push_back(std::make_unique<HostSchema>(child));
    children_.push_back(owners_.back()->get());
  }
  if (!type_.dictionary.empty()) {
    owners_.push_back(std::make_unique<HostSchema>(type_.dictionary[0]));
  }
  schema_ = {.format = type_.format.c_str(),
             .name = type_.name.c_str(),
             .metadata = type_.metadata.empty() ? nullptr : type_.metadata.c_str(),
             .flags = kArrowFlagNullable,
             .n_children = static_cast<std::int64_t>(children_.size()),
             .children = children_.data(),
             .dictionary = type_.dictionary.empty() ? nullptr : owners_.back()->get(),
             .release = keep,
             .private_data = nullptr};
}

Type read_type(const ArrowSchema& schema) {
  REQUIRE(schema.format != nullptr);
  REQUIRE(schema.name != nullptr);
  REQUIRE(bool(schema.release));
  CHECK(schema.dictionary == nullptr);
  Type out{schema.format, schema.name};
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    out.children.push_back(read_type(*schema.children[i]));
  }
  return out;
}

Array read_array(const Type& type, const ArrowArray& from) {
  INFO("importing ", shown(type));
  REQUIRE(bool(from.release));
  REQUIRE(from.length >= 0);
  REQUIRE(from.offset >= 0);
  REQUIRE(from.n_buffers >= 1);
  REQUIRE(from.n_children == static_cast<std::int64_t>(type.children.size()));
  Array out{.length = from.length, .null_count = from.null_count, .offset = from.offset};
  const auto rows = static_cast<std::size_t>(from.offset + from.length);
  out.buffers.emplace_back();
  if (from.buffers[0] != nullptr) out.buffers[0] = copied(from.buffers[0], (rows + 7) / 8);
  // Without nulls the host does not look at the bitmap; -1 would need one.
  REQUIRE(from.null_count >= 0);
  if (from.null_count > 0) REQUIRE(out.buffers[0].has_value());
  if (out.buffers[0]) CHECK(nulls_in(out) == from.null_count);
  std::int64_t child_rows = from.offset + from.length;
  if (type.format == "+s") {
    REQUIRE(from.n_buffers == 1);
  } else if (type.format == "+L") {
    REQUIRE(from.n_buffers == 2);
    out.buffers.emplace_back(copied(from.buffers[1], (rows + 1) * sizeof(std::int64_t)));
    const auto* offsets = reinterpret_cast<const std::int64_t*>(out.buffers[1]->data());
    REQUIRE(offsets[0] >= 0);
    for (std::size_t i = 0; i < rows; ++i) REQUIRE(offsets[i] <= offsets[i + 1]);
    child_rows = offsets[rows];
  } else if (type.format == "vz") {
    read_views(from, rows, out);
  } else if (type.format == "b") {
    REQUIRE(from.n_buffers == 2);
    out.buffers.emplace_back(copied(from.buffers[1], (rows + 7) / 8));
  } else {
    REQUIRE(width_of(type.format) != 0);
    REQUIRE(from.n_buffers == 2);
    out.buffers.emplace_back(copied(from.buffers[1], rows * width_of(type.format)));
  }
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    out.children.push_back(read_array(type.children[i], *from.children[i]));
    CHECK(out.children.back().length == child_rows);
  }
  return out;
}

std::string shown(const Type& type) {
  std::string out = type.format + " " + type.name;
  if (type.children.empty()) return out;
  out += "[";
  for (const auto& child : type.children) out += shown(child) + ", ";
  return out + "]";
}

bool Array::valid(std::size_t i) const {
  if (buffers.empty() || !buffers[0]) return null_count != length || length == 0;
  const auto bit = static_cast<std::size_t>(offset) + i;
  return (((*buffers[0])[bit / 8] >> (bit % 8)) & 1) != 0;
}

std::string Array::text(std::size_t i) const {
  const std::uint8_t* view = buffers[1]->data() + (static_cast<std::size_t>(offset) + i) * 16;
  std::uint32_t words[4];
  std::memcpy(words, view, 16);
  if (words[0] <= 12) return {reinterpret_cast<const char*>(view) + 4, words[0]};
  const auto* blob = reinterpret_cast<const char*>(buffers[2 + words[2]]->data());
  return {blob + words[3], words[0]};
}

}  // namespace confmat::host
