// The expression functions of labels and scores, called as Polars does: what they give, what they
// refuse, and that nothing is left behind.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "confmat/metrics/score.hpp"
#include "fake_host.hpp"

#define CONFMAT_FUNCTION(name)                                                                     \
  extern "C" void _polars_plugin_confmat_##name(SeriesExport*, std::size_t, const std::uint8_t*,   \
                                                std::size_t, SeriesExport*, const CallerContext*); \
  extern "C" void _polars_plugin_field_confmat_##name(                                             \
      const ArrowSchema*, std::size_t, ArrowSchema*, const std::uint8_t*, std::size_t);

CONFMAT_FUNCTION(encode_score)
CONFMAT_FUNCTION(finish_score)
CONFMAT_FUNCTION(roc_curve)
CONFMAT_FUNCTION(pr_curve)

namespace confmat::host {
namespace {

const Function kEncodeScore{"encode_score", _polars_plugin_confmat_encode_score,
                            _polars_plugin_field_confmat_encode_score};
const Function kFinishScore{"finish_score", _polars_plugin_confmat_finish_score,
                            _polars_plugin_field_confmat_finish_score};
const Function kRocCurve{"roc_curve", _polars_plugin_confmat_roc_curve,
                         _polars_plugin_field_confmat_roc_curve};
const Function kPrCurve{"pr_curve", _polars_plugin_confmat_pr_curve,
                        _polars_plugin_field_confmat_pr_curve};

// The request that travels as kwargs, packed as python/confmat/score_expressions.py does.
struct ScoreRequest {
  std::vector<std::string> metrics = {"roc_auc", "average_precision", "ks"};
  std::optional<Labels> positive = std::nullopt;
  std::optional<double> undefined = std::nullopt;
  bool weighted = false;
  bool nan_drop = false;
};

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

Bytes packed(const ScoreRequest& request) {
  Bytes out = {'S'};
  put(out, static_cast<std::uint8_t>((request.weighted ? 1 : 0) | (request.nan_drop ? 2 : 0) |
                                     (request.undefined ? 4 : 0)));
  put(out, request.undefined.value_or(0.0));
  if (!request.positive) {
    out.push_back(0);
  } else if (request.positive->kind == Labels::Kind::kText) {
    out.push_back(3);
    put_text(out, request.positive->texts[0]);
  } else {
    out.push_back(request.positive->kind == Labels::Kind::kBool ? 2 : 1);
    put(out, request.positive->ints[0]);
  }
  put(out, static_cast<std::uint32_t>(request.metrics.size()));
  for (const auto& name : request.metrics) put_text(out, name);
  return out;
}

Bytes kwargs(const ScoreRequest& request) { return pickled(packed(request)); }

using Groups = std::vector<std::vector<std::size_t>>;

Groups one_group(std::size_t n) {
  Groups out(1);
  for (std::size_t i = 0; i < n; ++i) out[0].push_back(i);
  return out;
}

// Encodes, collects and finishes.
Outcome through(const Function& function, const std::vector<Series>& inputs,
                const ScoreRequest& request, const Groups& groups, const Layout& layout = {}) {
  const Outcome codes = run(kEncodeScore, inputs, kwargs(request));
  if (!codes.ok()) return codes;
  return run(function, {lists(codes.value, groups, layout)}, kwargs(request));
}

std::string error_of(const std::vector<Series>& inputs, const ScoreRequest& request,
                     std::size_t n) {
  return through(kFinishScore, inputs, request, one_group(n)).error;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

double value_of(const Outcome& out, std::size_t field, std::size_t row) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  const Array& column = out.array().children.at(field);
  return column.valid(row) ? column.value<double>(row) : std::nan("");
}

ScoreRequest with_positive(Labels positive) {
  ScoreRequest out;
  out.positive = std::move(positive);
  return out;
}

const Ints kTruth = {0, 1, 1, 0, std::nullopt, 1, 0};
const Doubles kScores = {0.25, 0.75, 0.5, 0.5, 0.125, std::nullopt, 0.0};
const Groups kAll = {{0, 1, 2, 3, 4, 5, 6}, {}, {1, 2}, {0, 4}};

// kAll of the columns above: rows 0-3 and 6 count; 3.5 of 4 pairs... of 2 positives, 3 negatives.
void check_all(const Outcome& out) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  const auto& n = out.array().children[0];
  const auto& dropped = out.array().children[1];
  CHECK(n.value<std::int64_t>(0) == 5);
  CHECK(dropped.value<std::int64_t>(0) == 2);
  CHECK(value_of(out, 2, 0) == 5.5 / 6);
  CHECK(n.value<std::int64_t>(1) == 0);
  CHECK(std::isnan(value_of(out, 2, 1)));
  CHECK(n.value<std::int64_t>(2) == 2);
  CHECK(std::isnan(value_of(out, 2, 2)));
  CHECK(value_of(out, 3, 2) == 1.0);
  CHECK(n.value<std::int64_t>(3) == 1);
  CHECK(dropped.value<std::int64_t>(3) == 1);
}

}  // namespace

