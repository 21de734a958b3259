// A label column and a score column, and weights, as one code a row.
#include <algorithm>
#include <string>
#include <type_traits>

#include "confmat/base/threads.hpp"
#include "plugin/label_column.hpp"
#include "plugin/rows.hpp"
#include "plugin/score_functions.hpp"
#include "plugin/score_rows.hpp"

namespace confmat::plugin {
namespace {

constexpr std::int64_t kBlock = 4096;
constexpr const char* kScoreNames[] = {"y_true", "y_score", "sample_weight"};

bool one_of(const ArrowSchema& field, std::string_view formats) {
  const std::string_view format = field.format;
  return field.dictionary == nullptr && format.size() == 1 &&
         formats.find(format) != std::string_view::npos;
}

constexpr std::string_view kShortIntegers = "bcCsSn";  // Booleans and nulls too
constexpr std::string_view kShortScores = "nef";       // exact as Float32, and clipped as such
constexpr std::string_view kLongIntegers = "iIlL";
constexpr std::string_view kFloats = "efg";  // as labels: whole numbers

bool is_long_integer(const ArrowSchema& field) {
  return one_of(field, kLongIntegers) || is_wide_integer(field);
}

[[noreturn]] void refuse(const ArrowSchema& field, const char* argument, std::string_view wanted) {
  throw InputError(refused_dtype(argument, dtype_word(field), wanted));
}

void check_labels(const ArrowSchema& field, const Spec& spec) {
  const bool text = is_text(field);
  if (!text && !one_of(field, kShortIntegers) && !is_long_integer(field) &&
      !one_of(field, kFloats)) {
    refuse(field, "y_true", kLabelDtypes);
  }
  if (std::string_view(field.format) == "n") return;
  if (!spec.positive) {
    if (text) refuse(field, "y_true", "a pos_label, or labels 0 and 1, -1 and 1, or Booleans");
    return;
  }
  if (text != (spec.positive->kind == Labels::Kind::kText)) {
    throw InputError("`pos_label` is " + spec.positive->display(0) + ", `y_true` has dtype " +
                     std::string(dtype_word(field)) + ": wanted a label of its kind");
  }
}

// Whether negative rows must say which label they have: without a named class only 0 or -1.
bool needs_label(const ArrowSchema& field, const Spec& spec) {
  return spec.positive ? std::string_view(field.format) != "b" : one_of(field, "csilefg");
}

struct ScoreColumns {
  LabelColumn labels;
  std::vector<ArrowColumns> owners;  // of the scores and the weights
  std::vector<Chunks> columns;
  std::int64_t length = 0;
  ScoreWords words = ScoreWords::kNumbers;
};

std::size_t columns_of(const Spec& spec) noexcept { return spec.weighted ? 3 : 2; }

ScoreColumns read_columns(const Inputs& inputs, std::size_t columns) {
  ScoreColumns out;
  out.owners.resize(columns - 1);
  out.labels =
      LabelColumn(inputs, 0, type_of(0, columns, inputs.size()), Labelling::kNamed, kScoreNames[0]);
  out.length = inputs.length(0);
  std::int64_t shortest = inputs.length(0);
  for (std::size_t i = 1; i < columns; ++i) {
    ArrowSchema schema = inputs.schema(i);
    if (i == 1 && one_of(schema, "e")) {
      schema.format = "S";
      out.words = ScoreWords::kHalves;
    }
    for (const ArrowArray* array : inputs.chunks(i)) {
      if (array->length > 0) out.owners[i - 1].add(schema, *array, kScoreNames[i]);
    }
    out.length = std::max(out.length, inputs.length(i));
    shortest = std::min(shortest, inputs.length(i));
  }
  if (shortest == 0) out.length = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    out.columns.push_back(i == 0 ? out.labels.chunks() : out.owners[i - 1].chunks());
    if (inputs.length(i) != out.length && inputs.length(i) != 1 && out.length > 0) {
      throw InputError("`" + std::string(kScoreNames[i]) + "` has " +
                       std::to_string(inputs.length(i)) + " rows, wanted " +
                       std::to_string(out.length));
    }
  }
  return out;
}

template <class Code>
void encode_into(const ScoreColumns& from, const Spec& spec, typename Code::Bits* to) {
  ScoredLabels labels(spec);
  for_each_run(from.columns, from.length, [&](std::int64_t start, const std::vector<Column>& run) {
    std::int64_t n = 1;
    for (const Column& column : run) n = std::max(n, column.length);
    labels.start_run(run[0]);
    const int threads = n >= kWholeColumn ? core_count(0) : 1;
    for_each_task((n + kBlock - 1) / kBlock, threads, [&] {
      return [&, own = labels, rows = std::vector<ScoredRow>()](std::int64_t block) mutable {
        const std::int64_t first = block * kBlock;
        const std::int64_t size = std::min(kBlock, n - first);
        if constexpr (std::is_same_v<Code, NarrowScore>) {
          if (from.words == ScoreWords::kNumbers &&
              own.pack_plain(block_of(run[0], first, size), block_of(run[1], first, size),
                             to + start + first)) {
            return;
          }
        }
        rows.resize(static_cast<std::size_t>(size));
        own.read(block_of(run[0], first, size), start + first, rows);
        for (std::size_t i = 1; i < run.size(); ++i) {
          drop_nulls(block_of(run[i], first, size), rows);
        }
        read_scores(block_of(run[1], first, size), from.words, start + first, rows);
        if (spec.weighted) read_score_weights(block_of(run[2], first, size), start + first, rows);
        for (std::int64_t i = 0; i < size; ++i) {
          to[start + first + i] = Code::pack(rows[static_cast<std::size_t>(i)]);
        }
      };
    });
  });
}

template <class Code>
Array encode_fixed(const ScoreColumns& from, const Spec& spec) {
  Buffer out(static_cast<std::size_t>(from.length) * sizeof(typename Code::Bits));
  encode_into<Code>(from, spec, out.as<typename Code::Bits>());
  return primitive(from.length, std::move(out));
}

// Byte strings of equal length in one buffer a GiB, as their offsets have 32 bits.
Array encode_long(const ScoreColumns& from, const Spec& spec) {
  struct View {
    std::uint32_t length, head, blob, offset;
  };
  using Bits = LongScore::Bits;
  constexpr std::size_t kMost = (std::size_t{1} << 30) / sizeof(Bits);
  std::vector<Bits> codes(static_cast<std::size_t>(from.length));
  encode_into<LongScore>(from, spec, codes.data());
  Array out{.length = from.length, .null_count = 0, .buffers = {}};
  out.buffers.emplace_back();
  out.buffers.emplace_back(codes.size() * sizeof(View));
  auto* views = out.buffers.back().as<View>();
  std::vector<std::int64_t> sizes;
  for (std::size_t first = 0; first < codes.size() || sizes.empty(); first += kMost) {
    const std::size_t n = std::min(kMost, codes.size() - first);
    Buffer blob(n * sizeof(Bits));
    if (n > 0) std::memcpy(blob.as<Bits>(), codes.data() + first, n * sizeof(Bits));
    for (std::size_t i = 0; i < n; ++i) {
      View& view = views[first + i];
      view = {sizeof(Bits), 0, static_cast<std::uint32_t>(sizes.size()),
              static_cast<std::uint32_t>(i * sizeof(Bits))};
      std::memcpy(&view.head, &codes[first + i], sizeof(view.head));
    }
    out.buffers.push_back(std::move(blob));
    sizes.push_back(static_cast<std::int64_t>(n * sizeof(Bits)));
  }
  Buffer lengths(sizes.size() * sizeof(std::int64_t));
  std::copy(sizes.begin(), sizes.end(), lengths.as<std::int64_t>());
  out.buffers.push_back(std::move(lengths));
  return out;
}

}  // namespace

