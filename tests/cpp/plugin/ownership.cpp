// Every input is released exactly once, however a call ends; every failure has a text.
#include <doctest/doctest.h>

#include <fstream>
#include <limits>
#include <thread>

#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

struct Case {
  const Function* function;
  std::vector<Series> inputs;
  Bytes kwargs;
  std::string error = {};  // a part of the message; empty: success
};

const std::vector<std::vector<std::size_t>> kGroups = {{0, 2}, {}, {1, 3, 4}};

Request labelled() {
  Request out;
  out.labels = int_labels({0, 1});
  return out;
}

Request weighted(bool known) {
  Request out;
  if (known) out.labels = int_labels({0, 1});
  out.weighted = true;
  return out;
}

Series truth() { return integers("l", {0, 1, 1, std::nullopt, 0}, {.chunks = {2, 0, 3}}); }
Series prediction() { return integers("c", {0, 1, 0, 1, 1}, {.offset = 3}); }
Series weights() { return floats("g", {1.0, 0.5, 2.0, std::nullopt, 0.25}, {.chunks = {4, 1}}); }

Series encoded(const Request& request) {
  std::vector<Series> inputs = {truth(), prediction()};
  if (request.weighted) inputs.push_back(weights());
  const Outcome out = run(kEncode, inputs, kwargs(request));
  REQUIRE_MESSAGE(out.ok(), out.error);
  return out.value;
}

std::vector<Case> successes() {
  std::vector<Case> out;
  for (const auto& request : {Request{}, labelled(), weighted(false), weighted(true)}) {
    std::vector<Series> inputs = {truth(), prediction()};
    if (request.weighted) inputs.push_back(weights());
    out.push_back({&kEncode, inputs, kwargs(request)});
    out.push_back({&kLabelMetrics,
                   {lists(encoded(request), kGroups, {.chunks = {1, 0, 2}})},
                   kwargs(request)});
  }
  for (const auto& request : {Request{}, labelled()}) {
    out.push_back({&kLabelState, {lists(encoded(request), kGroups)}, kwargs(request)});
  }
  const Outcome states =
      run(kLabelState, {lists(encoded(labelled()), kGroups)}, kwargs(labelled()));
  REQUIRE(states.ok());
  out.push_back({&kMergeStates, {lists(states.value, {{0, 2}, {1}})}, kwargs({})});
  out.push_back({&kStateMetrics, {states.value}, kwargs(weighted(false))});
  out.push_back({&kPartial, {truth(), prediction()}, kwargs({})});
  const Outcome part = run(kPartial, {truth(), prediction()}, kwargs({}));
  REQUIRE(part.ok());
  out.push_back({&kMerge, {concatenated({part.value, part.value})}, kwargs({})});
  return out;
}