TEST_CASE("score expressions: every dtype of labels and scores, in every layout") {
  const std::vector<Layout> layouts = {
      {}, {.offset = 3, .bitmap = true}, {.chunks = {2, 0, 5}, .unknown_nulls = true}};
  const std::vector<std::string> order = {"a", "no", "yes"};
  Texts words;
  for (const auto& label : kTruth) {
    words.push_back(label ? std::optional<std::string>(*label == 1 ? "yes" : "no") : std::nullopt);
  }
  Ints eighths;
  for (const auto& score : kScores) {
    eighths.push_back(score ? std::optional<std::int64_t>(static_cast<std::int64_t>(*score * 8))
                            : std::nullopt);
  }
  for (const auto& layout : layouts) {
    std::vector<Series> scores;
    for (const char* format : {"f", "g"}) scores.push_back(floats(format, kScores, layout));
    for (const char* format : {"c", "C", "s", "S", "i", "I", "l", "L"}) {
      scores.push_back(integers(format, eighths, layout));
    }
    for (const auto& score : scores) {
      CAPTURE(score.type.format);
      for (const char* format : {"c", "C", "s", "S", "i", "I", "l", "L"}) {
        const Series truth = integers(format, kTruth);
        check_all(through(kFinishScore, {truth, score}, {}, kAll, layout));
        check_all(through(kFinishScore, {truth, score}, with_positive(int_labels({1})), kAll));
      }
      check_all(through(kFinishScore, {booleans(kTruth, layout), score}, {}, kAll));
      const auto yes = with_positive(text_labels({"yes"}));
      check_all(through(kFinishScore, {texts(words, layout), score}, yes, kAll));
      check_all(through(kFinishScore, {categories("I", words, layout), score}, yes, kAll));
      check_all(through(kFinishScore, {enumeration(order, words, layout), score}, yes, kAll));
    }
  }
  CHECK(live() == 0);
}

TEST_CASE("score expressions: weights, with and without named classes") {
  const Doubles weights = {2, 0.5, 1, 0.25, 9, 9, 0};
  for (const char* format : {"f", "g"}) {
    for (const auto& positive : {std::optional<Labels>(), std::optional(int_labels({1}))}) {
      ScoreRequest request;
      request.weighted = true;
      request.positive = positive;
      const Outcome out = through(
          kFinishScore, {integers("l", kTruth), floats(format, kScores), floats("g", weights)},
          request, kAll);
      REQUIRE_MESSAGE(out.ok(), out.error);
      CHECK(out.array().children[0].value<double>(0) == 3.75);
      CHECK(out.array().children[1].value<std::int64_t>(0) == 2);
      CHECK(value_of(out, 2, 0) == doctest::Approx((0.5 * 2.25 + 2 + 0.125) / (1.5 * 2.25)));
      CHECK(std::isnan(value_of(out, 2, 2)));
    }
  }
  ScoreRequest request;
  request.weighted = true;
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    const auto error =
        error_of({integers("l", {1}), floats("g", {0.5}), floats("g", {bad})}, request, 1);
    CHECK(contains(error, "`sample_weight` has the value"));
  }
  // A row that is dropped may weigh anything.
  CHECK(error_of({integers("l", {std::nullopt}), floats("g", {0.5}), floats("g", {-1.0})}, request,
                 1) == "");
}

TEST_CASE("score expressions: one row stands for all") {
  const Outcome out =
      through(kFinishScore, {integers("l", {1, 0, 1}), floats("g", {0.5})}, {}, one_group(3));
  CHECK(value_of(out, 2, 0) == 0.5);
  CHECK(run(kEncodeScore, {integers("l", {1, 0, 1}), floats("g", {0.5, 1})}, kwargs({})).error ==
        "`y_score` has 2 rows, wanted 3");
}

