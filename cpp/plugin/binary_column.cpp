// Writes byte strings as Arrow's binary views.
#include "plugin/binary_column.hpp"

#include <cstring>
#include <string>

#include "confmat/base/error.hpp"

namespace confmat::plugin {

// One buffer each a GiB, as their offsets have 32 bits; the views of nulls are zeros, as those that
// read the column check. Needs: each that is not empty has more than 12 bytes.
Array binaries(const States& states) {
  struct View {
    std::uint32_t length, head, blob, offset;
  };
  constexpr std::size_t kMost = std::size_t{1} << 30;
  Array out{.length = static_cast<std::int64_t>(states.size()), .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(states.size() * sizeof(View));
  std::vector<std::size_t> blobs(1);  // their sizes
  for (std::size_t i = 0; i < states.size(); ++i) {
    View& view = out.buffers[1].as<View>()[i];
    view = {};
    const std::size_t size = states[i].size();
    if (size == 0) continue;
    if (blobs.back() + size > kMost && blobs.back() > 0) blobs.emplace_back();
    view = {static_cast<std::uint32_t>(size), 0, static_cast<std::uint32_t>(blobs.size() - 1),
            static_cast<std::uint32_t>(blobs.back())};
    std::memcpy(&view.head, states[i].data(), sizeof(view.head));
    blobs.back() += size;
  }
  for (const std::size_t size : blobs) out.buffers.emplace_back(size);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].empty()) continue;
    const View& view = out.buffers[1].as<View>()[i];
    std::memcpy(out.buffers[2 + view.blob].as<std::uint8_t>() + view.offset, states[i].data(),
                states[i].size());
  }
  Buffer sizes(blobs.size() * sizeof(std::int64_t));
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    sizes.as<std::int64_t>()[i] = static_cast<std::int64_t>(blobs[i]);
  }
  out.buffers.push_back(std::move(sizes));
  std::vector<std::uint8_t> validity((states.size() + 7) / 8);
  for (std::size_t i = 0; i < states.size(); ++i) {
    out.null_count += states[i].empty() ? 1 : 0;
    validity[i / 8] |= static_cast<std::uint8_t>((states[i].empty() ? 0U : 1U) << (i % 8));
  }
  if (out.null_count > 0) {
    out.buffers[0] = Buffer(validity.size());
    std::memcpy(out.buffers[0].as<std::uint8_t>(), validity.data(), validity.size());
  }
  return out;
}

OtherStates::OtherStates(const Spec& spec, std::int64_t rows, const char* wanted)
    : wanted_(wanted), apart_(spec.apart), states_(static_cast<std::size_t>(apart_ ? rows : 0)) {}

void OtherStates::take(std::int64_t row, StateKind kind, Bytes bytes) {
  if (apart_) {
    states_[static_cast<std::size_t>(row)].assign(bytes.begin(), bytes.end());
    return;
  }
  const KindRow& found = *find_kind(static_cast<std::uint16_t>(kind));
  const std::string of = found.of;
  throw InputError("a state of " + of + ", and the metrics are of " + wanted_ + ": " +
                   (found.metric == nullptr
                        ? "it has none by name"
                        : "name metrics of " + of + ", such as \"" + found.metric + "\""));
}

void OtherStates::put(Array& out) const {
  if (apart_) out.children.push_back(binaries(states_));
}

void OtherStates::add_field(Type& type, const Spec& spec) {
  if (spec.apart) type.children.push_back({"vz", "others"});
}

}  // namespace confmat::plugin
