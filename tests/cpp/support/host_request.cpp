// The messages that the fake host sends along.
#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

template <class T>
void put(Bytes& out, const T& value) {
  const std::size_t old = out.size();
  out.resize(old + sizeof(T));
  std::memcpy(out.data() + old, &value, sizeof(T));
}

void put_text(Bytes& out, const std::string& text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out.insert(out.end(), text.begin(), text.end());
}

void put_labels(Bytes& out, const std::optional<Labels>& labels) {
  if (!labels) return put(out, std::uint8_t{0});
  const bool text = labels->kind == Labels::Kind::kText;
  put(out, static_cast<std::uint8_t>(text ? 3 : labels->kind == Labels::Kind::kBool ? 2 : 1));
  put(out, static_cast<std::uint32_t>(labels->size()));
  for (const auto& label : labels->texts) put_text(out, label);
  for (const auto label : labels->ints) put(out, label);
}

}  // namespace

Labels int_labels(std::vector<std::int64_t> values) {
  Labels out;
  out.ints = std::move(values);
  return out;
}

Labels first_labels(std::size_t k) {
  Labels out;
  for (std::size_t i = 0; i < k; ++i) out.ints.push_back(static_cast<std::int64_t>(i));
  return out;
}

Labels text_labels(std::vector<std::string> values) {
  Labels out;
  out.kind = Labels::Kind::kText;
  out.texts = std::move(values);
  return out;
}

Bytes packed(const Request& request) {
  Bytes out = {1};
  put(out, static_cast<std::uint8_t>((request.bucket ? 1 : 0) | (request.weighted ? 2 : 0) |
                                     (request.keep_empty ? 4 : 0) | (request.undefined ? 8 : 0)));
  put(out, request.undefined.value_or(0.0));
  put(out, request.smoothing);
  put_labels(out, request.labels);
  put_labels(out, request.positive);
  put(out, static_cast<std::uint32_t>(request.metrics.size()));
  for (const auto& name : request.metrics) put_text(out, name);
  return out;
}

Bytes pickled(const Bytes& value) {
  // From 64 KiB on, bytes stand outside of the frame.
  constexpr std::size_t kLarge = std::size_t{1} << 16;
  const bool is_short = value.size() < 256;
  const std::size_t head = 6;  // } memo "v" memo
  const std::size_t whole = head + (is_short ? 2 : 5) + value.size() + 3;
  Bytes out = {0x80, 5, 0x95};
  put(out, static_cast<std::uint64_t>(value.size() < kLarge ? whole : head));
  for (const int byte : {0x7D, 0x94, 0x8C, 1, 0x76, 0x94}) {  // }, memo, "v", memo
    out.push_back(static_cast<std::uint8_t>(byte));
  }
  out.push_back(is_short ? 'C' : 'B');
  if (is_short) {
    out.push_back(static_cast<std::uint8_t>(value.size()));
  } else {
    put(out, static_cast<std::uint32_t>(value.size()));
  }
  out.insert(out.end(), value.begin(), value.end());
  for (const int byte : {0x94, 0x73, 0x2E}) out.push_back(static_cast<std::uint8_t>(byte));
  return out;
}

}  // namespace confmat::host
