// Writes reasons as String columns whose equal texts lie in memory once.
#include "plugin/reason_struct.hpp"

#include <cstring>

namespace confmat::plugin {
namespace {

// A text of up to 12 bytes lies in its view, a longer one in a buffer, of which the view then has
// the first 4 bytes, the number and the offset.
struct View {
  std::uint32_t length;
  char rest[12];
};

// Buffers of the texts that occur in one column, of at most a GiB each.
class TextBuffers {
 public:
  explicit TextBuffers(const std::vector<std::string>& texts)
      : texts_(texts), views_(texts.size(), View{}) {}

  const View& view(std::int32_t at) {
    const auto i = static_cast<std::size_t>(at);
    View& view = views_[i];
    if (view.length > 0) return view;
    const std::string& text = texts_[i];
    view.length = static_cast<std::uint32_t>(text.size());
    if (text.size() <= sizeof(view.rest)) {
      std::memcpy(view.rest, text.data(), text.size());
      return view;
    }
    constexpr std::size_t kMost = std::size_t{1} << 30;
    if (blobs_.empty() || blobs_.back().size() + text.size() > kMost) blobs_.emplace_back();
    const std::uint32_t place[2] = {static_cast<std::uint32_t>(blobs_.size() - 1),
                                    static_cast<std::uint32_t>(blobs_.back().size())};
    std::memcpy(view.rest, text.data(), 4);
    std::memcpy(view.rest + 4, place, sizeof(place));
    blobs_.back() += text;
    return view;
  }

  void give_to(Array& array) const {
    Buffer sizes(blobs_.size() * sizeof(std::int64_t));
    for (std::size_t i = 0; i < blobs_.size(); ++i) {
      sizes.as<std::int64_t>()[i] = static_cast<std::int64_t>(blobs_[i].size());
      array.buffers.emplace_back(blobs_[i].size());
      std::memcpy(array.buffers.back().as<char>(), blobs_[i].data(), blobs_[i].size());
    }
    array.buffers.push_back(std::move(sizes));
  }

 private:
  const std::vector<std::string>& texts_;
  std::vector<View> views_;
  std::vector<std::string> blobs_;
};

Array text_column(std::span<const std::int32_t> positions, const std::vector<std::string>& texts) {
  const std::size_t n = positions.size();
  TextBuffers buffers(texts);
  Buffer views(n * sizeof(View));
  Buffer validity((n + 7) / 8);
  auto* bits = validity.as<std::uint8_t>();
  std::memset(bits, 0, (n + 7) / 8);
  std::int64_t nulls = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (positions[i] < 0) {
      views.as<View>()[i] = {};
      ++nulls;
    } else {
      views.as<View>()[i] = buffers.view(positions[i]);
      bits[i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
    }
  }
  Array out = primitive(static_cast<std::int64_t>(n), std::move(views));
  out.null_count = nulls;
  if (nulls > 0) out.buffers[0] = std::move(validity);
  buffers.give_to(out);
  return out;
}

}  // namespace

Array reason_struct(const Reasons& reasons, std::span<const std::size_t> asks, std::int64_t rows) {
  Array out{.length = rows, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  for (const std::size_t ask : asks) {
    out.children.push_back(text_column(reasons.of(ask), reasons.texts()));
  }
  return out;
}

}  // namespace confmat::plugin
