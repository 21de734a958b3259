// Views the chunks of an input as labels, and turns whole floats into integers.
#include "plugin/label_column.hpp"

#include <string_view>

#include "confmat/base/half.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

// 16-bit words as floats of twice the width.
std::vector<float> widened(const Column& words) {
  std::vector<float> out(static_cast<std::size_t>(words.length));
  for (std::int64_t i = 0; i < words.length; ++i) {
    out[static_cast<std::size_t>(i)] = float_of_half(load<std::uint16_t>(words, i));
  }
  return out;
}

}  // namespace

LabelColumn::LabelColumn(const Inputs& inputs, std::size_t i, const char* argument,
                         const char* scores_go_to) {
  ArrowSchema schema = inputs.schema(i);
  const std::string_view format = schema.format;
  const bool halves = format == "e";
  const bool floats = schema.dictionary == nullptr && (halves || format == "f" || format == "g");
  if (halves) schema.format = "S";
  const bool rows = inputs.length(i) > 0;  // without any, the type is still that of a chunk
  for (const ArrowArray* array : inputs.chunks(i)) {
    if (array->length > 0 || !rows) as_it_lies_.add(schema, *array, argument);
  }
  if (!floats) return;
  Place place{
      .argument = argument, .first_row = 0, .scores_go_to = scores_go_to, .among = kReadTogether};
  for (Column chunk : as_it_lies_.chunks()) {
    std::vector<float> wide;
    if (halves) {
      wide = widened(chunk);
      chunk.type = DType::kFloat32;
      chunk.data = reinterpret_cast<const std::byte*>(wide.data());
      chunk.stride = sizeof(float);
    }
    columns_.push_back(whole_.emplace_back(chunk, place).column());
    place.first_row += chunk.length;
  }
}

}  // namespace confmat::plugin
