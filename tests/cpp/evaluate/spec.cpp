// Requests: what is read back, and what is refused.
#include "confmat/evaluate/spec.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "confmat/base/error.hpp"
#include "support/fake_host.hpp"
#include "support/message.hpp"

using confmat::InputError;
using confmat::Labels;
using confmat::parse_spec;
using confmat::positive_in;
using confmat::Spec;
using confmat::spec_for;
using confmat::StateError;
using confmat::host::Bytes;
using confmat::host::int_labels;
using confmat::host::Message;
using confmat::host::packed;
using confmat::host::Request;
using confmat::host::text_labels;

namespace {

using Field = confmat::MessageField;

Labels bool_labels() {
  Labels out = int_labels({0, 1});
  out.kind = Labels::Kind::kBool;
  return out;
}

void check_same(const Spec& spec, const Request& request) {
  CHECK((spec.labels == request.labels));
  CHECK((spec.positive == request.positive));
  CHECK(spec.bucket_other == request.bucket);
  CHECK(spec.weighted == request.weighted);
  CHECK(spec.options.keep_empty == request.keep_empty);
  CHECK(spec.options.smoothing == request.smoothing);
  CHECK(spec.nan_drop == request.nan_drop);
  CHECK((spec.bins ? spec.bins->code() : 0) == request.bins);
  REQUIRE(spec.options.undefined.has_value() == request.undefined.has_value());
  if (request.undefined && !std::isnan(*request.undefined)) {
    CHECK(*spec.options.undefined == *request.undefined);
  }
  REQUIRE(spec.asks.size() == request.metrics.size());
  for (std::size_t i = 0; i < spec.asks.size(); ++i) {
    CHECK(spec.asks[i].name == request.metrics[i]);
  }
  REQUIRE(spec.score_asks.size() == request.score_metrics.size());
  for (std::size_t i = 0; i < spec.score_asks.size(); ++i) {
    CHECK(spec.score_asks[i].name == request.score_metrics[i]);
  }
}

Request full() {
  Request out;
  out.metrics = {"accuracy", "f1_macro", "mcc"};
  out.labels = text_labels({"cat", "", "dog, with a name of many bytes", std::string("a\0b", 3)});
  out.positive = text_labels({"cat"});
  out.undefined = 0.25;
  out.bucket = out.weighted = out.keep_empty = out.nan_drop = true;
  out.bins = 16;
  out.smoothing = 0.5;
  return out;
}

// 0 parsed, 1 refused as bytes, 2 refused as input (the name of a metric).
int outcome(const Bytes& bytes) {
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  try {
    static_cast<void>(parse_spec(exact));
    return 0;
  } catch (const StateError&) {
    return 1;
  } catch (const InputError&) {
    return 2;
  }
}

void put32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  REQUIRE(at + 4 <= bytes.size());
  std::memcpy(bytes.data() + at, &value, 4);
}

}  // namespace

TEST_CASE("spec: every field comes back") {
  check_same(parse_spec(packed({})), {});
  check_same(parse_spec(packed(full())), full());
  Request request;
  request.labels = int_labels({3, -1, INT64_MIN, INT64_MAX});
  request.positive = int_labels({-1});
  request.metrics = {};
  check_same(parse_spec(packed(request)), request);
  request.labels = bool_labels();
  request.positive = std::nullopt;
  request.undefined = std::nan("");
  check_same(parse_spec(packed(request)), request);
  request.undefined = 0.0;
  request.labels = int_labels({});
  check_same(parse_spec(packed(request)), request);
}

TEST_CASE("spec: each flag alone") {
  for (int flag = 0; flag < 6; ++flag) {
    Request request;
    if (flag == 0) request.bucket = true;
    if (flag == 1) request.weighted = true;
    if (flag == 2) request.keep_empty = true;
    if (flag == 3) request.undefined = -1.0;
    if (flag == 4) request.nan_drop = true;
    if (flag == 5) request.bins = 3;
    check_same(parse_spec(packed(request)), request);
  }
}

TEST_CASE("spec: prefixes and trailing bytes are refused") {
  for (const auto& request : {Request{}, full()}) {
    const Bytes whole = packed(request);
    for (std::size_t n = 0; n < whole.size(); ++n) {
      CAPTURE(n);
      CHECK(outcome(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n))) == 1);
    }
    Bytes longer = whole;
    longer.push_back(0);
    CHECK(outcome(longer) == 1);
  }
}

