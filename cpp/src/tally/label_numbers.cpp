#include "confmat/tally/label_numbers.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/batch/int_dispatch.hpp"
#include "text_source.inl.hpp"

namespace confmat {
namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX - 2;  // a key that was not met yet

std::string too_many(std::int64_t labels) {
  return std::to_string(labels) + " or more labels; at most " + std::to_string(kMostNumbers) +
         " are possible";
}

}  // namespace

LabelNumbers::LabelNumbers(const Labels& fixed) : kind_(fixed.kind) {
  if (fixed.size() > kMostNumbers) throw InputError("`labels` has " + too_many(fixed.size()));
  for (const auto [first, last] : Strides(static_cast<std::size_t>(fixed.size()))) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t number = 0;
      if (kind_ == Labels::Kind::kText) {
        if (fixed.texts[i].size() > kLongestLabel) {
          throw InputError("label " + std::to_string(i) + " of `labels` has " +
                           std::to_string(fixed.texts[i].size()) + " bytes; the limit is 64 KiB");
        }
        number = texts.add(fixed.texts[i]);
      } else {
        number = ints.add(fixed.ints[i]);
      }
      if (number != i) {
        throw InputError("label " + fixed.display(static_cast<std::int64_t>(i)) +
                         " occurs twice in `labels`");
      }
    }
  }
  grows_ = false;
}

void NumberReader::start(const Column& chunk, std::int64_t first_row) {
  chunk_ = &chunk;
  place_.first_row = first_row;
  if (chunk.type != DType::kNull) words_.start(chunk, none_, first_row);
  if (chunk.type == DType::kText) texts_ = TextSource(chunk, place_);
  if (chunk.type != DType::kDictionary) return;
  texts_ = TextSource(*chunk.dictionary, {place_.argument, 0, "dictionary entry"});
  number_of_key_.assign(static_cast<std::size_t>(chunk.dictionary->length), kUnseen);
}

void NumberReader::read(std::int64_t at, std::size_t n, std::uint32_t* numbers) {
  switch (chunk_->type) {
    case DType::kNull:
      std::fill_n(numbers, n, LabelNumbers::kNull);
      return;
    case DType::kText:
      read_texts(at, n, numbers);
      break;
    case DType::kCells:
      read_cells(at, n, numbers);
      break;
    case DType::kDictionary:
      read_keys(at, n, numbers);
      break;
    default:
      read_ints(at, n, numbers);
  }
  if (set_.size() > kMostNumbers) throw InputError(too_many(set_.size()));
}

void NumberReader::read_ints(std::int64_t at, std::size_t n, std::uint32_t* numbers) {
  Run run;
  Nulls nulls;
  if (is_float(chunk_->type)) {
    if (whole_ == nullptr) whole_ = std::make_unique_for_overwrite<WholeBlock>();
    read_whole(*chunk_, at, n, place_, scratch_, *whole_);
    run = {reinterpret_cast<const std::byte*>(whole_->values), DType::kInt64};
    if (whole_->nulls) nulls = {whole_->valid, 0};
  } else {
    run = gather(*chunk_, at, n, scratch_);
    if (any_null(*chunk_, at, n)) nulls = {chunk_->validity, chunk_->validity_offset + at};
  }
  with_int_type(run.type, [&](auto like) {
    using T = decltype(like);
    const bool grows = set_.grows();
    for (std::size_t i = 0; i < n; ++i) {
      T value;
      std::memcpy(&value, run.values + i * sizeof(T), sizeof value);
      const auto label = static_cast<std::int64_t>(value);
      if (nulls.validity != nullptr) {
        const std::int64_t bit = nulls.offset + static_cast<std::int64_t>(i);
        if (((nulls.validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
          numbers[i] = LabelNumbers::kNull;
          continue;
        }
      }
      if (sizeof(T) == 8 && T(-1) > T{0} && label < 0) {
        if (grows) (void)words_.int_label(at + static_cast<std::int64_t>(i));  // refuses it
        numbers[i] = LabelNumbers::kOther;
        continue;
      }
      numbers[i] = grows ? set_.ints.add(label) : set_.ints.find(label);
    }
  });
}

std::uint32_t NumberReader::number_of_text(const TextSource& texts, std::int64_t at) {
  const TextSource::Text text = texts[at];
  const std::uint32_t known = set_.texts.find(text.head, text.data, text.length);
  if (known != TextSet::kAbsent || !set_.grows()) return known;
  return set_.texts.add(texts.label(at));
}

void NumberReader::read_texts(std::int64_t at, std::size_t n, std::uint32_t* numbers) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    numbers[i] = chunk_->valid(row) ? number_of_text(texts_, row) : LabelNumbers::kNull;
  }
}

void NumberReader::read_cells(std::int64_t at, std::size_t n, std::uint32_t* numbers) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view label = words_.text_label(at + static_cast<std::int64_t>(i));
    numbers[i] = set_.grows() ? set_.texts.add(label) : set_.texts.find(label);
  }
}

std::uint32_t NumberReader::number_of_key(std::int64_t at) {
  if (!chunk_->valid(at)) return LabelNumbers::kNull;
  const std::uint64_t entry = fixed_bits(*chunk_, at);
  if (entry >= number_of_key_.size()) {
    (void)words_.text_label(at);  // refuses it, unless the memory has changed since
    return LabelNumbers::kNull;
  }
  std::uint32_t& number = number_of_key_[entry];
  if (number == kUnseen) {
    const auto position = static_cast<std::int64_t>(entry);
    number =
        texts_.column().valid(position) ? number_of_text(texts_, position) : LabelNumbers::kNull;
  }
  return number;
}

void NumberReader::read_keys(std::int64_t at, std::size_t n, std::uint32_t* numbers) {
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = number_of_key(at + static_cast<std::int64_t>(i));
  }
}

}  // namespace confmat