TEST_CASE("score expressions: no rows, no groups, nothing but nulls") {
  CHECK(through(kFinishScore, {integers("l", {}), floats("g", {})}, {}, {}).ok());
  const Outcome out = through(kFinishScore, {nulls(3), floats("f", {0.5, 1, 2})}, {}, one_group(3));
  REQUIRE_MESSAGE(out.ok(), out.error);
  CHECK(out.array().children[1].value<std::int64_t>(0) == 3);
  CHECK(through(kFinishScore, {integers("l", {0, 1}), nulls(2)}, {}, one_group(2)).ok());
}

TEST_CASE("score expressions: classes that are not two are refused, where they meet") {
  const auto scores = [](std::size_t n) { return floats("f", Doubles(n, 0.5)); };
  CHECK(error_of({integers("l", {0, 1, -7}), scores(3)}, {}, 3) ==
        "`y_true` holds -7: wanted the labels 0 and 1, or False and True, or a pos_label");
  for (const char* format : {"c", "s", "i", "l"}) {
    const auto request = with_positive(int_labels({3}));
    const Series truth = integers(format, {3, -4, 3, 100});
    CHECK(error_of({truth, scores(4)}, request, 4) ==
          "`y_true` has more than two classes: beside pos_label there are -4 and 100");
    CHECK(through(kFinishScore, {truth, scores(4)}, request, {{0, 1}, {2, 3}}).ok());
  }
  const std::int64_t huge = std::int64_t{1} << 62;
  CHECK(contains(
      error_of({integers("l", {3, huge, huge + 1}), scores(3)}, with_positive(int_labels({3})), 3),
      "more than two classes"));
  const auto a = with_positive(text_labels({"a"}));
  CHECK(contains(error_of({texts({"a", "b", "c"}), scores(3)}, a, 3), "more than two classes"));
  CHECK(contains(error_of({texts({"x", ""}), scores(2)}, a, 2), "more than two classes"));
  ScoreRequest weighted = a;
  weighted.weighted = true;
  CHECK(contains(error_of({texts({"a", "b", "c"}), scores(3), floats("g", {1, 1, 1})}, weighted, 3),
                 "more than two classes"));
}

TEST_CASE("score expressions: dtypes are refused when the query is planned") {
  const auto scores = floats("f", {0.5});
  const auto planned = [](const std::vector<Series>& inputs, const ScoreRequest& request) {
    return run(kEncodeScore, inputs, kwargs(request)).error;
  };
  CHECK(contains(planned({floats("g", {1.0}), scores}, {}), "`y_true` has dtype Float64"));
  CHECK(contains(planned({texts({"a"}), scores}, {}), "or a pos_label"));
  CHECK(contains(planned({texts({"a"}), scores}, with_positive(int_labels({1}))), "of its kind"));
  CHECK(contains(planned({integers("l", {1}), scores}, with_positive(text_labels({"1"}))),
                 "of its kind"));
  CHECK(contains(planned({integers("l", {1}), texts({"a"})}, {}), "`y_score` has dtype String"));
  CHECK(contains(planned({integers("l", {1})}, {}), "wrong number of columns"));
}

TEST_CASE("score expressions: a nan is named by its row, or dropped and counted") {
  for (const char* format : {"f", "g"}) {
    Doubles scores(5000, 0.5);
    scores[4321] = std::nan("");
    const Series truth = integers("l", Ints(5000, 1));
    CHECK(contains(error_of({truth, floats(format, scores)}, {}, 5000),
                   "`y_score` is nan, at row 4321 of the rows read together"));
    ScoreRequest request;
    request.nan_drop = true;
    const Outcome out =
        through(kFinishScore, {truth, floats(format, scores)}, request, one_group(5000));
    REQUIRE_MESSAGE(out.ok(), out.error);
    CHECK(out.array().children[0].value<std::int64_t>(0) == 4999);
    CHECK(out.array().children[1].value<std::int64_t>(0) == 1);
  }
}

TEST_CASE("score expressions: scores that are no doubles, no probabilities, infinite or -0") {
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK(contains(error_of({integers("l", {1}), integers("l", {odd})}, {}, 1), "no Float64"));
  CHECK(error_of({integers("l", {1}), integers("l", {odd - 1})}, {}, 1) == "");
  ScoreRequest brier;
  brier.metrics = {"brier"};
  CHECK(contains(error_of({integers("l", {1}), floats("f", {2.0})}, brier, 1),
                 "`y_score` holds 2: brier needs probabilities"));
  for (const char* format : {"f", "g"}) {
    const Outcome out =
        through(kFinishScore,
                {integers("l", {0, 1, 0, 1}), floats(format, {-HUGE_VAL, HUGE_VAL, -0.0, 0.0})}, {},
                one_group(4));
    CHECK(value_of(out, 2, 0) == 3.5 / 4);
  }
}