TEST_CASE("spec: versions, fields, kinds and bins that are not known") {
  for (unsigned version = 0; version < 256; ++version) {
    Bytes bytes = packed({});
    bytes[0] = static_cast<std::uint8_t>(version);
    CHECK(outcome(bytes) == (version == confmat::kMessageVersion ? 0 : 1));
  }
  for (unsigned number = 0; number < 256; ++number) {
    const auto field = static_cast<Field>(number);
    const bool is_switch = field >= Field::kBucketOther && field <= Field::kApart;
    CHECK(outcome(Message().on(field).bytes()) == (is_switch ? 0 : 1));
  }
  for (unsigned kind = 3; kind < 256; ++kind) {
    Labels labels;
    labels.kind = static_cast<Labels::Kind>(kind);
    CHECK(outcome(Message().labels(Field::kLabels, labels).bytes()) == 1);
    CHECK(outcome(Message().labels(Field::kPositive, labels).bytes()) == 1);
  }
  for (unsigned code = 0; code < 256; ++code) {
    const auto byte = static_cast<std::uint8_t>(code);
    CHECK(outcome(Message().value(Field::kBins, byte).bytes()) ==
          (confmat::BinMap::of_code(byte) ? 0 : 1));
  }
}

TEST_CASE("spec: a field comes once, in its place") {
  CHECK(outcome(Message().on(Field::kWeighted).on(Field::kKeepEmpty).bytes()) == 0);
  CHECK(outcome(Message().on(Field::kKeepEmpty).on(Field::kWeighted).bytes()) == 1);
  CHECK(outcome(Message().on(Field::kWeighted).on(Field::kWeighted).bytes()) == 1);
}

TEST_CASE("spec: one positive label") {
  Request request;
  request.positive = int_labels({});
  CHECK(outcome(packed(request)) == 1);
  request.positive = int_labels({1, 2});
  CHECK(outcome(packed(request)) == 1);
}

TEST_CASE("spec: how far intervals reach, down and up") {
  using confmat::metrics::Part;
  using confmat::metrics::Reach;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto asked = [](const Reach& reach) {
    return Message()
        .names(Field::kMetrics, std::vector<std::string>{"mcc"})
        .value(Field::kReach, reach)
        .bytes();
  };
  for (const Reach& reach : {Reach{1.0, 2.0}, Reach{1.5, kInf}, Reach{kInf, 1.5}}) {
    const auto spec = parse_spec(asked(reach));
    REQUIRE(spec.asks.size() == 3);
    CHECK(spec.asks[0].part == Part::kValue);
    for (const std::size_t end : {1U, 2U}) {
      CHECK(spec.asks[end].part == (end == 1 ? Part::kLow : Part::kHigh));
      CHECK(spec.asks[end].reach == reach);
    }
  }
  for (const double bad : {0.0, -1.0, kNan}) {
    CHECK(outcome(asked({bad, 1.0})) == 1);
    CHECK(outcome(asked({1.0, bad})) == 1);
  }
  CHECK(outcome(asked({kInf, kInf})) == 1);
}

TEST_CASE("spec: counts that the bytes cannot hold are refused before anything is allocated") {
  // Behind version and length: the field, the kind of the labels, then how many.
  constexpr std::size_t kCount = 7;
  for (const std::uint32_t claim : {4U, 1000U, 0x10000000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    Bytes bytes = Message().labels(Field::kLabels, int_labels({1, 2, 3})).bytes();
    put32(bytes, kCount, claim);
    CHECK(outcome(bytes) == 1);
    const Bytes texts = Message().labels(Field::kLabels, text_labels({"a", "b", "c"})).bytes();
    bytes = texts;
    put32(bytes, kCount, claim);
    CHECK(outcome(bytes) == 1);
    bytes = texts;
    put32(bytes, kCount + 4, claim);  // the length of the first label
    CHECK(outcome(bytes) == 1);
    for (const Field field : {Field::kMetrics, Field::kScoreMetrics, Field::kOfBooleans}) {
      bytes = Message().names(field, std::vector<std::string>{}).bytes();
      put32(bytes, 6, claim);
      CHECK(outcome(bytes) == 1);
    }
  }
}

TEST_CASE("spec: unknown metrics are the caller's mistake, whatever their bytes") {
  for (const std::string& name :
       {std::string("no_such_metric"), std::string(), std::string("\xFF\xFE\x00", 3),
        std::string("fbeta("), std::string("fbeta(1e999)"), std::string(5000, 'x')}) {
    Request request;
    request.metrics = {name};
    CHECK(outcome(packed(request)) == 2);
  }
}

TEST_CASE("spec: changed bytes never do harm") {
  confmat::host::Random random(7);
  const Bytes whole = packed(full());
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    Bytes bytes = whole;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
    }
    refused += outcome(bytes) == 0 ? 0 : 1;
  }
  CHECK(refused > 2000);
  for (int i = 0; i < 20'000; ++i) {
    Bytes bytes(random.below(60));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
    if (bytes.size() > 4) {
      bytes[0] = confmat::kMessageVersion;
      put32(bytes, 1, static_cast<std::uint32_t>(bytes.size() - 5));
    }
    static_cast<void>(outcome(bytes));
  }
}