// The value at `row` of a primitive column, overwritten.
template <class T>
Series corrupted(Series series, std::size_t row, T value) {
  std::memcpy(series.chunks[0].buffers[1]->data() + row * sizeof(T), &value, sizeof(T));
  return series;
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<Case> failures() {
  std::vector<Case> out;
  Request unknown;
  unknown.metrics = {"no_such_metric"};
  Request twice;
  twice.labels = int_labels({1, 1});
  for (const auto& good : successes()) {
    const auto with = [&](Bytes bytes) { out.push_back({good.function, good.inputs, bytes, " "}); };
    with({});
    with({0x80, 5});
    with(pickled({}));
    with(pickled({2, 0, 0}));
    with(Bytes(std::size_t{2} << 20, 0x80));
    with(kwargs(unknown));
    out.push_back({good.function, {}, good.kwargs, "column"});
    auto inputs = good.inputs;
    for (int more = 0; more < 3; ++more) inputs.push_back(prediction());
    out.push_back({good.function, inputs, good.kwargs, "column"});
  }
  const Texts words = {"a", "b", "a", "b", "a"};
  for (const auto* function : {&kEncode, &kPartial}) {
    for (const auto& request : {Request{}, labelled()}) {
      const auto bad = [&](Series y_true, Series y_pred, std::string error) {
        out.push_back({function, {std::move(y_true), std::move(y_pred)}, kwargs(request), error});
      };
      bad(floats("g", {0, 1, 1, 0, 0.5}), prediction(), "`y_true`");
      bad(truth(), floats("f", {0, 1, 1, 0, 0.5}), "`y_pred`");
      bad(truth(), integers("i", {0, 1, 1}), "rows");
      bad(integers("i", {}), truth(), "rows");
      bad(texts(words), prediction(), "kind");
      bad(prediction(), categories("I", words), "kind");
      bad(lists(prediction(), {{0}, {1}, {2}, {3}, {4}}), prediction(), "List");
      bad({{"d:10,2", "y"}, prediction().chunks}, prediction(), "Decimal");
    }
    out.push_back({function, {texts(words), texts(words)}, kwargs(labelled()), "labels are"});
    out.push_back({function, {truth(), prediction()}, kwargs(twice), "label"});
  }
  out.push_back(
      {&kPartial, {truth(), integers("l", {0, 1, 2, 1, 1})}, kwargs(labelled()), "`y_pred`"});
  for (const auto& weight : {floats("g", {1, 1, -1, 1, 1}), floats("g", {1, kInfinite, 1, 1, 1}),
                             floats("f", {1, 1, 1, 1, 0.0 * kInfinite})}) {
    for (const bool known : {false, true}) {
      out.push_back({&kEncode,
                     {prediction(), prediction(), weight},
                     kwargs(weighted(known)),
                     "sample_weight"});
    }
  }
  for (const auto& weight : {texts(words), categories("C", words)}) {
    for (const bool known : {false, true}) {
      out.push_back({&kEncode,
                     {prediction(), prediction(), weight},
                     kwargs(weighted(known)),
                     "`sample_weight` has dtype"});
    }
  }
  out.push_back({&kEncode, {integers("L", {-1}), integers("L", {0})}, kwargs({}), "2^63"});

  const Series codes = encoded(labelled());
  const auto finish = [&](const Series& elements, const Request& request, std::string error) {
    out.push_back({&kLabelMetrics, {lists(elements, kGroups)}, kwargs(request), error});
  };
  finish(corrupted(codes, 4, std::uint8_t{16}), labelled(), "code");
  finish(corrupted(codes, 4, std::uint8_t{255}), labelled(), "code");
  finish(corrupted(codes, 4, std::uint8_t{2 * 4}), labelled(), "not in labels");
  finish(codes, {}, "label pairs");
  finish(encoded({}), labelled(), "codes");
  finish(codes, weighted(true), "weighted");
  finish(codes, weighted(false), "weighted");
  finish(encoded({}), weighted(false), "weighted");
  finish(encoded(weighted(true)), labelled(), "codes");
  finish(floats("g", {0, 1, 2, 3, 4}), {}, "label pairs");
  const Series pairs = encoded(weighted(true));
  finish(corrupted(pairs, 9, std::uint64_t{16}), weighted(true), "code");
  finish(corrupted(pairs, 9, ~std::uint64_t{0}), weighted(true), "code");
  finish(corrupted(pairs, 0, -1.0), weighted(true), "weight");
  finish(corrupted(pairs, 0, ~std::uint64_t{0}), weighted(true), "weight");
  const Series unnamed = encoded(weighted(false));
  finish(corrupted(unnamed, 0, -1.0), weighted(false), "weight");
  finish(corrupted(unnamed, 1, ~std::uint64_t{0}), weighted(false), "code");
  finish(corrupted(encoded({}), 4, ~std::uint32_t{0}), {}, "labels=");
  const Series category = enumeration({"a", "b"}, {"a", "b", "a", "b", "a"});
  const Series of_enum = run(kEncode, {category, category}, kwargs({})).value;
  finish(of_enum, {}, "");
  finish(corrupted(of_enum, 4, ~std::uint32_t{0}), {}, "labels=");
  const Series of_booleans =
      run(kEncode, {booleans({1, 0, 1}), booleans({1, 1, 0})}, kwargs({})).value;
  for (const std::uint8_t code : {std::uint8_t{16}, std::uint8_t{255}}) {
    out.push_back({&kLabelMetrics,
                   {lists(corrupted(of_booleans, 1, code), {{0, 1, 2}})},
                   kwargs({}),
                   "code"});
  }
  out.push_back({&kLabelState, {lists(codes, kGroups)}, kwargs({}), "codes of label pairs"});
  out.push_back({&kLabelState,
                 {lists(corrupted(codes, 4, std::uint8_t{99}), kGroups)},
                 kwargs(labelled()),
                 "code"});
  for (const auto* function : {&kLabelMetrics, &kLabelState}) {
    out.push_back({function, {truth()}, kwargs(labelled()), "List"});
    out.push_back({function, {texts(words)}, kwargs(labelled()), "List"});
  }
  out.push_back({&kMerge, {truth()}, kwargs({}), "Binary"});
  out.push_back({&kMergeStates, {lists(truth(), {{0}})}, kwargs({}), "Binary column"});
  out.push_back({&kStateMetrics, {truth()}, kwargs(weighted(false)), "Binary"});
  for (const char* foreign : {"", "x", "something much longer than twelve bytes"}) {
    Series series = texts({foreign});
    series.type.format = "vz";
    out.push_back({&kMerge, {series}, kwargs({}), " "});
  }
  return out;
}

void check(const Case& one) {
  const Outcome out = run(*one.function, one.inputs, one.kwargs);
  INFO(std::string(one.function->name), " expects '", one.error, "', got '", out.error, "'");
  CHECK(out.ok() == one.error.empty());
  CHECK(out.error.find(one.error) != std::string::npos);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;  // freed memory is kept for a while
#else
constexpr bool kSanitized = false;
#endif

std::int64_t resident_bytes() {
  std::int64_t pages[2] = {};
  std::ifstream("/proc/self/statm") >> pages[0] >> pages[1];
  return pages[1] * 4096;
}

}  // namespace

TEST_CASE("plugin: each expression succeeds and releases what it was given") {
  for (const auto& one : successes()) check(one);
  CHECK(live() == 0);
}

TEST_CASE("plugin: each expression fails with a text and releases what it was given") {
  for (const auto& one : failures()) check(one);
  CHECK(live() == 0);
}

TEST_CASE("plugin: 100,000 calls leave nothing behind") {
  std::vector<Case> cases = failures();
  for (const auto& good : successes()) {
    for (int i = 0; i < 5; ++i) cases.push_back(good);
  }
  // The large refused messages say nothing new here.
  std::erase_if(cases, [](const Case& one) { return one.kwargs.size() > 100'000; });
  const int calls = kSanitized ? 10'000 : 100'000;
  std::int64_t before = 0;
  for (int i = 0; i < calls; ++i) {
    if (i == calls / 5) before = resident_bytes();
    const auto& one = cases[static_cast<std::size_t>(i) % cases.size()];
    REQUIRE(run(*one.function, one.inputs, one.kwargs).ok() == one.error.empty());
  }
  CHECK(live() == 0);
  if (!kSanitized) CHECK(resident_bytes() - before < (std::int64_t{8} << 20));
}

TEST_CASE("plugin: concurrent calls keep their errors apart") {
  const std::vector<Case> bad = failures();
  const std::vector<Case> good = successes();
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 200; ++i) {
        check(bad[(i * 7 + t * 31) % bad.size()]);
        check(good[(i + t) % good.size()]);
      }
    });
  }
  threads.clear();
  CHECK(live() == 0);
}

