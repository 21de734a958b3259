// Arrow structs around columns of ours, which they keep alive.
#include "confmat/arrow/lend.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

// All that the structs point to; nothing in it moves once they do.
struct Table {
  std::vector<LentColumn> columns;
  std::vector<ArrowSchema> types;
  std::vector<ArrowSchema*> type_pointers;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> array_pointers;
  std::vector<std::array<const void*, 2>> buffers;
  std::array<const void*, 1> no_validity{};
};

using Owner = std::shared_ptr<Table>;

// Who takes the data over never releases children by themselves.
template <class Struct>
void keep(Struct* /*child*/) {}

template <class Struct>
void release(Struct* top) {
  delete static_cast<Owner*>(top->private_data);
  top->release = nullptr;
}

void place(Table& table, std::int64_t rows) {
  for (LentColumn& column : table.columns) {
    table.types.push_back({.format = column.format,
                           .name = column.name.c_str(),
                           .metadata = nullptr,
                           .flags = kArrowFlagNullable,
                           .n_children = 0,
                           .children = nullptr,
                           .dictionary = nullptr,
                           .release = keep<ArrowSchema>,
                           .private_data = nullptr});
    const void* validity = column.n_nulls > 0 ? column.validity.data() : nullptr;
    table.buffers.push_back({validity, column.numbers});
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    table.arrays.push_back({.length = rows,
                            .null_count = table.columns[i].n_nulls,
                            .offset = 0,
                            .n_buffers = 2,
                            .n_children = 0,
                            .buffers = table.buffers[i].data(),
                            .children = nullptr,
                            .dictionary = nullptr,
                            .release = keep<ArrowArray>,
                            .private_data = nullptr});
  }
  for (ArrowSchema& type : table.types) table.type_pointers.push_back(&type);
  for (ArrowArray& array : table.arrays) table.array_pointers.push_back(&array);
}

}  // namespace

LentColumn lent_nullable(std::string name, std::shared_ptr<const void> owner,
                         std::span<const double> numbers) {
  LentColumn out = lent(std::move(name), std::move(owner), numbers);
  std::size_t nulls = 0;
  for (const auto [first, last] : Strides(numbers.size())) {
    for (std::size_t i = first; i < last; ++i) nulls += std::isnan(numbers[i]) ? 1U : 0U;
  }
  if (nulls == 0) return out;
  out.n_nulls = static_cast<std::int64_t>(nulls);
  out.validity.resize((numbers.size() + 7) / 8);
  for (const auto [first, last] : Strides(numbers.size())) {
    for (std::size_t i = first; i < last; ++i) {
      if (!std::isnan(numbers[i])) out.validity[i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
    }
  }
  return out;
}

std::shared_ptr<const ArrowData> lent_struct(std::vector<LentColumn> columns, std::int64_t rows) {
  const auto table = std::make_shared<Table>();
  table->columns = std::move(columns);
  place(*table, rows);
  const auto fields = static_cast<std::int64_t>(table->columns.size());
  auto of_type = std::make_unique<Owner>(table);
  auto of_array = std::make_unique<Owner>(table);
  auto data = std::make_shared<ArrowData>();
  ArrowSchema type{.format = "+s",
                   .name = "",
                   .metadata = nullptr,
                   .flags = kArrowFlagNullable,
                   .n_children = fields,
                   .children = table->type_pointers.data(),
                   .dictionary = nullptr,
                   .release = release<ArrowSchema>,
                   .private_data = of_type.release()};
  ArrowArray array{.length = rows,
                   .null_count = 0,
                   .offset = 0,
                   .n_buffers = 1,
                   .n_children = fields,
                   .buffers = table->no_validity.data(),
                   .children = table->array_pointers.data(),
                   .dictionary = nullptr,
                   .release = release<ArrowArray>,
                   .private_data = of_array.release()};
  data->take(type, array, "columns");
  return data;
}

}  // namespace confmat
