// Chooses the reader of a chunk: integers, texts, cells or dictionary keys.
#include "confmat/tally/class_reader.hpp"

namespace confmat {

void ClassReader::start(const Column& chunk, const ClassSet& set, std::int64_t first_row) {
  chunk_ = &chunk;
  set_ = &set;
  const Place place{argument_, first_row};
  switch (chunk.type) {
    case DType::kNull:
      break;
    case DType::kText:
      texts_.start(chunk, set, place);
      break;
    case DType::kCells:
      cells_.start(chunk, set, place);
      break;
    case DType::kDictionary:
      keys_.start(chunk, set, place);
      break;
    default:
      ints_.start(chunk, set, place);
  }
}

bool ClassReader::read(std::int64_t at, std::size_t n, ClassWidth width, void* classes) {
  switch (chunk_->type) {
    case DType::kNull:
      fill_classes(set_->null(), n, width, classes);
      return false;
    case DType::kText:
      texts_.read(at, n, width, classes);
      if (any_null(*chunk_, at, n)) {
        kernels_.mask_nulls[width](chunk_->validity, chunk_->validity_offset + at, n, set_->null(),
                                   classes);
      }
      break;
    case DType::kCells:
      cells_.read(at, n, width, classes);
      break;
    case DType::kDictionary:
      keys_.read(at, n, width, classes);
      break;
    default: {
      const bool with_others = ints_.read(at, n, width, classes);
      if (const Nulls nulls = ints_.nulls(at, n); nulls.validity != nullptr) {
        kernels_.mask_nulls[width](nulls.validity, nulls.offset, n, set_->null(), classes);
      }
      if (!with_others) return false;
    }
  }
  return kernels_.contains[width](classes, n, set_->other());
}

void ClassReader::widen(std::int64_t at, std::size_t n, Extremes& extremes) {
  if (chunk_->type != DType::kNull) ints_.widen(at, n, extremes);
}

std::string_view ClassReader::text_label(std::int64_t at) const {
  if (chunk_->type == DType::kCells) return cells_.label(at);
  return chunk_->type == DType::kText ? texts_.label(at) : keys_.label(at);
}

std::string ClassReader::display(std::int64_t at) const {
  switch (chunk_->type) {
    case DType::kNull:
      return "null";
    case DType::kText:
    case DType::kCells:
    case DType::kDictionary:
      return shown_text(text_label(at));
    case DType::kBool8:
    case DType::kBoolBits:
      return fixed_bits(*chunk_, at) != 0 ? "True" : "False";
    case DType::kUInt64:
      return std::to_string(fixed_bits(*chunk_, at));
    default:
      return std::to_string(int_label(at));
  }
}

}  // namespace confmat
