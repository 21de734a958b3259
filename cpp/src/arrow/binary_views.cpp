// Views of zeros for nulls, as those that read a column check them, and blobs that grow.
#include "confmat/arrow/binary_views.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

constexpr std::size_t kInline = 12;  // bytes, which lie in their view

struct Owner {
  BinaryViews::Buffers buffers;
  std::vector<const void*> addresses;
};

void release_owner(ArrowArray* array) {
  delete static_cast<Owner*>(array->private_data);
  array->release = nullptr;
}

void release_type(ArrowSchema* schema) { schema->release = nullptr; }

}  // namespace

BinaryViews::BinaryViews(std::size_t rows)
    : views_(rows), growing_(std::make_unique<std::mutex>()) {
  std::fill_n(views_.data(), rows, View{});
}

// Each blob is as large as all before, so that they are few: Polars copies columns of about as many
// buffers as rows. Offsets have 32 bits.
BinaryViews::View BinaryViews::room_for(std::size_t bytes, std::byte*& place) {
  constexpr std::size_t kFirst = std::size_t{1} << 20, kMost = std::size_t{1} << 30;
  const std::scoped_lock lock(*growing_);
  if (blobs_.empty() || bytes > blobs_.back().size - blobs_.back().used) {
    const std::size_t wanted = blobs_.empty() ? std::min(bytes * size(), kFirst) : held_;
    const std::size_t size = std::max(bytes, std::min(wanted, kMost));
    blobs_.push_back({PageBlock(size, PageSize::kUsual), size, 0});
    held_ += size;
  }
  Blob& blob = blobs_.back();
  const std::size_t offset = std::exchange(blob.used, blob.used + bytes);
  place = blob.memory.get() + offset;
  return {static_cast<std::uint32_t>(bytes), 0, static_cast<std::uint32_t>(blobs_.size() - 1),
          static_cast<std::uint32_t>(offset)};
}

void BinaryViews::put(std::size_t row, std::span<const std::uint8_t> bytes) {
  if (bytes.size() > UINT32_MAX) {
    throw InputError("a value of " + std::to_string(bytes.size()) +
                     " bytes; wanted less than 4 GiB in a column");
  }
  if (bytes.size() <= kInline) {
    views_[row] = {static_cast<std::uint32_t>(bytes.size()), 0, 0, 0};
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(views_.data() + row) + 4);
    return;
  }
  std::byte* place = nullptr;
  View view = room_for(bytes.size(), place);
  std::memcpy(place, bytes.data(), bytes.size());
  std::memcpy(&view.head, bytes.data(), sizeof(view.head));
  views_[row] = view;
}

std::span<const std::uint8_t> BinaryViews::operator[](std::size_t row) const noexcept {
  const View& view = views_[row];
  if (view.length <= kInline) {
    return {reinterpret_cast<const std::uint8_t*>(&view) + 4, view.length};
  }
  const std::byte* const first = blobs_[view.blob].memory.get() + view.offset;
  return {reinterpret_cast<const std::uint8_t*>(first), view.length};
}

BinaryViews::Buffers BinaryViews::take() {
  Buffers out;
  const std::size_t rows = size();
  Pages<std::uint8_t> validity((rows + 7) / 8);
  std::fill_n(validity.data(), validity.size(), std::uint8_t{0});
  for (std::size_t row = 0; row < rows; ++row) {
    const bool is_null = views_[row].length == 0;
    out.nulls += is_null ? 1 : 0;
    validity[row / 8] |= static_cast<std::uint8_t>((is_null ? 0U : 1U) << (row % 8));
  }
  if (out.nulls > 0) out.validity = std::move(validity).block();
  out.views = std::move(views_).block();
  out.sizes = Pages<std::int64_t>(blobs_.size());
  for (std::size_t i = 0; i < blobs_.size(); ++i) {
    out.sizes[i] = static_cast<std::int64_t>(blobs_[i].used);
    out.blobs.push_back(std::move(blobs_[i].memory));
  }
  blobs_.clear();
  return out;
}

std::shared_ptr<const ArrowData> arrow_data_of(BinaryViews column) {
  const auto rows = static_cast<std::int64_t>(column.size());
  auto owner = std::make_unique<Owner>();
  owner->buffers = column.take();
  const BinaryViews::Buffers& buffers = owner->buffers;
  owner->addresses = {buffers.validity.get(), buffers.views.get()};
  for (const PageBlock& blob : buffers.blobs) owner->addresses.push_back(blob.get());
  owner->addresses.push_back(buffers.sizes.data());
  ArrowSchema schema{.format = "vz",
                     .name = "",
                     .metadata = nullptr,
                     .flags = kArrowFlagNullable,
                     .n_children = 0,
                     .children = nullptr,
                     .dictionary = nullptr,
                     .release = release_type,
                     .private_data = nullptr};
  ArrowArray array{.length = rows,
                   .null_count = buffers.nulls,
                   .offset = 0,
                   .n_buffers = static_cast<std::int64_t>(owner->addresses.size()),
                   .n_children = 0,
                   .buffers = owner->addresses.data(),
                   .children = nullptr,
                   .dictionary = nullptr,
                   .release = release_owner,
                   .private_data = nullptr};
  array.private_data = owner.release();
  auto data = std::make_shared<ArrowData>();
  data->take(schema, array, "column");
  return data;
}

}  // namespace confmat
