// Binned sweeps as a column: made, merged and read; damaged ones are refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "confmat/state/sweep.hpp"
#include "scores_host.hpp"

namespace confmat::host {
namespace {

Outcome states_of(const std::vector<Series>& inputs, const Groups& groups, Request request) {
  request.score_metrics = {};
  const Outcome codes = run(kEncodeScore, inputs, kwargs(request));
  if (!codes.ok()) return codes;
  std::vector<Series> args = {lists(codes.value, groups), integers("l", {0}), integers("l", {1})};
  if (request.weighted) args.push_back(floats("g", {0.5}));
  return run(kScoreState, args, kwargs(request));
}

Request binned(std::uint8_t code) {
  Request out;
  out.bins = code;
  return out;
}

Series binary(const Texts& values) {
  Series out = texts(values);
  out.type.format = "vz";
  return out;
}

Outcome read(const Series& states, const std::vector<std::string>& metrics) {
  Request request;
  request.score_metrics = metrics;
  return run(kScoreStateMetrics, {states}, kwargs(request));
}

const Ints kTruth = {0, 1, 1, 0, std::nullopt, 1, 0, 1};
const Doubles kScores = {0.25, 0.75, 0.5, 0.5, 0.125, std::nullopt, -3, HUGE_VAL};

}  // namespace

TEST_CASE("score states: the sum of parts is the whole") {
  for (const char* format : {"f", "g"}) {
    const std::vector<Series> inputs = {integers("l", kTruth), floats(format, kScores)};
    const Outcome parts = states_of(inputs, {{0, 1, 2}, {3, 4}, {}, {5, 6, 7}}, binned(16));
    const Outcome whole = states_of(inputs, one_group(kTruth.size()), binned(16));
    REQUIRE_MESSAGE(parts.ok(), parts.error);
    REQUIRE_MESSAGE(whole.ok(), whole.error);
    for (const auto& order : Groups{{0, 1, 2, 3}, {3, 2, 1, 0}}) {
      const Outcome merged =
          run(kMergeStates, {lists(parts.value, {order, {}})}, kwargs(Request{}));
      REQUIRE_MESSAGE(merged.ok(), merged.error);
      CHECK(merged.array().text(0) == whole.array().text(0));
      CHECK_FALSE(merged.array().valid(1));
    }
    const Outcome values = read(whole.value, {"roc_auc", "average_precision"});
    CHECK(value_of(values, 0, 0) == 6);
    CHECK(values.array().children[1].value<std::int64_t>(0) == 2);
    CHECK(value_of(values, 2, 0) == 8.5 / 9);  // these scores are told apart exactly
    CHECK(value_of(values, 4, 0) == 8.5 / 9);
    CHECK(value_of(values, 5, 0) == 8.5 / 9);
  }
}

TEST_CASE("score states: exact while each bin holds one score, whatever is merged first") {
  const std::vector<Series> inputs = {integers("l", {0, 1, 1, 0, 1}),
                                      floats("g", {0.25, 0.75, 0.75, 0.5, 0.7500001})};
  for (const std::uint8_t bits : std::vector<std::uint8_t>{1, 16, 17, 18}) {
    const Outcome parts = states_of(inputs, {{0, 1}, {2, 3}, {4}, {}}, binned(bits));
    REQUIRE_MESSAGE(parts.ok(), parts.error);
    for (const auto& order : Groups{{0, 1, 2}, {2, 1, 0}, {0, 1}, {0, 3}, {2}}) {
      const Outcome merged = run(kMergeStates, {lists(parts.value, {order})}, kwargs(Request{}));
      REQUIRE_MESSAGE(merged.ok(), merged.error);
      const Outcome values = read(merged.value, {});
      const bool one = order.size() == 1 || (bits > 1 && order.size() == 2);
      CHECK(values.array().children[4].value<std::uint8_t>(0) % 2 == (one ? 1 : 0));
    }
  }
}

TEST_CASE("score states: sums of weights do not depend on the order of the states") {
  const double half = std::ldexp(1.0, -53);  // of the last digit of 1
  Request request = binned(1);
  request.weighted = true;
  const std::vector<Series> inputs = {integers("l", {1, 1, 1, 1, 0}),
                                      floats("g", {1, 2, 3, 4, -HUGE_VAL}),
                                      floats("g", {1, half, half * half, half * half, 1})};
  const Outcome parts = states_of(inputs, {{0}, {1}, {2}, {3}, {4}}, request);
  REQUIRE_MESSAGE(parts.ok(), parts.error);
  Groups orders;
  std::vector<std::size_t> order = {0, 1, 2, 3, 4};
  do orders.push_back(order);
  while (std::ranges::next_permutation(order).found);
  const Outcome merged = run(kMergeStates, {lists(parts.value, orders)}, kwargs(Request{}));
  REQUIRE_MESSAGE(merged.ok(), merged.error);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    CHECK(merged.array().text(i) == merged.array().text(0));
  }
  CHECK(contains(read(merged.value, {"brier"}).error, "brier needs probabilities"));
}

