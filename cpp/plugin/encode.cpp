// Two label columns, and weights, as one code a row: which code, by what is known of the labels.
#include "confmat/tally/encode.hpp"

#include <optional>

#include "confmat/evaluate/pair_tally.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/functions.hpp"
#include "plugin/known_labels.hpp"
#include "plugin/label_column.hpp"
#include "plugin/outsiders.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

bool is_number(const ArrowSchema& field) {
  constexpr std::string_view kFormats = "bcCsSiIlLefgn";
  const std::string_view format = field.format;
  return is_wide_integer(field) ||
         (format.size() == 1 && kFormats.find(format[0]) != std::string_view::npos);
}

void check_label_type(const ArrowSchema& field, const char* argument) {
  if (is_text(field) || is_number(field)) return;
  throw InputError(refused_dtype(argument, dtype_word(field)));
}

void check_weight_type(const ArrowSchema& field) {
  if (is_number(field) && field.dictionary == nullptr) return;
  throw InputError(refused_dtype("sample_weight", dtype_word(field), "numbers"));
}

void check_one_kind(const ArrowSchema& y_true, const ArrowSchema& y_pred) {
  const auto is_null = [](const ArrowSchema& field) {
    return std::string_view(field.format) == "n";
  };
  if (is_text(y_true) == is_text(y_pred) || is_null(y_true) || is_null(y_pred)) return;
  throw InputError("`y_true` is " + std::string(dtype_word(y_true)) + ", `y_pred` is " +
                   std::string(dtype_word(y_pred)) + ": labels of one kind are needed");
}

const char* format_of(CodeWidth width) {
  return width == CodeWidth::k8 ? "C" : width == CodeWidth::k16 ? "S" : "I";
}

std::uint32_t code_at(const Buffer& codes, CodeWidth width, std::int64_t i) {
  if (width == CodeWidth::k8) return codes.as<std::uint8_t>()[i];
  if (width == CodeWidth::k16) return codes.as<std::uint16_t>()[i];
  return codes.as<std::uint32_t>()[i];
}

// The codes beside their weights. A row without a weight becomes one of nulls, `null`.
template <class IsDropped>
Buffer with_weights(const LabelArgs& args, const Buffer& codes, CodeWidth width,
                    const IsDropped& is_dropped, std::uint32_t null) {
  Buffer out(static_cast<std::size_t>(args.length) * sizeof(WeightedCode));
  std::vector<double> weights;
  const bool one = args.weights.chunks().size() == 1 && args.weights.front().length == 1;
  const auto add = [&](std::int64_t start, const std::vector<Column>& run) {
    const Column& weight = run[0];
    const std::int64_t n = one ? args.length : weight.length;
    const auto code = [&](std::int64_t i) {
      return code_at(codes, width, args.label_rows == 1 ? 0 : start + i);
    };
    read_weights(weight, n, start, [&](std::int64_t i) { return !is_dropped(code(i)); }, weights);
    for (std::int64_t i = 0; i < n; ++i) {
      out.as<WeightedCode>()[start + i] = {weights[static_cast<std::size_t>(i)],
                                           weight.valid(one ? 0 : i) ? code(i) : null};
    }
  };
  for_each_run(std::span(args.columns).subspan(2), args.length, add);
  return out;
}

}  // namespace

const PairEncoder& encoder_for(const Labels& labels) {
  thread_local Labels last;
  thread_local std::optional<PairEncoder> encoder;
  if (!encoder || last != labels) {
    encoder.reset();  // where the labels are refused, nothing may be remembered of them
    last = labels;
    encoder.emplace(labels);
  }
  return *encoder;
}

Type encode_type(Fields fields, const Spec& spec) {
  const std::size_t n = spec.weighted ? 3 : 2;
  if (fields.size() != n && fields.size() != n + 2) throw InputError("wrong number of columns");
  const ArrowSchema& y_true = fields[type_of(0, n, fields.size())];
  const ArrowSchema& y_pred = fields[type_of(1, n, fields.size())];
  check_label_type(y_true, "y_true");
  check_label_type(y_pred, "y_pred");
  if (spec.weighted) check_weight_type(fields[2]);
  const std::string name = fields[0].name;
  const Labels* labels = spec.coded();
  const bool booleans = labels == nullptr && boolean_labels(y_true, y_pred);
  if (labels == nullptr) check_one_kind(y_true, y_pred);
  if (spec.weighted) return {booleans ? std::string(kWeightedBooleanCodes) : "_pli128", name};
  if (booleans) return {std::string(kBooleanCodes), name};
  if (labels == nullptr) return {"I", name};
  return {format_of(code_width(labels->size())), name};
}

Result encode(const Inputs& inputs, const Spec& spec) {
  const LabelArgs args = read_label_args(inputs, spec);
  Type type = encode_type(inputs.schemas(), spec);
  const std::size_t n = spec.weighted ? 3 : 2;
  const ArrowSchema& y_true = inputs.schema(type_of(0, n, inputs.size()));
  const ArrowSchema& y_pred = inputs.schema(type_of(1, n, inputs.size()));
  const auto booleans = boolean_labels(y_true, y_pred);
  if (const Labels* labels = spec.coded() != nullptr ? spec.coded()
                             : booleans              ? &*booleans
                                                     : nullptr) {
    auto [codes, has_other] = encode_known(args, *labels);
    if (spec.weighted) {
      const auto side = static_cast<std::uint32_t>(labels->size()) + 2;
      const auto is_dropped = [side](std::uint32_t code) {
        return code / side == side - 1 || code % side == side - 1;
      };
      codes = with_weights(args, codes, code_width(labels->size()), is_dropped, side * side - 1);
    }
    if (has_other && spec.labels && !spec.bucket_other) {
      note_outsiders(args, *labels, codes, spec.weighted);
    }
    return {std::move(type), primitive(args.length, std::move(codes))};
  }
  const auto categories = shared_categories(y_true, y_pred);
  const Categories* of_enum = categories ? &*categories : nullptr;
  Buffer codes = encode_unknown(args, of_enum);
  if (spec.weighted) {
    const std::uint32_t null = unknown_null(of_enum);
    const auto is_dropped = [null](std::uint32_t code) { return code == null; };
    codes = with_weights(args, codes, CodeWidth::k32, is_dropped, null);
  }
  return {std::move(type), primitive(args.length, std::move(codes))};
}

}  // namespace confmat::plugin