TEST_CASE("plugin: an error text of any length is cut to valid UTF-8") {
  for (std::size_t n = 1900; n < 2300; ++n) {
    Request request;
    request.metrics = {std::string(n, 'x') + "äöü€" + std::string(300, 'y')};
    const Outcome out = run(kEncode, {truth(), prediction()}, kwargs(request));
    REQUIRE_FALSE(out.ok());
    CHECK(out.error.size() < 2048);
    // The bytes that a sequence announces are there.
    for (std::size_t i = 0; i < out.error.size();) {
      const auto lead = static_cast<unsigned char>(out.error[i]);
      const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      REQUIRE(i + length <= out.error.size());
      i += length;
    }
  }
}

TEST_CASE("plugin: refused labels are refused again, whatever was cached before") {
  Request good = labelled();
  Request twice;
  twice.labels = int_labels({4, 4});
  for (int i = 0; i < 50; ++i) {
    good.smoothing = twice.smoothing = i;
    CHECK(run(kEncode, {truth(), prediction()}, kwargs(good)).ok());
    for (int repeat = 0; repeat < 3; ++repeat) {
      twice.smoothing += 0.25;
      CHECK_FALSE(run(kEncode, {truth(), prediction()}, kwargs(twice)).ok());
    }
  }
}

}  // namespace confmat::host
