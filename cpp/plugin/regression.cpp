// Moments of groups as Binary columns: made, and their metrics.
#include <algorithm>
#include <memory>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/tally/moments.hpp"
#include "plugin/binary_column.hpp"
#include "plugin/lists.hpp"
#include "plugin/metric_struct.hpp"
#include "plugin/regression_functions.hpp"

namespace confmat::plugin {
namespace {

constexpr const char* kNumberNames[] = {"y_true", "y_pred", "sample_weight"};

// The columns of the elements of one chunk of lists.
class Numbers {
 public:
  Numbers(const ArrowSchema& schema, const ArrowArray& elements, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const ArrowArray* const child = elements.children[i];
      if (child == nullptr) throw InputError("a column of the lists is null");
      columns_[i].add(*schema.children[i], *child, kNumberNames[i]);
      if (columns_[i].front().length < elements.offset + elements.length) {
        throw InputError("the columns of the lists are shorter than these");
      }
      require_numbers(columns_[i].chunks(), kNumberNames[i]);
    }
    first_ = elements.offset;
  }

  [[nodiscard]] Column rows(std::size_t column, std::int64_t begin, std::int64_t end) const {
    Column out = columns_[column].front();
    begin += first_;
    out.length = end + first_ - begin;
    out.validity_offset += begin;
    if (out.type == DType::kBoolBits) {
      out.bit_offset += begin;
    } else if (out.data != nullptr) {
      out.data += begin * out.stride;
    }
    return out;
  }

 private:
  ArrowColumns columns_[3];
  std::int64_t first_ = 0;
};

MetricFields fields_of(const Spec& spec) {
  MetricFields out(spec, true);
  for (const auto& ask : spec.regression_asks) {
    out.told.push_back(out.metrics.size());
    out.metrics.push_back(ask.name);
  }
  return out;
}

}  // namespace

Type regression_state_type(Fields fields, const Spec& /*spec*/) {
  return {"vz", fields.empty() ? "" : fields[0].name};
}

Result regression_state(const Inputs& inputs, const Spec& spec) {
  const ListInput input = read_lists(inputs);
  const std::size_t columns = spec.weighted ? 3 : 2;
  const ArrowSchema& element = *inputs.schema(0).children[0];
  if (input.format != "+s" || element.n_children != static_cast<std::int64_t>(columns)) {
    throw InputError("the lists do not hold true and predicted numbers");
  }
  const MomentOptions options{.terms = metrics::terms_of(spec.regression_asks),
                              .nan_drop = spec.nan_drop};
  BinaryViews states(static_cast<std::size_t>(input.length));
  for (const Lists& part : input.chunks) {
    if (part.array->length == 0) continue;
    const Numbers numbers(element, *part.elements, columns);
    for_each_task(part.array->length, threads_for(input), [&] {
      return [&, groups = GroupMoments(options, spec.weighted)](std::int64_t i) mutable {
        const auto [begin, end] = part.range(i);
        const Column y = numbers.rows(0, begin, end);
        const Column p = numbers.rows(1, begin, end);
        if (spec.weighted) {
          const Column w = numbers.rows(2, begin, end);
          groups.add(y, p, &w, 0);
        } else {
          groups.add(y, p, nullptr, 0);
        }
        states.put(static_cast<std::size_t>(part.first_row + i), encode(groups.take()));
      };
    });
  }
  return {regression_state_type({&inputs.schema(0), 1}, spec), binaries(std::move(states))};
}

Type regression_metrics_type(Fields fields, const Spec& spec) {
  Type type = metric_struct_type(fields.empty() ? "" : fields[0].name, fields_of(spec));
  OtherStates::add_field(type, spec);
  return type;
}

Result regression_metrics(const Inputs& inputs, const Spec& spec) {
  const std::int64_t rows = rows_of_states(inputs);
  MetricStruct out(fields_of(spec), rows);
  OtherStates others(spec, rows, "numbers");
  for (std::int64_t row = 0; row < rows; ++row) out.set_null(row);
  for_each_state_in_parallel(inputs, [&] {
    return [&, values = out.scratch(),
            reasons = std::vector<std::string>(spec.regression_asks.size())](std::int64_t row,
                                                                             Bytes bytes) mutable {
      const StateKind kind = kind_of(bytes);
      if (kind != StateKind::kMoments) return others.take(row, kind, bytes);
      const Moments moments = decode_moments(bytes);
      metrics::regression_values(spec.regression_asks, moments, values.data(), reasons.data());
      if (spec.options.undefined) {
        for (double& value : values) {
          if (value != value) value = *spec.options.undefined;
        }
      }
      out.set(row,
              {.n = 0,
               .weight = moments.sums.leads[kSumWeight],
               .n_dropped = moments.rows.dropped + moments.rows.nan},
              values, reasons);
    };
  });
  Array array = out.take();
  others.put(array);
  return {regression_metrics_type({&inputs.schema(0), 1}, spec), std::move(array)};
}

}  // namespace confmat::plugin
