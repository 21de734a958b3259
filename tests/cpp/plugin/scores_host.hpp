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
CONFMAT_FUNCTION(score_metrics)
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
inline const Function kScoreMetrics{"score_metrics", _polars_plugin_confmat_score_metrics,
                                    _polars_plugin_field_confmat_score_metrics};
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

using Groups = std::vector<std::vector<std::size_t>>;

inline Groups one_group(std::size_t n) {
  Groups out(1);
  for (std::size_t i = 0; i < n; ++i) out[0].push_back(i);
  return out;
}

// Encodes, collects and finishes.
inline Outcome through(const Function& function, const std::vector<Series>& inputs,
                       const Request& request, const Groups& groups, const Layout& layout = {}) {
  const Outcome codes = run(kEncodeScore, inputs, kwargs(request));
  if (!codes.ok()) return codes;
  return run(function, {lists(codes.value, groups, layout)}, kwargs(request));
}

inline std::string error_of(const std::vector<Series>& inputs, const Request& request,
                            std::size_t n) {
  return through(kScoreMetrics, inputs, request, one_group(n)).error;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline double value_of(const Outcome& out, std::size_t field, std::size_t row) {
  REQUIRE_MESSAGE(out.ok(), out.error);
  const Array& column = out.array().children.at(field);
  return column.valid(row) ? column.value<double>(row) : std::nan("");
}

inline Request with_positive(Labels positive) {
  Request out;
  out.positive = std::move(positive);
  return out;
}

}  // namespace confmat::host
