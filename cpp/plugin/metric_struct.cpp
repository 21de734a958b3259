// Fills the Struct of totals and metrics, a row a group.
#include "plugin/metric_struct.hpp"

#include <cmath>

#include "confmat/base/error.hpp"
#include "plugin/reason_struct.hpp"

namespace confmat::plugin {
namespace {

Buffer words(std::int64_t rows) { return Buffer(static_cast<std::size_t>(rows) * 8); }

}  // namespace

Type metric_struct_type(std::string name, const Spec& spec) {
  Type type{"+s", std::move(name)};
  type.children = {{spec.weighted ? "g" : "L", "n"}, {"L", "n_dropped"}, {"L", "n_other"}};
  for (const auto& ask : spec.asks) type.children.push_back({"g", ask.name});
  if (spec.reasons) type.children.push_back(reason_struct_type(spec.asks));
  return type;
}

MetricStruct::MetricStruct(const Spec& spec, std::int64_t rows)
    : weighted_(spec.weighted),
      rows_(rows),
      n_(words(rows)),
      dropped_(words(rows)),
      other_(words(rows)) {
  for (std::size_t i = 0; i < spec.asks.size(); ++i) values_.push_back(words(rows));
  if (spec.reasons) reasons_ = std::make_unique<Reasons>(rows, spec.asks.size());
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
  other_.as<std::int64_t>()[row] = totals.n_other;
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].as<double>()[row] = values[i];
  if (reasons_) reasons_->set(row, reasons);
}

void MetricStruct::set_null(std::int64_t row) {
  n_.as<double>()[row] = std::nan("");
  dropped_.as<std::int64_t>()[row] = 0;
  other_.as<std::int64_t>()[row] = 0;
  for (Buffer& values : values_) values.as<double>()[row] = std::nan("");
}

Array MetricStruct::take() {
  Array out{.length = rows_, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(weighted_ ? nullable_doubles(rows_, std::move(n_))
                                   : primitive(rows_, std::move(n_)));
  out.children.push_back(primitive(rows_, std::move(dropped_)));
  out.children.push_back(primitive(rows_, std::move(other_)));
  for (auto& values : values_) out.children.push_back(nullable_doubles(rows_, std::move(values)));
  if (reasons_) out.children.push_back(reason_struct(*reasons_, values_.size(), rows_));
  return out;
}

}  // namespace confmat::plugin
