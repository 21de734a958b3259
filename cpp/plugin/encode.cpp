#include "confmat/tally/encode.hpp"

#include <optional>

#include "confmat/base/threads.hpp"
#include "confmat/evaluate/wide_code.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/functions.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

// How pairs of unknown labels travel (see evaluate/pairs.hpp): decided by the dtypes, as the
// planner knows nothing else.
constexpr const char* kPairFormats[] = {"I", "L", "_pli128", "vz"};
constexpr const char* kBooleanPairs = "i";

bool is_text(const ArrowSchema& field) {
  const std::string_view format = field.format;
  return field.dictionary != nullptr || format == "vu" || format == "u" || format == "U";
}

// Floats hold whole numbers up to 2^53.
int integer_bits(const ArrowSchema& field) {
  const std::string_view format = field.format;
  if (format == "b" || format == "c" || format == "C" || format == "s" || format == "n") return 16;
  if (format == "S" || format == "i" || format == "e") return 32;
  if (format == "I" || format == "l" || format == "L" || format == "f" || format == "g") return 64;
  return 0;
}

void check_label_type(const ArrowSchema& field, const char* argument) {
  if (is_text(field) || integer_bits(field) != 0) return;
  throw InputError("`" + std::string(argument) + "` has dtype " + std::string(dtype_word(field)) +
                   ": wanted integers, Booleans, strings, Categorical or Enum");
}

void check_weight_type(const ArrowSchema& field) {
  const std::string_view format = field.format;
  const bool number = format != "e" && integer_bits(field) != 0;
  if (number && field.dictionary == nullptr) return;
  throw InputError("`sample_weight` has dtype " + std::string(dtype_word(field)) +
                   ": wanted numbers");
}

const char* pair_format(const ArrowSchema& y_true, const ArrowSchema& y_pred, bool weighted) {
  const auto is_null = [](const ArrowSchema& field) {
    return std::string_view(field.format) == "n";
  };
  if (is_text(y_true) != is_text(y_pred) && !is_null(y_true) && !is_null(y_pred)) {
    throw InputError("`y_true` is " + std::string(dtype_word(y_true)) + ", `y_pred` is " +
                     std::string(dtype_word(y_pred)) + ": labels of one kind are needed");
  }
  if (weighted || is_text(y_true) || is_text(y_pred)) return kPairFormats[3];
  const auto is_boolean = [](const ArrowSchema& field) {
    return std::string_view(field.format) == "b";
  };
  if (is_boolean(y_true) && is_boolean(y_pred)) return kBooleanPairs;
  const int bits = std::max(integer_bits(y_true), integer_bits(y_pred));
  return kPairFormats[bits == 16 ? 0 : bits == 32 ? 1 : 2];
}

const char* format_of(CodeWidth width) {
  return width == CodeWidth::k8 ? "C" : width == CodeWidth::k16 ? "S" : "I";
}

Result encode_known(const LabelArgs& args, const Labels& labels, Type type) {
  const auto& encoder = encoder_for(labels);
  const auto width = static_cast<std::int64_t>(encoder.width());
  Buffer out(static_cast<std::size_t>(args.length * width));
  // A whole column is cut into pieces for the threads; it may lie in many chunks.
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  struct Piece {
    Column y_true;
    Column y_pred;
    std::int64_t start;
  };
  std::vector<Piece> pieces;
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    const auto n = std::max(run[0].length, run[1].length);
    for (std::int64_t at = 0; at < n; at += kPiece) {
      const auto rows = std::min(kPiece, n - at);
      pieces.push_back({block_of(run[0], at, rows), block_of(run[1], at, rows), start + at});
    }
  });
  const int threads = args.length >= kWholeColumn ? core_count(0) : 1;
  for_each_task(static_cast<std::int64_t>(pieces.size()), threads, [&] {
    return [&](std::int64_t i) {
      const auto& [y_true, y_pred, start] = pieces[static_cast<std::size_t>(i)];
      encoder.encode(y_true, y_pred, out.as<std::byte>() + start * width);
    };
  });
  return {std::move(type), primitive(args.length, std::move(out))};
}

// One Enum declares the classes of both columns: no texts need to travel.
bool is_enum_pair(Fields fields) {
  const std::string_view keys = fields[0].format;
  return same_enum(fields[0], fields[1]) && (keys == "C" || keys == "S");
}

