// Writes byte strings as Arrow's binary views.
#include "plugin/binary_column.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"

namespace confmat::plugin {

// The views of nulls are zeros, as those that read the column check.
BinaryColumn::BinaryColumn(std::size_t rows) : rows_(rows), views_(rows * sizeof(View)) {
  std::fill_n(views_.as<View>(), rows, View{});
}

// Each blob is as large as all before, so that they are few: the host copies columns of about as
// many buffers as rows. Offsets have 32 bits.
BinaryColumn::View BinaryColumn::room_for(std::size_t bytes, std::uint8_t*& place) {
  constexpr std::size_t kFirst = std::size_t{1} << 20, kMost = std::size_t{1} << 30;
  const std::scoped_lock lock(growing_);
  if (blobs_.empty() || bytes > blobs_.back().size - blobs_.back().used) {
    const std::size_t wanted = blobs_.empty() ? std::min(bytes * rows_, kFirst) : held_;
    const std::size_t size = std::max(bytes, std::min(wanted, kMost));
    blobs_.push_back({Buffer(size), size});
    held_ += size;
  }
  Blob& blob = blobs_.back();
  const std::size_t offset = std::exchange(blob.used, blob.used + bytes);
  place = blob.memory.as<std::uint8_t>() + offset;
  return {static_cast<std::uint32_t>(bytes), 0, static_cast<std::uint32_t>(blobs_.size() - 1),
          static_cast<std::uint32_t>(offset)};
}

void BinaryColumn::put(std::size_t row, Bytes bytes) {
  if (bytes.size() > UINT32_MAX) {
    throw InputError("a state of " + std::to_string(bytes.size()) +
                     " bytes; wanted less than 4 GiB in a column");
  }
  std::uint8_t* place = nullptr;
  View view = room_for(bytes.size(), place);
  std::memcpy(place, bytes.data(), bytes.size());
  std::memcpy(&view.head, bytes.data(), sizeof(view.head));
  views_.as<View>()[row] = view;
}

Array BinaryColumn::take() {
  Array out{.length = static_cast<std::int64_t>(rows_), .null_count = 0, .buffers = {}};
  Buffer validity((rows_ + 7) / 8);
  std::memset(validity.as<void>(), 0, (rows_ + 7) / 8);
  for (std::size_t row = 0; row < rows_; ++row) {
    const bool is_null = views_.as<View>()[row].length == 0;
    out.null_count += is_null ? 1 : 0;
    validity.as<std::uint8_t>()[row / 8] |=
        static_cast<std::uint8_t>((is_null ? 0U : 1U) << (row % 8));
  }
  out.buffers.push_back(out.null_count > 0 ? std::move(validity) : Buffer());
  out.buffers.push_back(std::move(views_));
  Buffer sizes(blobs_.size() * sizeof(std::int64_t));
  for (std::size_t i = 0; i < blobs_.size(); ++i) {
    sizes.as<std::int64_t>()[i] = static_cast<std::int64_t>(blobs_[i].used);
    out.buffers.push_back(std::move(blobs_[i].memory));
  }
  out.buffers.push_back(std::move(sizes));
  return out;
}

OtherStates::OtherStates(const Spec& spec, std::int64_t rows, const char* wanted)
    : wanted_(wanted), apart_(spec.apart), states_(static_cast<std::size_t>(apart_ ? rows : 0)) {}

void OtherStates::take(std::int64_t row, StateKind kind, Bytes bytes) {
  if (apart_) return states_.put(static_cast<std::size_t>(row), bytes);
  const KindRow& found = *find_kind(static_cast<std::uint16_t>(kind));
  const std::string of = found.of;
  throw InputError("a state of " + of + ", and the metrics are of " + wanted_ + ": " +
                   (found.metric == nullptr
                        ? "it has none by name"
                        : "name metrics of " + of + ", such as \"" + found.metric + "\""));
}

void OtherStates::put(Array& out) {
  if (apart_) out.children.push_back(states_.take());
}

void OtherStates::add_field(Type& type, const Spec& spec) {
  if (spec.apart) type.children.push_back({"vz", "others"});
}

}  // namespace confmat::plugin