TEST_CASE("spec: the last one is remembered by its bytes, and an error forgets nothing") {
  const Bytes first = packed({});
  const Bytes second = packed(full());
  const auto a = spec_for(first);
  CHECK(spec_for(Bytes(first)) == a);
  check_same(*spec_for(second), full());
  CHECK_THROWS_AS(static_cast<void>(spec_for(Bytes{9})), StateError);
  check_same(*spec_for(second), full());
  check_same(*spec_for(first), {});
  check_same(*a, {});
  std::thread([&] { check_same(*spec_for(first), {}); }).join();
}

TEST_CASE("spec: the positive class") {
  Spec spec;
  CHECK(positive_in(spec, int_labels({0, 1})) == 1);
  CHECK(positive_in(spec, int_labels({1, 7})) == -1);
  CHECK(positive_in(spec, int_labels({1})) == 0);
  CHECK(positive_in(spec, int_labels({-1, 1})) == 1);
  CHECK(positive_in(spec, bool_labels()) == 1);
  CHECK(positive_in(spec, int_labels({2, 3})) == -1);
  CHECK(positive_in(spec, int_labels({0, 1, 2})) == -1);
  CHECK(positive_in(spec, text_labels({"0", "1"})) == -1);
  CHECK(positive_in(spec, int_labels({})) == -1);
  spec.positive = int_labels({2});
  CHECK(positive_in(spec, int_labels({0, 1, 2})) == 2);
  CHECK(positive_in(spec, int_labels({0, 1})) == -1);
  CHECK(positive_in(spec, text_labels({"a", "b"})) == -1);
  spec.positive = text_labels({"b"});
  CHECK(positive_in(spec, text_labels({"a", "b"})) == 1);
  CHECK(positive_in(spec, int_labels({0, 1})) == -1);
}

TEST_CASE("spec: labels that are found, and a positive class that may be none of them") {
  Spec spec;
  spec.positive = text_labels({"b"});
  const Spec with = confmat::with_labels(spec, text_labels({"a", "b"}));
  CHECK(with.positive.has_value());
  CHECK(with.labels == text_labels({"a", "b"}));
  CHECK(with.options.implied);
  CHECK_FALSE(confmat::with_labels(spec, text_labels({"a", "c"})).positive.has_value());
  spec.needs_positive = true;
  CHECK_THROWS_WITH_AS(confmat::with_labels(spec, text_labels({"a", "c"})),
                       doctest::Contains("`pos_label`"), InputError);
}

TEST_CASE("spec: what is asked of Booleans") {
  using Names = std::vector<std::string>;
  CHECK((parse_spec(Message().names(Field::kMetrics, Names{"f1_macro"}).bytes()).of_booleans ==
         nullptr));
  const Spec spec = parse_spec(Message()
                                   .names(Field::kMetrics, Names{"f1_macro"})
                                   .names(Field::kOfBooleans, Names{"f1"})
                                   .on(Field::kKeepEmpty)
                                   .bytes());
  CHECK(spec.asks.at(0).name == "f1_macro");
  CHECK_FALSE(spec.needs_positive);
  REQUIRE((spec.of_booleans != nullptr));
  CHECK(spec.of_booleans->asks.at(0).name == "f1");
  CHECK(spec.of_booleans->needs_positive);
  CHECK(spec.of_booleans->options.keep_empty);
}

TEST_CASE("spec: found labels let codes travel, but are not the labels of a group") {
  const Labels labels = text_labels({"a", "b"});
  const Spec spec = parse_spec(Message().labels(Field::kFound, labels).bytes());
  CHECK_FALSE(spec.labels.has_value());
  CHECK((spec.found == labels));
  REQUIRE(spec.coded() == &*spec.found);
  CHECK((parse_spec(Message().bytes()).coded() == nullptr));
  CHECK(outcome(Message().labels(Field::kFound, labels).on(Field::kWeighted).bytes()) == 1);
  CHECK(outcome(Message().labels(Field::kLabels, labels).labels(Field::kFound, labels).bytes()) ==
        1);
}