std::uint32_t code_at(const std::vector<std::uint32_t>& codes, CodeWidth width, std::size_t i) {
  if (width == CodeWidth::k8) return reinterpret_cast<const std::uint8_t*>(codes.data())[i];
  if (width == CodeWidth::k16) return reinterpret_cast<const std::uint16_t*>(codes.data())[i];
  return codes[i];
}

// Codes with their label set, and with weights where there are some.
Result encode_wide(const LabelArgs& args, const Labels& labels, std::int64_t pos, bool weighted,
                   Type type) {
  const auto& encoder = encoder_for(labels);
  const auto classes = labels.size();
  const auto side = static_cast<std::uint32_t>(classes) + 2;
  Buffer out(static_cast<std::size_t>(args.length) *
             (weighted ? sizeof(WeightedCode) : sizeof(WideCode)));
  std::vector<std::uint32_t> codes;
  std::vector<double> weights;
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    std::int64_t n = 1;
    for (const auto& column : run) n = std::max(n, column.length);
    codes.resize(static_cast<std::size_t>(n));
    encoder.encode(run[0], run[1], codes.data());
    const bool one_label = std::max(run[0].length, run[1].length) == 1;
    if (weighted) read_weights(run[2], n, start, weights);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      auto code = code_at(codes, encoder.width(), one_label ? 0 : at);
      if (!weighted) {
        out.as<WideCode>()[start + i] = WideCode::pack(classes, pos, code);
        continue;
      }
      const bool known = run[2].valid(run[2].length == 1 ? 0 : i);
      if (known && code / side != side - 1 && code % side != side - 1) {
        check_weight(weights[at]);
      } else {
        // A row that is dropped. Under a null lies anything, and nobody asks for its weight.
        if (!known) code = side * side - 1;
        weights[at] = 0;
      }
      out.as<WeightedCode>()[start + i] = {weights[at], WideCode::pack(classes, pos, code)};
    }
  });
  return {std::move(type), primitive(args.length, std::move(out))};
}

Labels categories_of(const LabelArgs& args) {
  Labels labels;
  labels.kind = Labels::Kind::kText;
  if (args.length == 0) return labels;
  const Column& texts = *args.columns[0].front().dictionary;
  for (std::int64_t i = 0; i < texts.length; ++i) labels.texts.emplace_back(texts.text(i));
  return labels;
}

Result encode_enum(const LabelArgs& args, const Spec& spec, Type type) {
  const Labels labels = categories_of(args);
  const auto pos = positive_in(spec, labels);
  if (spec.needs_positive && args.length > 0) {
    // Here the classes still have names.
    metrics::Options options = spec.options;
    options.pos = pos;
    for (const auto& ask : spec.asks) metrics::check(ask, labels.size(), options, labels.texts);
  }
  return encode_wide(args, labels, pos, spec.weighted, std::move(type));
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
  if (fields.size() != (spec.weighted ? 3U : 2U)) throw InputError("wrong number of columns");
  check_label_type(fields[0], "y_true");
  check_label_type(fields[1], "y_pred");
  if (spec.weighted) check_weight_type(fields[2]);
  const std::string name = fields[0].name;
  if (spec.coded() == nullptr && !is_enum_pair(fields)) {
    return {pair_format(fields[0], fields[1], spec.weighted), name};
  }
  if (spec.weighted) return {"_pli128", name};
  if (spec.coded() == nullptr) return {"l", name};
  return {format_of(code_width(spec.coded()->size())), name};
}

Result encode(const Inputs& inputs, const Spec& spec) {
  const LabelArgs args = read_label_args(inputs, spec.weighted);
  const std::vector<ArrowSchema> fields = inputs.schemas();
  Type type = encode_type(fields, spec);
  if (const Labels* labels = spec.coded()) {
    return spec.weighted ? encode_wide(args, *labels, -1, true, std::move(type))
                         : encode_known(args, *labels, std::move(type));
  }
  if (is_enum_pair(fields)) return encode_enum(args, spec, std::move(type));
  return encode_pairs(args, spec.weighted, std::move(type));
}

}  // namespace confmat::plugin
