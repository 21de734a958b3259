// The expression functions of labels and scores, and the request that they take.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/fake_host.hpp"

#define CONFMAT_FUNCTION(name)                                                                     \
  extern "C" void _polars_plugin_confmat_##name(SeriesExport*, std::size_t, const std::uint8_t*,   \
                                                std::size_t, SeriesExport*, const CallerContext*); \
  extern "C" void _polars_plugin_field_confmat_##name(                                             \
      const ArrowSchema*, std::size_t, ArrowSchema*, const std::uint8_t*, std::size_t);

CONFMAT_FUNCTION(encode_score)
CONFMAT_FUNCTION(finish_score)
CONFMAT_FUNCTION(roc_curve)
CONFMAT_FUNCTION(pr_curve)
CONFMAT_FUNCTION(score_state)
CONFMAT_FUNCTION(score_state_metrics)
CONFMAT_FUNCTION(state_roc_curve)
CONFMAT_FUNCTION(state_pr_curve)

#undef CONFMAT_FUNCTION

namespace confmat::host {

inline const Function kEncodeScore{"encode_score", _polars_plugin_confmat_encode_score,
                                   _polars_plugin_field_confmat_encode_score};
inline const Function kFinishScore{"finish_score", _polars_plugin_confmat_finish_score,
                                   _polars_plugin_field_confmat_finish_score};
inline const Function kRocCurve{"roc_curve", _polars_plugin_confmat_roc_curve,
                                _polars_plugin_field_confmat_roc_curve};
inline const Function kPrCurve{"pr_curve", _polars_plugin_confmat_pr_curve,
                               _polars_plugin_field_confmat_pr_curve};

inline const Function kScoreState{"score_state", _polars_plugin_confmat_score_state,
                                  _polars_plugin_field_confmat_score_state};
inline const Function kScoreStateMetrics{"score_state_metrics",
                                         _polars_plugin_confmat_score_state_metrics,
                                         _polars_plugin_field_confmat_score_state_metrics};
inline const Function kStateRocCurve{"state_roc_curve", _polars_plugin_confmat_state_roc_curve,
                                     _polars_plugin_field_confmat_state_roc_curve};
inline const Function kStatePrCurve{"state_pr_curve", _polars_plugin_confmat_state_pr_curve,
                                    _polars_plugin_field_confmat_state_pr_curve};

// The request that travels as kwargs, packed as python/confmat/frames/score_expressions.py does.
struct ScoreRequest {
  std::vector<std::string> metrics = {"roc_auc", "average_precision", "ks"};
  std::optional<Labels> positive = std::nullopt;
  std::optional<double> undefined = std::nullopt;
  bool weighted = false;
  bool nan_drop = false;
  std::uint8_t bins = 0;  // code of a map
};

template <class T>
void put(Bytes& out, const T& value) {
  const std::size_t old = out.size();
  out.resize(old + sizeof(T));
  std::memcpy(out.data() + old, &value, sizeof(T));
}
inline void put_text(Bytes& out, const std::string& text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out.insert(out.end(), text.begin(), text.end());
}

inline Bytes packed(const ScoreRequest& request) {
  Bytes out = {'S'};
  put(out, static_cast<std::uint8_t>((request.weighted ? 1 : 0) | (request.nan_drop ? 2 : 0) |
                                     (request.undefined ? 4 : 0)));
  put(out, request.undefined.value_or(0.0));
  put(out, request.bins);
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

inline Bytes kwargs(const ScoreRequest& request) { return pickled(packed(request)); }

using Groups = std::vector<std::vector<std::size_t>>;

inline Groups one_group(std::size_t n) {
  Groups out(1);
  for (std::size_t i = 0; i < n; ++i) out[0].push_back(i);
  return out;
}

// Encodes, collects and finishes.
inline Outcome through(const Function& function, const std::vector<Series>& inputs,
                       const ScoreRequest& request, const Groups& groups,
                       const Layout& layout = {}) {
  const Outcome codes = run(kEncodeScore, inputs, kwargs(request));
  if (!codes.ok()) return codes;
  return run(function, {lists(codes.value, groups, layout)}, kwargs(request));
}

inline std::string error_of(const std::vector<Series>& inputs, const ScoreRequest& request,
                            std::size_t n) {
  return through(kFinishScore, inputs, request, one_group(n)).error;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline double value_of(const Outcome& out, std::size_t field, std::size_t row) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  const Array& column = out.array().children.at(field);
  return column.valid(row) ? column.value<double>(row) : std::nan("");
}

inline ScoreRequest with_positive(Labels positive) {
  ScoreRequest out;
  out.positive = std::move(positive);
  return out;
}

}  // namespace confmat::host