Type encode_score_type(Fields fields, const Spec& spec) {
  const std::size_t n = columns_of(spec);
  if (fields.size() != n && fields.size() != n + 1) throw InputError("wrong number of columns");
  const ArrowSchema& y_true = fields[type_of(0, n, fields.size())];
  check_labels(y_true, spec);
  const bool short_score = one_of(fields[1], kShortScores);
  if (!short_score && !one_of(fields[1], "g") && !one_of(fields[1], kShortIntegers) &&
      !is_long_integer(fields[1])) {
    const std::string_view dtype = dtype_word(fields[1]);
    refuse(
        fields[1], "y_score",
        dtype == "List" || dtype == "Array"
            ? "numbers; K scores a row are for cm.multiclass_metrics, or cm.state(y_score=[name])"
            : "numbers");
  }
  if (spec.weighted && !one_of(fields[2], kShortIntegers) && !is_long_integer(fields[2]) &&
      !one_of(fields[2], kFloats)) {
    refuse(fields[2], "sample_weight", "numbers");
  }
  const std::string name = fields[0].name;
  const bool labelled = needs_label(y_true, spec);
  if (spec.weighted) return {labelled ? "vz" : "_pli128", name};
  const bool short_label = !spec.positive || one_of(y_true, kShortIntegers);
  return {short_score && short_label ? "L" : "_pli128", name};
}

Result encode_score(const Inputs& inputs, const Spec& spec) {
  const std::vector<ArrowSchema> fields = inputs.schemas();
  Type type = encode_score_type(fields, spec);
  const ScoreColumns from = read_columns(inputs, columns_of(spec));
  Array array = type.format == "L"    ? encode_fixed<NarrowScore>(from, spec)
                : type.format == "vz" ? encode_long(from, spec)
                : spec.weighted       ? encode_fixed<WeightedScore>(from, spec)
                                      : encode_fixed<WideScore>(from, spec);
  return {std::move(type), std::move(array)};
}

}  // namespace confmat::plugin
