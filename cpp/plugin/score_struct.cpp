// Fills the Struct of totals and metrics of scores, a row a group.
#include "plugin/score_struct.hpp"

#include <cmath>

#include "plugin/reason_struct.hpp"

namespace confmat::plugin {
namespace {

Buffer words(std::int64_t rows) { return Buffer(static_cast<std::size_t>(rows) * 8); }

}  // namespace

Type score_struct_type(std::string name, const ScoreSpec& spec, bool weighted) {
  Type type{"+s", std::move(name)};
  type.children = {{weighted ? "g" : "L", "n"}, {"L", "n_dropped"}};
  for (const auto& ask : spec.asks) type.children.push_back({"g", ask.name});
  if (spec.reasons) type.children.push_back(reason_struct_type(spec.asks));
  return type;
}

ScoreStruct::ScoreStruct(const ScoreSpec& spec, bool weighted, std::int64_t rows)
    : weighted_(weighted), rows_(rows), n_(words(rows)), dropped_(words(rows)) {
  for (std::size_t i = 0; i < spec.asks.size(); ++i) values_.push_back(words(rows));
  if (spec.reasons) reasons_ = std::make_unique<Reasons>(rows, spec.asks.size());
}

void ScoreStruct::set(std::int64_t row, double n, std::int64_t dropped,
                      std::span<const double> values) {
  if (weighted_) {
    n_.as<double>()[row] = n;
  } else {
    n_.as<std::int64_t>()[row] = static_cast<std::int64_t>(n);
  }
  dropped_.as<std::int64_t>()[row] = dropped;
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].as<double>()[row] = values[i];
}

void ScoreStruct::set_reasons(std::int64_t row, std::span<const std::string> reasons) {
  reasons_->set(row, reasons);
}

void ScoreStruct::set_null(std::int64_t row) {
  n_.as<double>()[row] = std::nan("");
  dropped_.as<std::int64_t>()[row] = 0;
  for (Buffer& values : values_) values.as<double>()[row] = std::nan("");
}

Array ScoreStruct::take() {
  Array out{.length = rows_, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.children.push_back(weighted_ ? nullable_doubles(rows_, std::move(n_))
                                   : primitive(rows_, std::move(n_)));
  out.children.push_back(primitive(rows_, std::move(dropped_)));
  for (Buffer& values : values_) out.children.push_back(nullable_doubles(rows_, std::move(values)));
  if (reasons_) out.children.push_back(reason_struct(*reasons_, values_.size(), rows_));
  return out;
}

}  // namespace confmat::plugin
