// Draws Arrow structures from bytes, most of them wrong somewhere.
#include "arrow_structs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "confmat/arrow/format.hpp"

namespace confmat::fuzz {
namespace {

constexpr std::array<const char*, 16> kLeaves{"c", "C", "s", "S", "i", "I", "l",  "L",
                                              "f", "g", "b", "n", "u", "U", "vu", "vu"};
constexpr std::array<const char*, 10> kDeep{"z",  "Z",  "vz", "tdD",  "tsu:UTC",
                                            "+l", "+L", "+s", "+w:3", "_pli128"};
constexpr std::array<const char*, 12> kRefused{"",     "x",     "+r",    "+us:0", "+vl", "d:5,2",
                                               "w:99", "+w:-1", "+w:9x", "\xFF",  "+m",  "cc"};
constexpr std::array<std::int64_t, 8> kCounts{-1, 0, 1, 2, 3, INT64_MIN, INT64_MAX, 1'000'000};
// None of them between the rows that are there and those that no memory holds: that would be a lie
// that cannot be seen.
constexpr std::array<std::int64_t, 5> kLengths{-1, INT64_MIN, INT64_MAX, INT64_MAX - 1,
                                               std::int64_t{1} << 60U};
constexpr std::array<std::uint64_t, 8> kEdges{
    0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, ~0ULL};

template <class Of, std::size_t kSize>
Of one_of(Draw& draw, const std::array<Of, kSize>& all) {
  return all[draw.below(kSize)];
}

void keep_schema(ArrowSchema* /*schema*/) {}
void keep_array(ArrowArray* /*array*/) {}

}  // namespace

DrawnArray::DrawnArray(Draw& draw, int depth) {
  draw_format(draw, depth);
  draw_lengths(draw);
  fill(draw, depth);
  schema_.format = format_.c_str();
  schema_.name = "";
  schema_.release = keep_schema;
  array_.release = keep_array;
  array_.n_buffers = static_cast<std::int64_t>(buffers_.size());
  array_.buffers = buffers_.data();
  for (const auto& child : children_) {
    schemas_.push_back(&child->schema_);
    arrays_.push_back(&child->array_);
  }
  schema_.n_children = array_.n_children = static_cast<std::int64_t>(children_.size());
  schema_.children = schemas_.data();
  array_.children = arrays_.data();
  if (dictionary_ != nullptr) {
    schema_.dictionary = &dictionary_->schema_;
    array_.dictionary = &dictionary_->array_;
  }
  for (std::size_t i = draw.below(3); i > 1; --i) spoil(draw);
}

void DrawnArray::draw_format(Draw& draw, int depth) {
  format_ = depth > 0 && draw.chance(2) ? one_of(draw, kDeep) : one_of(draw, kLeaves);
}

void DrawnArray::draw_lengths(Draw& draw) {
  const std::size_t length = draw.below(40);
  const std::size_t offset = draw.chance(2) ? draw.below(20) : 0;
  rows_ = length + offset;
  array_.length = static_cast<std::int64_t>(length);
  array_.offset = static_cast<std::int64_t>(offset);
}

std::uint8_t* DrawnArray::add_buffer(std::size_t bytes) {
  memory_.push_back(std::make_unique<std::uint8_t[]>(bytes));
  buffers_.push_back(memory_.back().get());
  return memory_.back().get();
}

void DrawnArray::put(std::size_t buffer, std::size_t at, std::uint64_t value, std::size_t width) {
  std::memcpy(memory_[buffer].get() + at * width, &value, width);
}

void DrawnArray::fill(Draw& draw, int depth) {
  const ArrowFormat format = format_of(format_.c_str());
  if (format.layout == ArrowLayout::kNull) return;
  // Always a bitmap in memory, so that memory_ and buffers_ count alike.
  std::uint8_t* bits = add_buffer(rows_ / 8 + 1);
  for (std::size_t i = 0; i <= rows_ / 8; ++i) bits[i] = static_cast<std::uint8_t>(draw.bits(1));
  array_.null_count = draw.chance(2) ? -1 : 0;
  if (draw.chance(2)) {
    buffers_[0] = nullptr;
    array_.null_count = draw.chance(4) && rows_ > 0 ? 1 : array_.null_count;
  }
  const auto width = static_cast<std::size_t>(format.width);
  switch (format.layout) {
    case ArrowLayout::kFixed: {
      add_buffer(rows_ * width);
      const bool small = !draw.chance(4);  // few labels, mostly
      for (std::size_t i = 0; i < rows_; ++i) {
        put(1, i, small ? draw.below(4) : draw.bits(width < 8 ? width : 8),
            std::min<std::size_t>(width, 8));
      }
      if (draw.chance(8)) {
        dictionary_ = std::make_unique<DrawnArray>(draw, 0);
      }
      break;
    }
    case ArrowLayout::kBits:
      std::memset(add_buffer(rows_ / 8 + 1), static_cast<int>(draw.bits(1)), rows_ / 8 + 1);
      break;
    case ArrowLayout::kOffsets32:
    case ArrowLayout::kOffsets64: {
      const std::size_t bytes = draw.below(200);
      fill_offsets(draw, width, bytes);
      add_buffer(bytes);
      for (std::size_t i = 0; i < bytes; ++i)
        memory_[2][i] = static_cast<std::uint8_t>(draw.below(4));
      break;
    }
    case ArrowLayout::kViews:
      fill_views(draw);
      break;
    case ArrowLayout::kList32:
    case ArrowLayout::kList64:
      children_.push_back(std::make_unique<DrawnArray>(draw, depth - 1));
      fill_offsets(draw, width, children_.back()->rows_);
      break;
    case ArrowLayout::kFixedList:
      children_.push_back(std::make_unique<DrawnArray>(draw, depth - 1));
      break;
    case ArrowLayout::kStruct:
      for (std::size_t i = draw.below(3); i > 0; --i) {
        children_.push_back(std::make_unique<DrawnArray>(draw, depth - 1));
      }
      break;
    default:
      break;
  }
}

void DrawnArray::fill_offsets(Draw& draw, std::size_t width, std::uint64_t most) {
  add_buffer((rows_ + 1) * width);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i <= rows_; ++i) {
    put(1, i, at, width);
    at = std::min(most, at + draw.below(8));
  }
  const auto first = static_cast<std::size_t>(array_.offset);
  if (array_.length > 2 && draw.chance(4)) {
    const std::size_t inner = first + 1 + draw.below(static_cast<std::size_t>(array_.length) - 1);
    put(1, inner, one_of(draw, kEdges), width);
  }
  if (draw.chance(8)) put(1, first, one_of(draw, kEdges), width);
}

