// Views the chunks of an input as labels: turns whole floats into integers, and finds the texts of
// codes of categories.
#include "plugin/label_column.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "confmat/base/threads.hpp"
#include "confmat/tally/int_reader.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

// The greatest code of some row that is not null; -1: all are.
std::int64_t greatest(Chunks codes, const Place& place) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  std::vector<Column> pieces;
  std::int64_t rows = 0;
  for (const Column& chunk : codes) {
    for (std::int64_t at = 0; at < chunk.length; at += kPiece) {
      pieces.push_back(slice(chunk, at, std::min(kPiece, chunk.length - at)));
    }
    rows += chunk.length;
  }
  std::vector<Extremes> extremes(pieces.size());
  const int threads = rows >= 4 * kPiece ? core_count(0) : 1;
  for_each_task(static_cast<std::int64_t>(pieces.size()), threads, [&] {
    return [&, scratch = std::make_unique<Scratch>()](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      const ClassSet none;
      IntReader reader(*scratch);
      reader.start(pieces[at], none, place);
      constexpr auto kStep = static_cast<std::int64_t>(kBlock);
      for (std::int64_t row = 0; row < pieces[at].length; row += kStep) {
        const std::int64_t n = std::min(kStep, pieces[at].length - row);
        reader.widen(row, static_cast<std::size_t>(n), extremes[at]);
      }
    };
  });
  std::int64_t out = -1;
  for (const Extremes& piece : extremes) out = std::max(out, piece.high);
  return out;
}

// The dtype of a plan is no promise about the memory that comes. Throws InputError for memory of
// another, and for a dtype without labels, by its name.
void check_planned(const ArrowSchema& planned, const ArrowSchema& found, const char* argument) {
  if (std::string_view(planned.format) == std::string_view(found.format)) return;
  const ArrowFormat format = format_of(planned.format);
  if (format.type != DType::kNull || format.layout == ArrowLayout::kNull) {
    throw InputError("`" + std::string(argument) + "` has dtype " + std::string(dtype_word(found)) +
                     ", where the plan has " + std::string(dtype_word(planned)));
  }
  throw InputError(refused_dtype(argument, format.word));
}

}  // namespace

LabelColumn::LabelColumn(const Inputs& inputs, std::size_t i, std::size_t type, Labelling labelling,
                         const char* argument, const char* scores_go_to) {
  const ArrowSchema& schema = inputs.schema(i);
  const bool are_keys = type != i && inputs.schema(type).dictionary != nullptr;
  if (type != i) check_planned(inputs.schema(type), schema, argument);
  const std::string_view format = schema.format;
  const bool floats = !are_keys && schema.dictionary == nullptr &&
                      (format == "e" || format == "f" || format == "g");
  const bool rows = inputs.length(i) > 0;  // without any, the type is still that of a chunk
  for (const ArrowArray* array : inputs.chunks(i)) {
    if (array->length > 0 || !rows) as_it_lies_.add(schema, *array, argument);
  }
  if (floats) {
    become_whole({.argument = argument, .first_row = 0, .scores_go_to = scores_go_to});
  } else if (are_keys) {
    become_keys(inputs, type, labelling, argument);
  }
}

void LabelColumn::become_whole(const Place& place) {
  Place at = place;
  for (const Column& chunk : as_it_lies_.chunks()) {
    columns_.push_back(whole_.emplace_back(chunk, at).column());
    at.first_row += chunk.length;
  }
}

void LabelColumn::become_keys(const Inputs& inputs, std::size_t at, Labelling labelling,
                              const char* argument) {
  const ArrowSchema& type = inputs.schema(at);
  columns_.assign(as_it_lies_.chunks().begin(), as_it_lies_.chunks().end());
  if (!std::ranges::all_of(columns_, is_int, &Column::type)) {
    throw InputError("`" + std::string(argument) + "` has categories, and codes that are none");
  }
  dictionary_ = std::make_unique<Column>();
  dictionary_->type = DType::kText;
  if (const auto name = categories_name(type)) {
    look_up_in(*name, labelling, argument);
  } else if (inputs.length(at) > 0 && inputs.chunks(at)[0]->dictionary != nullptr) {
    categories_.add(*type.dictionary, *inputs.chunks(at)[0]->dictionary, argument);
    *dictionary_ = categories_.front();
  }
  if (dictionary_->type != DType::kText) {
    throw InputError("`" + std::string(argument) + "` has categories that are no texts");
  }
  for (Column& chunk : columns_) {
    chunk.key_type = chunk.type;
    chunk.type = DType::kDictionary;
    chunk.dictionary = dictionary_.get();
  }
}

void LabelColumn::look_up_in(const CategoriesName& categories, Labelling labelling,
                             const char* argument) {
  const std::int64_t most = greatest(columns_, {.argument = argument});
  if (most < std::int64_t{kMostKeptCodes}) {
    texts_ = texts_of_first(categories, static_cast<std::uint32_t>(most + 1));
    // Where some code stands for nothing, only those of the rows are looked up.
    if (texts_ != nullptr && texts_->is_whole()) {
      *dictionary_ = texts_->column();
      return;
    }
  }
  renumber(categories, labelling, argument);
}

void LabelColumn::renumber(const CategoriesName& categories, Labelling labelling,
                           const char* argument) {
  constexpr std::size_t kMost = std::size_t{1} << 19;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> found;
  for (Column& chunk : columns_) {
    std::vector<std::uint32_t>& own = codes_.emplace_back(static_cast<std::size_t>(chunk.length));
    for (std::int64_t i = 0; i < chunk.length; ++i) {
      if (!chunk.valid(i)) continue;
      const auto code = static_cast<std::uint32_t>(fixed_bits(chunk, i));
      const auto [at, is_new] = numbers.try_emplace(code, found.size());
      own[static_cast<std::size_t>(i)] = at->second;
      if (!is_new) continue;
      found.push_back(code);
      if (found.size() <= kMost || labelling == Labelling::kNamed) continue;
      throw InputError("`" + std::string(argument) + "` has more than " + std::to_string(kMost) +
                       " categories: are they identifiers? Cast the column to String and give the "
                       "classes as labels=, with other=\"bucket\" for the rest");
    }
    chunk.type = DType::kUInt32;
    chunk.data = reinterpret_cast<const std::byte*>(own.data());
    chunk.stride = sizeof(std::uint32_t);
  }
  texts_ = texts_of(categories, found);
  if (!texts_->is_whole()) {
    throw InputError("`" + std::string(argument) + "` has a category without a text");
  }
  *dictionary_ = texts_->column();
}

}  // namespace confmat::plugin
