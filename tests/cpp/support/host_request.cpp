// The messages that the fake host sends along.
#include "support/fake_host.hpp"
#include "support/message.hpp"

namespace confmat::host {
namespace {

template <class T>
void put(Bytes& out, const T& value) {
  const std::size_t old = out.size();
  out.resize(old + sizeof(T));
  std::memcpy(out.data() + old, &value, sizeof(T));
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
  using Field = MessageField;
  Message out;
  out.names(Field::kMetrics, request.metrics).names(Field::kScoreMetrics, request.score_metrics);
  if (request.labels) out.labels(Field::kLabels, *request.labels);
  if (request.positive) out.labels(Field::kPositive, *request.positive);
  if (request.undefined) out.value(Field::kUndefined, *request.undefined);
  out.value(Field::kSmoothing, request.smoothing);
  if (request.bins != 0) out.value(Field::kBins, request.bins);
  out.on(Field::kBucketOther, request.bucket).on(Field::kNanDrop, request.nan_drop);
  out.on(Field::kWeighted, request.weighted).on(Field::kKeepEmpty, request.keep_empty);
  return out.bytes();
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
