// Parses requests about labels, and finds the positive class.
#include "confmat/evaluate/spec.hpp"

#include <algorithm>
#include <utility>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/evaluate/group.hpp"

namespace confmat {
namespace {

constexpr std::uint8_t kVersion = 1;

std::optional<Labels> read_labels(ByteReader& reader) {
  const auto kind = reader.get<std::uint8_t>();
  if (kind == 0) return std::nullopt;
  if (kind > 3) throw StateError("unknown kind of labels");
  Labels labels;
  labels.kind = static_cast<Labels::Kind>(kind - 1);
  if (labels.kind == Labels::Kind::kText) {
    const auto n = reader.count(sizeof(std::uint32_t));
    labels.texts.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) labels.texts.emplace_back(reader.text());
  } else {
    const auto n = reader.count(sizeof(std::int64_t));
    labels.ints.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) labels.ints.push_back(reader.get<std::int64_t>());
  }
  return labels;
}

void read_asks(ByteReader& reader, Spec& spec) {
  const auto n = reader.count(sizeof(std::uint32_t));
  spec.asks.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    spec.asks.push_back(metrics::parse(reader.text()));
    spec.needs_positive |= spec.asks.back().needs_positive;
  }
}

}  // namespace

Spec parse_spec(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint8_t>() != kVersion) {
    throw StateError("the expression was made by another version of confmat");
  }
  Spec spec;
  const auto flags = reader.get<std::uint8_t>();
  spec.bucket_other = (flags & 1) != 0;
  spec.weighted = (flags & 2) != 0;
  spec.options.keep_empty = (flags & 4) != 0;
  spec.reasons = (flags & 64) != 0;
  const double undefined = reader.get<double>();
  if ((flags & 8) != 0) spec.options.undefined = undefined;
  spec.options.implied = (flags & 32) != 0;
  spec.options.smoothing = reader.get<double>();
  auto& labels = (flags & 16) != 0 ? spec.found : spec.labels;
  labels = read_labels(reader);
  if ((flags & 16) != 0 && (!spec.found || spec.weighted)) {
    throw StateError("found labels are wanted, and no weights");
  }
  spec.positive = read_labels(reader);
  if (spec.positive && spec.positive->size() != 1) throw StateError("one positive label is wanted");
  Spec of_booleans = spec;
  read_asks(reader, spec);
  if ((flags & 128) != 0) {
    read_asks(reader, of_booleans);
    spec.of_booleans = std::make_shared<const Spec>(std::move(of_booleans));
  }
  if (reader.left() != 0) throw StateError("message is longer than it claims");
  return spec;
}

std::shared_ptr<const Spec> spec_for(std::span<const std::uint8_t> bytes) {
  thread_local std::vector<std::uint8_t> last_bytes;
  thread_local std::shared_ptr<const Spec> last;
  if (last == nullptr || !std::ranges::equal(bytes, last_bytes)) {
    auto spec = std::make_shared<const Spec>(parse_spec(bytes));
    last = nullptr;  // an error from here on forgets both
    last_bytes.assign(bytes.begin(), bytes.end());
    last = std::move(spec);
  }
  return last;
}

std::int64_t positive_in(const Spec& spec, const Labels& labels) {
  const auto find = [](const auto& all, const auto& one) -> std::int64_t {
    const auto at = std::ranges::find(all, one);
    return at == all.end() ? -1 : at - all.begin();
  };
  const bool text = labels.kind == Labels::Kind::kText;
  if (!spec.positive) {
    return labels.have_usual_positive() ? find(labels.ints, std::int64_t{1}) : -1;
  }
  if (text != (spec.positive->kind == Labels::Kind::kText)) return -1;
  return text ? find(labels.texts, spec.positive->texts[0])
              : find(labels.ints, spec.positive->ints[0]);
}

Spec with_labels(const Spec& spec, Labels labels) {
  Spec out = spec;
  // A positive class that is none of them has no position, and must not pass for a name.
  if (spec.positive && positive_in(spec, labels) < 0) {
    if (spec.needs_positive) {
      throw InputError("`pos_label` " + spec.positive->display(0) + " is not in the labels " +
                       shown(labels));
    }
    out.positive.reset();
  }
  out.labels = std::move(labels);
  out.options.implied = true;
  return out;
}

}  // namespace confmat
