// Structs and lists of Arrow, many of them wrong where that can be seen, as tables of indicators
// and as sets of labels.
#include <deque>
#include <utility>
#include <vector>

#include "arrow_structs.hpp"
#include "confmat/arrow/nested.hpp"
#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/tally/indicators.hpp"
#include "confmat/tally/label_codes.hpp"

namespace confmat::fuzz {
namespace {

void read_table(const ArrowData& data) {
  const auto fields = number_fields(data, "y_true");
  if (!fields) return;
  std::vector<Chunks> chunks;
  for (const ArrowColumns& column : fields->columns) chunks.push_back(column.chunks());
  const std::int64_t values = total_length(chunks.front());
  for (const Chunks column : chunks) require(total_length(column) == values, "one length");
  std::vector<std::byte> out(static_cast<std::size_t>(values) * chunks.size());
  const Indicators found = read_indicators(chunks, fields->width, 1, out.data());
  for (const std::byte one : out) {
    require(found.refused || one == std::byte{0} || one == std::byte{1}, "Booleans");
  }
}

void read_lists(const ArrowData& data) {
  const ListItems lists = list_items(data, "y_true");
  std::int64_t before = 0;
  for (std::size_t row = 0; row < lists.ends.size(); ++row) {
    const std::int64_t end = lists.ends[row];
    require(end >= before, "ends ascend");
    require(lists.nulls.empty() || lists.nulls[row] == 0 || end == before, "a null is empty");
    before = end;
  }
  const std::vector<ListedLabels> listed{{lists.items.chunks(), lists.ends.span(), "y_true"}};
  require(total_length(listed[0].labels) == before, "the items are those of the rows");
  const LabelCodes found = label_codes(listed, nullptr, 1);
  for (const std::uint32_t code : found.codes[0].span()) {
    require(code < static_cast<std::uint64_t>(found.labels.size()), "codes are labels");
  }
}

void run(std::span<const std::uint8_t> bytes) {
  Draw draw(bytes);
  const bool lists = draw.chance(2);
  DrawnArray one(draw, 2);
  ArrowSchema schema = one.schema();
  ArrowArray array = one.array();
  schema.release = [](ArrowSchema*) {};
  array.release = [](ArrowArray*) {};
  try {
    ArrowData data;
    data.take(schema, array, "y_true");
    if (lists) {
      read_lists(data);
    } else {
      read_table(data);
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what a wrong array deserves
  }
}

const Target kTarget("arrow_nested", run);

}  // namespace
}  // namespace confmat::fuzz
