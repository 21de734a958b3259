// What the expressions refuse, and which rows they do not look at.
#include <doctest/doctest.h>

#include <cmath>

#include "confmat/arrow/import.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/refusals.hpp"
#include "support/fake_host.hpp"

namespace confmat::host {
namespace {

std::string with_key(const std::vector<std::string>& texts) {
  std::string out;
  const auto put = [&out](std::int32_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  put(static_cast<std::int32_t>(texts.size() / 2));
  for (const auto& text : texts) {
    put(static_cast<std::int32_t>(text.size()));
    out += text;
  }
  return out;
}

}  // namespace

TEST_CASE("weights: the weight of a row that is dropped is not looked at") {
  const Texts y_true = {"a", "b", std::nullopt, "a"};
  const Texts y_pred = {"a", "a", "b", std::nullopt};
  const std::vector<std::string> order = {"a", "b"};
  const std::vector<std::vector<Series>> doors = {
      {texts(y_true), texts(y_pred)}, {enumeration(order, y_true), enumeration(order, y_pred)}};
  Request request;
  request.weighted = true;
  for (const bool known : {false, true}) {
    request.labels = known ? std::optional(text_labels(order)) : std::nullopt;
    for (const auto& door : doors) {
      auto columns = door;
      columns.push_back(floats("g", {0.5, 1, -1, std::nan("")}));
      const Outcome codes = run(kEncode, columns, kwargs(request));
      REQUIRE_MESSAGE(codes.ok(), codes.error);
      const Outcome out = run(kLabelMetrics, {lists(codes.value, {{0, 1, 2, 3}})}, kwargs(request));
      REQUIRE_MESSAGE(out.ok(), out.error);
      CHECK(out.array().children[0].value<double>(0) == 1.5);
      CHECK(out.array().children[1].value<std::int64_t>(0) == 2);
      columns.back() = floats("g", {0.5, -1, 1, 1});
      CHECK(run(kEncode, columns, kwargs(request)).error ==
            "weight -1 at row 1 (of the rows read together) of `sample_weight` is negative");
    }
  }
}

TEST_CASE("texts: labels beyond 64 KiB are refused, whatever the way") {
  const std::string fits(65'536, 'x');
  const std::string longer(65'537, 'x');
  const Request request;
  for (const bool dictionary : {false, true}) {
    const auto column = [&](const std::string& label) {
      const Texts values = {"a", label};
      return dictionary ? categories("I", values) : texts(values);
    };
    CHECK(run(kEncode, {column("b"), column(fits)}, kwargs(request)).ok());
    const Outcome refused = run(kEncode, {column("b"), column(longer)}, kwargs(request));
    CHECK(refused.error.find("`y_pred`") != std::string::npos);
    CHECK(refused.error.find("64 KiB") != std::string::npos);
  }
}

TEST_CASE("enums: told by the key of their metadata alone") {
  const auto is_enum = [](const std::string& metadata) {
    ArrowSchema schema{};
    schema.format = "I";
    schema.metadata = metadata.c_str();
    return same_enum(schema, schema);
  };
  CHECK(is_enum(with_key({"_PL_ENUM_VALUES2", "1;a"})));
  CHECK(is_enum(with_key({"_PL_ENUM_VALUES", "1;a"})));
  CHECK(is_enum(with_key({"other", "", "_PL_ENUM_VALUES2", "1;a"})));
  CHECK_FALSE(is_enum(with_key({"_PL_CATEGORICAL", "ENUM;;u32"})));
  CHECK_FALSE(is_enum(with_key({"_PL_CATEGORICAL", "_PL_ENUM_VALUES2"})));
  CHECK_FALSE(is_enum(with_key({"ENUM", "_PL_ENUM_VALUES2"})));
  CHECK_FALSE(is_enum(with_key({})));
  ArrowSchema bare{};
  CHECK_FALSE(same_enum(bare, bare));
  const std::string one = with_key({"_PL_ENUM_VALUES2", "1;a"});
  const std::string two = with_key({"_PL_ENUM_VALUES2", "1;b"});
  ArrowSchema a{};
  ArrowSchema b{};
  a.metadata = one.c_str();
  b.metadata = two.c_str();
  CHECK_FALSE(same_enum(a, b));
}

TEST_CASE("refusals: the host is told a part of long words, and the error has all") {
  Request request;
  request.labels = text_labels({"a"});
  const std::string label(3'000, 'x');
  const Series codes = run(kEncode, {texts({"a"}), texts({label})}, kwargs(request)).value;
  const std::string told = run(kLabelMetrics, {lists(codes, {{0}})}, kwargs(request)).error;
  CHECK(told.size() > 2'000);
  CHECK(told.size() < 2'048);
  std::string words;
  try {
    if (const auto error = refusal_in("host: " + told + "\n")) std::rethrow_exception(error);
  } catch (const InputError& error) {
    words = error.what();
  }
  CHECK(words.starts_with(told));
  CHECK(words.ends_with(" apart"));
}

}  // namespace confmat::host
