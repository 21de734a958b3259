#include "confmat/tally/encode.hpp"

#include <bit>

#include "confmat/evaluate/pairs.hpp"
#include "confmat/evaluate/workers.hpp"
#include "plugin/encode_pairs.hpp"
#include "plugin/functions.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

// Polars calls with morsels of some 100,000 rows from all its threads, or once with a whole
// column while its other threads wait; only the latter is worth threads of our own.
constexpr std::int64_t kWholeColumn = std::int64_t{1} << 22;

// How pairs of unknown labels travel (see evaluate/pairs.hpp): decided by the dtypes, as the
// planner knows nothing else.
constexpr const char* kPairFormats[] = {"I", "L", "_pli128", "vz"};

bool is_text(const ArrowSchema& field) {
  const std::string_view format = field.format;
  return field.dictionary != nullptr || format == "vu" || format == "u" || format == "U";
}

int integer_bits(const ArrowSchema& field) {
  const std::string_view format = field.format;
  if (format == "b" || format == "c" || format == "C" || format == "s" || format == "n") return 16;
  if (format == "S" || format == "i") return 32;
  if (format == "I" || format == "l" || format == "L") return 64;
  return 0;
}

void check_label_type(const ArrowSchema& field, const char* argument) {
  const std::string_view format = field.format;
  if (is_text(field) || integer_bits(field) != 0) return;
  std::string message = "`" + std::string(argument) + "` has dtype " +
                        std::string(dtype_word(field)) +
                        ": wanted integers, Booleans, strings, Categorical or Enum";
  if (format == "f" || format == "g") message += "; cast whole numbers to an integer type first";
  throw InputError(message);
}

void check_weight_type(const ArrowSchema& field) {
  const std::string_view format = field.format;
  const bool number = format == "f" || format == "g" || integer_bits(field) != 0;
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
  const int bits = std::max(integer_bits(y_true), integer_bits(y_pred));
  return kPairFormats[bits == 16 ? 0 : bits == 32 ? 1 : 2];
}

const char* format_of(CodeWidth width) {
  return width == CodeWidth::k8 ? "C" : width == CodeWidth::k16 ? "S" : "I";
}

const PairEncoder& encoder_for(const Spec& spec) {
  thread_local const Spec* made_for = nullptr;
  thread_local Labels labels;
  thread_local std::optional<PairEncoder> encoder;
  if (made_for != &spec || labels != *spec.labels) {
    made_for = nullptr;  // where the labels are refused, nothing may be remembered of them
    labels = *spec.labels;
    encoder.emplace(labels);
    made_for = &spec;
  }
  return *encoder;
}

Result encode_known(const LabelArgs& args, const Spec& spec, Type type) {
  const auto& encoder = encoder_for(spec);
  const auto width = static_cast<std::int64_t>(encoder.width());
  Buffer out(static_cast<std::size_t>(args.length * width));
  const int threads = args.length >= kWholeColumn ? core_count(0) : 1;
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    encoder.encode(run[0], run[1], out.as<std::byte>() + start * width, threads);
  });
  return {std::move(type), primitive(args.length, std::move(out))};
}

Result encode_known_weighted(const LabelArgs& args, const Spec& spec, Type type) {
  const auto& encoder = encoder_for(spec);
  const auto side = static_cast<std::uint64_t>(spec.labels->size()) + 2;
  Buffer out(static_cast<std::size_t>(args.length) * sizeof(Int128Bits));
  std::vector<std::uint32_t> codes;
  std::vector<double> weights;
  for_each_run(args.columns, args.length, [&](std::int64_t start, const std::vector<Column>& run) {
    std::int64_t n = 1;
    for (const auto& column : run) n = std::max(n, column.length);
    codes.resize(static_cast<std::size_t>(n));
    encoder.encode(run[0], run[1], codes.data());
    const auto label_rows = std::max(run[0].length, run[1].length);
    read_numbers(run[2], n, weights);
    auto* to = out.as<Int128Bits>() + start;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::size_t label_at = label_rows == 1 ? 0 : at;
      std::uint64_t code = 0;
      switch (encoder.width()) {
        case CodeWidth::k8:
          code = reinterpret_cast<const std::uint8_t*>(codes.data())[label_at];
          break;
        case CodeWidth::k16:
          code = reinterpret_cast<const std::uint16_t*>(codes.data())[label_at];
          break;
        case CodeWidth::k32:
          code = codes[label_at];
          break;
      }
      if (run[2].valid(run[2].length == 1 ? 0 : i)) {
        check_weight(weights[at]);
      } else {
        code = side * side - 1;
      }
      to[i] = {std::bit_cast<std::uint64_t>(weights[at]), code};
    }
  });
  return {std::move(type), primitive(args.length, std::move(out))};
}

}  // namespace

Type encode_type(Fields fields, const Spec& spec) {
  if (fields.size() != (spec.weighted ? 3U : 2U)) throw InputError("wrong number of columns");
  check_label_type(fields[0], "y_true");
  check_label_type(fields[1], "y_pred");
  if (spec.weighted) check_weight_type(fields[2]);
  const std::string name = fields[0].name;
  if (!spec.labels) return {pair_format(fields[0], fields[1], spec.weighted), name};
  if (spec.weighted) return {"_pli128", name};
  return {format_of(code_width(spec.labels->size())), name};
}

Result encode(const Inputs& inputs, const Spec& spec) {
  const LabelArgs args = read_label_args(inputs, spec.weighted);
  std::vector<ArrowSchema> fields;
  for (std::size_t i = 0; i < inputs.size(); ++i) fields.push_back(inputs.schema(i));
  Type type = encode_type(fields, spec);
  if (spec.labels) {
    return spec.weighted ? encode_known_weighted(args, spec, std::move(type))
                         : encode_known(args, spec, std::move(type));
  }
  return encode_pairs(args, spec.weighted, std::move(type));
}

}  // namespace confmat::plugin
