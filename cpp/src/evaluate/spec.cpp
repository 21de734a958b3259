// Parses requests, and finds the positive class.
#include "confmat/evaluate/spec.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/state/labels.hpp"

namespace confmat {
namespace {

Labels read_labels(ByteReader& reader) {
  const auto kind = reader.get<std::uint8_t>();
  if (kind > 2) throw StateError("unknown kind of labels");
  Labels labels;
  labels.kind = static_cast<Labels::Kind>(kind);
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

template <class Parse>
auto read_names(ByteReader& reader, const Parse& parse) {
  const auto n = reader.count(sizeof(std::uint32_t));
  std::vector<decltype(parse(std::string_view()))> asks;
  asks.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) asks.push_back(parse(reader.text()));
  return asks;
}

BinMap read_bins(ByteReader& reader) {
  const auto code = reader.get<std::uint8_t>();
  const auto bins = BinMap::of_code(code);
  if (!bins) throw StateError("no bins have the code " + std::to_string(code));
  return *bins;
}

// Each ask, and the two ends of its interval.
std::vector<metrics::Ask> with_ends(const std::vector<metrics::Ask>& asks,
                                    const metrics::Reach& reach) {
  std::vector<metrics::Ask> out;
  for (const metrics::Ask& ask : asks) {
    out.push_back(ask);
    for (const metrics::Part part : {metrics::Part::kLow, metrics::Part::kHigh}) {
      metrics::Ask end = ask;
      end.name += part == metrics::Part::kLow ? "_low" : "_high";
      end.part = part;
      end.reach = reach;
      out.push_back(std::move(end));
    }
  }
  return out;
}

void set_asks(Spec& spec, std::vector<metrics::Ask> asks) {
  spec.needs_positive =
      std::ranges::any_of(asks, [](const auto& ask) { return ask.needs_positive; });
  spec.asks = std::move(asks);
}

}  // namespace

Spec parse_spec(std::span<const std::uint8_t> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint8_t>() != kMessageVersion) {
    throw StateError("the expression was made by another version of confmat");
  }
  const auto length = reader.get<std::uint32_t>();
  if (length > reader.left()) throw StateError("message is shorter than it claims");
  if (length < reader.left()) throw StateError("message is longer than it claims");
  Spec spec;
  std::optional<std::vector<metrics::Ask>> of_booleans;
  std::optional<metrics::Reach> reach;
  for (std::uint8_t last = 0; reader.left() > 0;) {
    const auto number = reader.get<std::uint8_t>();
    if (number <= last) throw StateError("a field of the message is out of its place");
    last = number;
    switch (static_cast<MessageField>(number)) {
      case MessageField::kMetrics:
        set_asks(spec, read_names(reader, metrics::parse));
        break;
      case MessageField::kScoreMetrics:
        spec.score_asks = read_names(reader, metrics::parse_score);
        break;
      case MessageField::kOfBooleans:
        of_booleans = read_names(reader, metrics::parse);
        break;
      case MessageField::kLabels:
        spec.labels = read_labels(reader);
        break;
      case MessageField::kFound:
        spec.found = read_labels(reader);
        break;
      case MessageField::kPositive:
        spec.positive = read_labels(reader);
        break;
      case MessageField::kUndefined:
        spec.options.undefined = reader.get<double>();
        break;
      case MessageField::kSmoothing:
        spec.options.smoothing = reader.get<double>();
        break;
      case MessageField::kBins:
        spec.bins = read_bins(reader);
        break;
      case MessageField::kBucketOther:
        spec.bucket_other = true;
        break;
      case MessageField::kNanDrop:
        spec.nan_drop = true;
        break;
      case MessageField::kWeighted:
        spec.weighted = true;
        break;
      case MessageField::kKeepEmpty:
        spec.options.keep_empty = true;
        break;
      case MessageField::kImplied:
        spec.options.implied = true;
        break;
      case MessageField::kReasons:
        spec.reasons = true;
        break;
      case MessageField::kApart:
        spec.apart = true;
        break;
      case MessageField::kReach:
        reach = {reader.get<double>(), reader.get<double>()};
        if (!(reach->below > 0.0 && reach->above > 0.0) ||
            (std::isinf(reach->below) && std::isinf(reach->above))) {
          throw StateError("an interval has no end that it can reach");
        }
        break;
      case MessageField::kRegressionMetrics:
        spec.regression_asks = read_names(reader, metrics::parse_regression);
        break;
      default:
        throw StateError("the message has a field that is not known");
    }
  }
  if (spec.found && (spec.labels || spec.weighted)) {
    throw StateError("found labels go without given ones, and without weights");
  }
  if (spec.positive && spec.positive->size() != 1) throw StateError("one positive label is wanted");
  if (reach) spec.asks = with_ends(spec.asks, *reach);
  if (of_booleans) {
    Spec other = spec;
    if (reach) of_booleans = with_ends(*of_booleans, *reach);
    set_asks(other, std::move(*of_booleans));
    spec.of_booleans = std::make_shared<const Spec>(std::move(other));
  }
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
  return spec.positive ? labels.place_of(*spec.positive) : labels.usual_positive();
}

Spec with_labels(const Spec& spec, Labels labels) {
  Spec out = spec;
  // A positive class that is none of them has no position, and must not pass for a name.
  if (spec.positive && positive_in(spec, labels) < 0) {
    if (spec.needs_positive) {
      throw InputError("`pos_label` " + quoted_label(*spec.positive, 0) + " is not in the labels " +
                       listing(labels));
    }
    out.positive.reset();
  }
  out.labels = std::move(labels);
  out.options.implied = true;
  return out;
}

}  // namespace confmat
