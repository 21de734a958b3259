// Fills the Struct of totals and metrics, a row a group.
#include "plugin/metric_struct.hpp"

#include <cmath>

#include "confmat/base/error.hpp"
#include "plugin/reason_struct.hpp"

namespace confmat::plugin {
namespace {

Buffer eight_bytes_each(std::int64_t rows) { return Buffer(static_cast<std::size_t>(rows) * 8); }

}  // namespace

MetricFields::MetricFields(const Spec& spec)
    : weighted(spec.weighted), has_other(true), reasons(spec.reasons) {
  for (const auto& ask : spec.asks) {
    if (ask.part == metrics::Part::kValue) told.push_back(metrics.size());
    metrics.push_back(ask.name);
  }
}

MetricFields::MetricFields(const Spec& spec, bool has_weights)
    : weighted(has_weights), has_other(false), reasons(spec.reasons) {
  for (const auto& ask : spec.score_asks) {
    told.push_back(metrics.size());
    metrics.push_back(ask.name);
  }
}

Type metric_struct_type(std::string name, const MetricFields& fields) {
  Type type{"+s", std::move(name)};
  type.children = {{fields.weighted ? "g" : "L", "n"}, {"L", "n_dropped"}};
  if (fields.has_other) type.children.push_back({"L", "n_other"});
  for (const auto& metric : fields.metrics) type.children.push_back({"g", metric});
  if (fields.reasons) {
    std::vector<std::string> names;
    names.reserve(fields.told.size());
    for (const std::size_t at : fields.told) names.push_back(fields.metrics[at]);
    type.children.push_back(reason_struct_type(names));
  }
  return type;
}

MetricStruct::MetricStruct(const MetricFields& fields, std::int64_t rows)
    : weighted_(fields.weighted),
      has_other_(fields.has_other),
      rows_(rows),
      n_(eight_bytes_each(rows)),
      dropped_(eight_bytes_each(rows)),
      other_(eight_bytes_each(fields.has_other ? rows : 0)),
      told_(fields.told) {
  for (std::size_t i = 0; i < fields.metrics.size(); ++i) values_.push_back(eight_bytes_each(rows));
  if (fields.reasons) reasons_ = std::make_unique<Reasons>(rows, fields.metrics.size());
}

std::vector<double> MetricStruct::scratch() const { return std::vector<double>(values_.size()); }

void MetricStruct::set(std::int64_t row, const GroupTotals& totals,
                       const std::vector<double>& values, std::span<const std::string> reasons) {
  if (weighted_) {
    if (!std::isfinite(totals.weight)) {
      throw InputError(
          "the weights of `sample_weight` of a group sum to more than the largest float64");
    }
    n_.as<double>()[row] = totals.weight;
  } else {
    n_.as<std::int64_t>()[row] = totals.n;
  }
  dropped_.as<std::int64_t>()[row] = totals.n_dropped;
  if (has_other_) other_.as<std::int64_t>()[row] = totals.n_other;
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].as<double>()[row] = values[i];
  if (reasons_) reasons_->set(row, reasons);
}

void MetricStruct::set_null(std::int64_t row) {
  n_.as<double>()[row] = std::nan("");
  dropped_.as<std::int64_t>()[row] = 0;
  if (has_other_) other_.as<std::int64_t>()[row] = 0;
  for (Buffer& values : values_) values.as<double>()[row] = std::nan("");
}

Array MetricStruct::take() {
  Array out{.length = rows_, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(weighted_ ? nullable_doubles(rows_, std::move(n_))
                                   : primitive(rows_, std::move(n_)));
  out.children.push_back(primitive(rows_, std::move(dropped_)));
  if (has_other_) out.children.push_back(primitive(rows_, std::move(other_)));
  for (auto& values : values_) out.children.push_back(nullable_doubles(rows_, std::move(values)));
  if (reasons_) out.children.push_back(reason_struct(*reasons_, told_, rows_));
  return out;
}

}  // namespace confmat::plugin