void DrawnArray::fill_views(Draw& draw) {
  const std::size_t n = draw.below(4);
  std::array<std::size_t, 4> sizes{};
  for (std::size_t i = 0; i < n; ++i) sizes[i] = draw.below(100);
  add_buffer(rows_ * 16);
  for (std::size_t i = 0; i < rows_; ++i) {
    std::array<std::uint32_t, 4> words{};
    words[0] = static_cast<std::uint32_t>(draw.below(32));
    words[1] = static_cast<std::uint32_t>(draw.below(2));
    words[2] = static_cast<std::uint32_t>(draw.below(n + 1 + (draw.chance(16) ? 1 : 0)));
    words[3] = static_cast<std::uint32_t>(draw.below(100));
    if (draw.chance(16)) words[draw.below(4)] = static_cast<std::uint32_t>(one_of(draw, kEdges));
    std::memcpy(memory_[1].get() + i * 16, words.data(), 16);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::memset(add_buffer(sizes[i]), 'a', sizes[i]);
    if (draw.chance(16)) buffers_.back() = nullptr;
  }
  add_buffer(n * 8);
  for (std::size_t i = 0; i < n; ++i) {
    // Smaller than the truth, or negative; a size beyond it would be believed.
    const std::uint64_t said = draw.chance(16)  ? one_of(draw, kEdges) | 0x8000000000000000
                               : draw.chance(8) ? draw.below(sizes[i] + 1)
                                                : sizes[i];
    put(2 + n, i, said, 8);
  }
}

void DrawnArray::spoil(Draw& draw) {
  switch (draw.below(10)) {
    case 0:
      array_.length = one_of(draw, kLengths);
      break;
    case 1:
      array_.offset = one_of(draw, kLengths);
      break;
    case 2:
      array_.null_count = one_of(draw, kCounts);
      break;
    case 3: {
      // More buffers than there are can be seen only where their number is fixed.
      const auto n = one_of(draw, kCounts);
      const bool views = format_.starts_with('v');
      if (!views || n <= 3) array_.n_buffers = n;
      break;
    }
    case 4:
      if (draw.chance(2)) {
        array_.n_children = one_of(draw, kCounts);
      } else {
        // A struct may have any number of children: only its array shows that there are fewer.
        schema_.n_children = format_ == "+s" ? -1 : one_of(draw, kCounts);
      }
      break;
    case 5:
      schema_.format = draw.chance(4) ? nullptr : one_of(draw, kRefused);
      break;
    case 6:
      array_.buffers = nullptr;
      break;
    case 7:
      if (!buffers_.empty()) buffers_[draw.below(buffers_.size())] = nullptr;
      break;
    case 8:
      if (draw.chance(2)) {
        array_.dictionary = nullptr;
      } else {
        schema_.dictionary = nullptr;
      }
      break;
    default:
      if (!children_.empty()) {
        const std::size_t child = draw.below(children_.size());
        if (draw.chance(2)) {
          arrays_[child] = nullptr;
        } else {
          schemas_[child] = nullptr;
        }
      } else if (draw.chance(2)) {
        array_.children = nullptr;
      }
      break;
  }
}

}  // namespace confmat::fuzz
