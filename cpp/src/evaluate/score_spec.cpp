// Parses requests about scores.
#include "confmat/evaluate/score_spec.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "confmat/base/bytes.hpp"

namespace confmat {
namespace {

constexpr std::uint8_t kVersion = 'S';  // the first byte of no other message

std::optional<Labels> read_label(ByteReader& reader) {
  const auto kind = reader.get<std::uint8_t>();
  if (kind == 0) return std::nullopt;
  if (kind > 3) throw StateError("unknown kind of label");
  Labels label;
  label.kind = static_cast<Labels::Kind>(kind - 1);
  if (label.kind == Labels::Kind::kText) {
    label.texts.emplace_back(reader.text());
  } else {
    label.ints.push_back(reader.get<std::int64_t>());
  }
  return label;
}

}  // namespace

ScoreSpec parse_score_spec(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint8_t>() != kVersion) {
    throw StateError("the expression was made by another version of confmat");
  }
  ScoreSpec spec;
  const auto flags = reader.get<std::uint8_t>();
  spec.weighted = (flags & 1) != 0;
  spec.nan_drop = (flags & 2) != 0;
  spec.reasons = (flags & 8) != 0;
  const auto undefined = reader.get<double>();
  if ((flags & 4) != 0) spec.undefined = undefined;
  if (const auto code = reader.get<std::uint8_t>(); code != 0) {
    spec.bins = BinMap::of_code(code);
    if (!spec.bins) throw StateError("no bins have the code " + std::to_string(code));
  }
  spec.positive = read_label(reader);
  const auto n = reader.count(sizeof(std::uint32_t));
  spec.asks.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) spec.asks.push_back(metrics::parse_score(reader.text()));
  if (reader.left() != 0) throw StateError("message is longer than it claims");
  return spec;
}

std::shared_ptr<const ScoreSpec> score_spec_for(std::span<const std::uint8_t> bytes) {
  thread_local std::vector<std::uint8_t> last_bytes;
  thread_local std::shared_ptr<const ScoreSpec> last;
  if (last == nullptr || !std::ranges::equal(bytes, last_bytes)) {
    auto spec = std::make_shared<const ScoreSpec>(parse_score_spec(bytes));
    last = nullptr;  // an error from here on forgets both
    last_bytes.assign(bytes.begin(), bytes.end());
    last = std::move(spec);
  }
  return last;
}

void score_values(const ScoreSpec& spec, const metrics::SweepView& sweep, int threads,
                  double* out) {
  metrics::score_values(spec.asks, sweep, threads, out);
  if (!spec.undefined) return;
  for (std::size_t i = 0; i < spec.asks.size(); ++i) {
    if (std::isnan(out[i])) out[i] = *spec.undefined + 0.0;
  }
}

void score_reasons(const ScoreSpec& spec, const metrics::SweepView& sweep, const double* values,
                   std::string* out) {
  for (std::size_t i = 0; i < spec.asks.size(); ++i) {
    const bool replaced = spec.undefined.has_value();
    out[i].clear();
    if (replaced || std::isnan(values[i])) out[i] = metrics::score_reason(spec.asks[i], sweep, 1);
  }
}

}  // namespace confmat