TEST_CASE("score states: weights, and bounds that hold the exact area") {
  Random random(8);
  Ints truth;
  Doubles scores, weights;
  for (int i = 0; i < 300; ++i) {
    truth.push_back(static_cast<std::int64_t>(random.below(2)));
    scores.push_back(static_cast<double>(random.below(100000)) / 99999);
    weights.push_back(static_cast<double>(random.below(50)) / 7);
  }
  for (const bool weighted : {false, true}) {
    std::vector<Series> inputs = {integers("l", truth), floats("g", scores)};
    if (weighted) inputs.push_back(floats("g", weights));
    Request request;
    request.weighted = weighted;
    const double exact = value_of(through(kScoreMetrics, inputs, request, one_group(300)), 2, 0);
    for (const std::uint8_t bits : std::vector<std::uint8_t>{1, 4, 9, 16, 18}) {
      request.bins = bits;
      const Outcome state = states_of(inputs, one_group(300), request);
      REQUIRE_MESSAGE(state.ok(), state.error);
      const Outcome values = read(state.value, {});
      CHECK(value_of(values, 2, 0) <= exact);
      CHECK(value_of(values, 3, 0) >= exact);
      if (bits >= 16) CHECK(value_of(values, 3, 0) - value_of(values, 2, 0) < 0.01);
    }
  }
}

TEST_CASE("score states: the classes are those of the rows") {
  const Series scores = floats("g", {0.5, 0.25, 0.75});
  const auto labels_of = [&](const Series& truth, Labels positive, const Series& low,
                             const Series& high) {
    Request request = with_positive(std::move(positive));
    request.score_metrics = {};
    request.bins = 18;
    const Outcome codes = run(kEncodeScore, {truth, scores}, kwargs(request));
    REQUIRE_MESSAGE(codes.ok(), codes.error);
    const Series groups = lists(codes.value, one_group(3));
    const Outcome states = run(kScoreState, {groups, low, high}, kwargs(request));
    REQUIRE_MESSAGE(states.ok(), states.error);
    const std::string text = states.array().text(0);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return *decode_sweep({bytes, text.size()}).labels;
  };
  const auto texts_of = [](std::vector<std::string> of) {
    return Labels{Labels::Kind::kText, {}, std::move(of)};
  };
  const auto ints_of = [](std::vector<std::int64_t> of) {
    return Labels{Labels::Kind::kInt, std::move(of), {}};
  };
  const Series letters = texts({"b", "c", "b"});
  LabelSet found = labels_of(letters, texts_of({"b"}), texts({"b"}), texts({"c"}));
  CHECK(found.labels == texts_of({"b", "c"}));
  CHECK(found.positive == 1);
  found = labels_of(letters, texts_of({"c"}), texts({"b"}), texts({"c"}));
  CHECK(found.positive == 2);
  found = labels_of(letters, texts_of({"b"}), texts({"a"}), texts({"z"}));  // of rows left out
  CHECK(found.labels == texts_of({"b"}));
  const Series numbers = integers("l", {7, -3, 7});
  found = labels_of(numbers, ints_of({7}), integers("l", {std::nullopt}), integers("l", {7}));
  CHECK(found.labels == ints_of({-3, 7}));
  const std::int64_t huge = std::numeric_limits<std::int64_t>::min();
  const Series far = integers("l", {huge, 5, 5});
  found = labels_of(far, ints_of({5}), integers("l", {huge}), integers("l", {5}));
  CHECK(found.labels == ints_of({huge, 5}));
}

TEST_CASE("score states: different bins, kinds and foreign bytes are refused") {
  const std::vector<Series> inputs = {integers("l", {0, 1}), floats("g", {0.25, 0.75})};
  const Outcome fine = states_of(inputs, one_group(2), binned(16));
  const Outcome coarse = states_of(inputs, one_group(2), binned(4));
  Request request = binned(16);
  request.weighted = true;
  const Outcome weighted =
      states_of({inputs[0], inputs[1], floats("g", {0.5, 1})}, one_group(2), request);
  const auto merged = [](const std::string& one, const std::string& two) {
    return run(kMergeStates, {lists(binary({one, two}), {{0, 1}})}, kwargs(Request{})).error;
  };
  const std::string good = fine.array().text(0);
  CHECK(contains(merged(good, coarse.array().text(0)), "cannot add: a sweep of 65536 bins and"));
  CHECK(merged(good, weighted.array().text(0)).empty());
  CHECK_FALSE(states_of(inputs, one_group(2), binned(27)).ok());
  Random random(9);
  const auto read_bytes = [](const std::string& bytes) {
    Series states = texts({bytes});
    states.type.format = "vz";
    return read(states, {"ks"});
  };
  const Outcome halves = states_of(inputs, one_group(2), binned(17));
  const Outcome unit = states_of(inputs, one_group(2), binned(18));
  CHECK(contains(merged(good, unit.array().text(0)),
                 "cannot add: a sweep of 65536 bins and a sweep of unit"));
  const Outcome several = states_of(
      {integers("l", {0, 1, 1}), floats("g", {0.25, 0.75, 0.7500001})}, one_group(3), binned(16));
  for (const std::string& whole : {good, halves.array().text(0), unit.array().text(0),
                                   several.array().text(0), weighted.array().text(0)}) {
    CHECK(read_bytes(whole).ok());
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK_FALSE(read_bytes(whole.substr(0, n)).ok());
    CHECK_FALSE(read_bytes(whole + "x").ok());
    for (int i = 0; i < 2000; ++i) {
      std::string bytes = whole;
      bytes[random.below(bytes.size())] = static_cast<char>(random.bits());
      static_cast<void>(read_bytes(bytes));
      static_cast<void>(merged(bytes, whole));
    }
  }
  CHECK(live() == 0);
}

}  // namespace confmat::host
