// Curves of each group, as lists of points.
#include <cstring>
#include <limits>
#include <string>

#include "confmat/base/sum2.hpp"
#include "confmat/evaluate/score_state.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_lists.hpp"

namespace confmat::plugin {
namespace {

struct Point {
  double threshold, x, y;
};

constexpr double kInf = std::numeric_limits<double>::infinity();

// Calls body(threshold, tp, fp) for each score, descending.
template <class Body>
void for_each_threshold(const metrics::SweepView& sweep, const Body& body) {
  std::visit(
      [&](const auto* scores, const auto& amounts) {
        Sum2 tp, fp;  // of counts, their sums are exact
        for (std::size_t i = 0; i < sweep.size; ++i) {
          tp.add(static_cast<double>(amounts.positives[i]));
          fp.add(static_cast<double>(amounts.negatives[i]));
          body(static_cast<double>(scores[i]), tp.value(), fp.value());
        }
      },
      sweep.scores, sweep.amounts);
}

struct Totals {
  double positives = 0, negatives = 0;
};

Totals totals_of(const metrics::SweepView& sweep) {
  Totals out;
  for_each_threshold(sweep, [&](double, double tp, double fp) { out = {tp, fp}; });
  return out;
}

bool roc_points(const metrics::SweepView& sweep, std::vector<Point>& out) {
  const Totals all = totals_of(sweep);
  if (!(all.positives > 0) || !(all.negatives > 0)) return false;
  out.push_back({kInf, 0, 0});
  for_each_threshold(sweep, [&](double threshold, double tp, double fp) {
    out.push_back({threshold, fp / all.negatives, tp / all.positives});
  });
  return true;
}

bool pr_points(const metrics::SweepView& sweep, std::vector<Point>& out) {
  const Totals all = totals_of(sweep);
  if (!(all.positives > 0)) return false;
  for_each_threshold(sweep, [&](double threshold, double tp, double fp) {
    out.push_back({threshold, tp / all.positives, tp / (tp + fp)});
  });
  return true;
}

using MakePoints = bool (*)(const metrics::SweepView& sweep, std::vector<Point>& out);

Type curve_type(std::string name, const char* x, const char* y) {
  return {"+L", std::move(name), {{"+s", "item", {{"g", "threshold"}, {"g", x}, {"g", y}}}}};
}

template <class T>
Buffer buffer_of(const std::vector<T>& values) {
  Buffer out(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(out.as<T>(), values.data(), values.size() * sizeof(T));
  return out;
}

// The curves of groups; of those that are not defined there are none.
struct Curves {
  std::vector<std::vector<Point>> points;
  std::vector<std::uint8_t> defined;
  explicit Curves(std::int64_t groups)
      : points(static_cast<std::size_t>(groups)), defined(points.size()) {}
  void set(std::int64_t row, const metrics::SweepView& sweep, MakePoints make_points) {
    const auto at = static_cast<std::size_t>(row);
    defined[at] = make_points(sweep, points[at]) ? 1 : 0;
  }
};

Result written(Curves&& curves, Type type) {
  auto& [points, defined] = curves;
  const std::size_t groups = points.size();
  std::vector<std::int64_t> offsets(1);
  std::vector<double> columns[3];
  std::vector<std::uint8_t> validity((groups + 7) / 8);
  std::int64_t nulls = 0;
  for (std::size_t i = 0; i < groups; ++i) {
    for (const Point& point : points[i]) {
      columns[0].push_back(point.threshold);
      columns[1].push_back(point.x);
      columns[2].push_back(point.y);
    }
    points[i] = {};
    offsets.push_back(static_cast<std::int64_t>(columns[0].size()));
    nulls += defined[i] != 0 ? 0 : 1;
    validity[i / 8] |= static_cast<std::uint8_t>(defined[i] << (i % 8));
  }
  Array items{.length = offsets.back(), .null_count = 0, .buffers = {}};
  items.buffers.emplace_back();
  for (const auto& column : columns) {
    items.children.push_back(primitive(items.length, buffer_of(column)));
  }
  Array out{.length = static_cast<std::int64_t>(groups), .null_count = nulls, .buffers = {}};
  out.buffers.push_back(nulls == 0 ? Buffer() : buffer_of(validity));
  out.buffers.push_back(buffer_of(offsets));
  out.children.push_back(std::move(items));
  return {std::move(type), std::move(out)};
}

Result curve(const Inputs& inputs, const Spec& spec, MakePoints make_points, Type type) {
  const ListInput input = read_lists(inputs);
  Curves curves(input.length);
  for_each_score_group(input, spec, [&] {
    return
        [&](std::int64_t row, ScoreGroup& group) { curves.set(row, group.sweep(), make_points); };
  });
  type.name = inputs.schema(0).name;
  return written(std::move(curves), std::move(type));
}

Result state_curve(const Inputs& inputs, MakePoints make_points, Type type) {
  Curves curves(rows_of_states(inputs));
  for_each_state(inputs, [&](std::int64_t row, Bytes bytes) {
    if (kind_of(bytes) == StateKind::kCounts) throw InputError("a state of classes has no curve");
    curves.set(row, ScoreView(decode_sweep(bytes)).view(), make_points);
  });
  type.name = inputs.schema(0).name;
  return written(std::move(curves), std::move(type));
}

}  // namespace

Type roc_curve_type(Fields fields, const Spec& /*spec*/) {
  return curve_type(fields.empty() ? "" : fields[0].name, "fpr", "tpr");
}
Result roc_curve(const Inputs& inputs, const Spec& spec) {
  return curve(inputs, spec, roc_points, roc_curve_type({}, spec));
}

Result state_roc_curve(const Inputs& inputs, const Spec& spec) {
  return state_curve(inputs, roc_points, roc_curve_type({}, spec));
}

Type pr_curve_type(Fields fields, const Spec& /*spec*/) {
  return curve_type(fields.empty() ? "" : fields[0].name, "recall", "precision");
}
Result pr_curve(const Inputs& inputs, const Spec& spec) {
  return curve(inputs, spec, pr_points, pr_curve_type({}, spec));
}
Result state_pr_curve(const Inputs& inputs, const Spec& spec) {
  return state_curve(inputs, pr_points, pr_curve_type({}, spec));
}

Type state_roc_curve_type(Fields fields, const Spec& spec) { return roc_curve_type(fields, spec); }
Type state_pr_curve_type(Fields fields, const Spec& spec) { return pr_curve_type(fields, spec); }

}  // namespace confmat::plugin