TEST_CASE("score expressions: halves are floats") {
  // 0, the least of all, 0.5, 1, infinity and -2, in 16 bits.
  const Ints bits = {0x0000, 0x0001, 0x3800, 0x3C00, 0x7C00, 0xC000};
  Series halves = integers("S", bits);
  halves.type.format = "e";
  const Outcome out =
      through(kRocCurve, {integers("l", {0, 1, 0, 1, 0, 1}), halves}, {}, one_group(6));
  REQUIRE_MESSAGE(out.ok(), out.error);
  const Array& thresholds = out.array().children[0].children[0];
  const std::vector<double> wanted = {HUGE_VAL, HUGE_VAL, 1, 0.5, std::ldexp(1.0, -24), 0, -2};
  REQUIRE(thresholds.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(thresholds.value<double>(i) == wanted[i]);
}

TEST_CASE("score expressions: curves, and null where a rate is undefined") {
  const std::vector<Series> inputs = {integers("l", kTruth), floats("g", kScores)};
  const Outcome roc = through(kRocCurve, inputs, {}, kAll);
  REQUIRE_MESSAGE(roc.ok(), roc.error);
  CHECK(shown(roc.value.type).find("fpr") != std::string::npos);
  CHECK(roc.array().valid(0));
  for (const std::size_t row : {1, 2, 3}) CHECK_FALSE(roc.array().valid(row));
  const Array& points = roc.array().children[0];
  const std::vector<double> fpr = {0, 0, 1.0 / 3, 2.0 / 3, 1};
  const std::vector<double> tpr = {0, 0.5, 1, 1, 1};
  REQUIRE(points.size() == fpr.size());
  for (std::size_t i = 0; i < fpr.size(); ++i) {
    CHECK(points.children[1].value<double>(i) == fpr[i]);
    CHECK(points.children[2].value<double>(i) == tpr[i]);
  }
  const Outcome pr = through(kPrCurve, inputs, {}, kAll);
  REQUIRE_MESSAGE(pr.ok(), pr.error);
  CHECK(pr.array().valid(2));
  CHECK_FALSE(pr.array().valid(3));
  CHECK(pr.array().children[0].children[2].value<double>(1) == 2.0 / 3);
}

TEST_CASE("score expressions: undefined= stands in") {
  ScoreRequest request;
  request.undefined = 0.5;
  const Outcome out =
      through(kFinishScore, {integers("l", {1, 1}), floats("g", {0.5, 1})}, request, one_group(2));
  CHECK(value_of(out, 2, 0) == 0.5);
  CHECK(value_of(out, 3, 0) == 1.0);
}

TEST_CASE("score expressions: foreign lists and hostile bytes are refused, and inputs released") {
  const Series foreign = lists(integers("l", {1, 2, 3}), {{0, 1}});
  CHECK(contains(run(kFinishScore, {foreign}, kwargs({})).error, "do not hold codes"));
  CHECK_FALSE(run(kFinishScore, {lists(integers("L", {7, 6, 5}), {{0, 1}})}, kwargs({})).ok());
  ScoreRequest weighted;
  weighted.weighted = true;
  const Series short_codes = lists(texts({"abc", "a text that is not 24 bytes"}), {{0, 1}});
  CHECK_FALSE(run(kFinishScore, {short_codes}, kwargs(weighted)).ok());
  const Bytes good = packed(with_positive(text_labels({"yes"})));
  const std::vector<Series> inputs = {texts({"yes", "no"}), floats("g", {0.5, 1})};
  for (std::size_t n = 0; n < good.size(); ++n) {
    const Bytes cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK_FALSE(run(kEncodeScore, inputs, pickled(cut)).ok());
  }
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = good;
    bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(random.bits());
    static_cast<void>(run(kEncodeScore, inputs, pickled(bytes)));
  }
  Bytes longer = good;
  longer.push_back(0);
  CHECK(contains(run(kEncodeScore, inputs, pickled(longer)).error, "longer than it claims"));
  CHECK(live() == 0);
}

}  // namespace confmat::host
