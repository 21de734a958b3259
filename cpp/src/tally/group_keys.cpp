// Numbers the values of each key, and the tuples of several.
#include "confmat/tally/group_keys.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/tally/discovery.hpp"
#include "confmat/tally/int_reader.hpp"

namespace confmat {
namespace {

constexpr const char* kArgument = "by";
// Of more texts the tables are so large that sorting rows into groups is faster.
constexpr std::int64_t kMostTexts = std::int64_t{1} << 14;

bool is_number(const Column& column) noexcept {
  return is_int(column.type) || is_bool(column.type) || column.type == DType::kNull;
}

bool has_texts(const Column& column) noexcept {
  return column.type == DType::kText || column.type == DType::kDictionary ||
         column.type == DType::kNull;
}

Extremes range_of(Chunks column, std::int64_t rows, int threads) {
  std::vector<Extremes> ranges(static_cast<std::size_t>(threads));
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    Scratch scratch;
    IntReader reader(scratch);
    const ClassSet none;
    Extremes seen;
    Cursor cursor(column, first);
    for (std::int64_t row = first; row < last;) {
      const auto n = std::min({static_cast<std::int64_t>(kBlock), last - row, cursor.left()});
      if (cursor.chunk().type != DType::kNull) {
        reader.start(cursor.chunk(), none, {kArgument, row - cursor.at()});
        reader.widen(cursor.at(), static_cast<std::size_t>(n), seen);
      }
      cursor.advance(n);
      row += n;
    }
    ranges[static_cast<std::size_t>(part)] = seen;
  });
  Extremes all;
  for (const Extremes& range : ranges) {
    all.low = std::min(all.low, range.low);
    all.high = std::max(all.high, range.high);
  }
  return all;
}

// The texts of some rows; false if there are more than kMostTexts.
bool collect_texts(Chunks column, std::int64_t first, std::int64_t last, Discovery& found) {
  Scratch scratch;
  ClassReader reader(kArgument, scratch);
  Cursor cursor(column, first);
  const Column* chunk = nullptr;
  std::vector<std::uint16_t> classes(kBlock);
  for (std::int64_t row = first; row < last;) {
    const auto start = [&] {
      chunk = &cursor.chunk();
      reader.start(*chunk, found.set(), row - cursor.at());
    };
    if (chunk != &cursor.chunk()) start();
    const auto n = std::min({static_cast<std::int64_t>(kBlock), last - row, cursor.left()});
    while (reader.read(cursor.at(), static_cast<std::size_t>(n), kClass16, classes.data())) {
      bool room = true;
      for (std::int64_t i = 0; i < n && room; ++i) {
        if (classes[static_cast<std::size_t>(i)] != found.set().other()) continue;
        room = found.add(reader.text_label(cursor.at() + i));
      }
      if (room) continue;
      if (!found.enlarge()) return false;
      start();
    }
    cursor.advance(n);
    row += n;
  }
  return true;
}

std::optional<GroupKey> text_key(Chunks column, std::int64_t rows, int threads) {
  std::vector<std::set<std::string>> parts(static_cast<std::size_t>(threads));
  std::vector<char> fit(static_cast<std::size_t>(threads), 1);
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    const auto at = static_cast<std::size_t>(part);
    Discovery found(Labels::Kind::kText, last - first, kMostTexts);
    fit[at] = collect_texts(column, first, last, found) ? 1 : 0;
    const auto& texts = found.set().texts.texts();
    parts[at].insert(texts.begin(), texts.end());
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0].merge(parts[i]);
  const bool all_fit = std::ranges::all_of(fit, [](char one) { return one != 0; });
  if (!all_fit || std::ssize(parts[0]) > kMostTexts) return std::nullopt;
  GroupKey key;
  key.values = column;
  key.texts.assign(parts[0].begin(), parts[0].end());
  key.size = static_cast<std::uint32_t>(key.texts.size());
  Labels labels;
  labels.kind = Labels::Kind::kText;
  labels.texts = key.texts;
  key.set = fixed_classes(labels);
  return key;
}

}  // namespace

std::optional<GroupKey> group_key(Chunks column, int threads) {
  const std::int64_t rows = total_length(column);
  const int used = thread_count(threads, rows);
  if (std::ranges::all_of(column, is_number)) {
    const Extremes range = range_of(column, rows, used);
    GroupKey key;
    key.values = column;
    if (range.low > range.high) return key;
    const std::uint64_t last =
        static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    // Unsigned values beyond 2^63 - 1 have no place in a window.
    if (last >= (std::uint64_t{1} << 31U) || range.high == INT64_MAX) return std::nullopt;
    key.base = range.low;
    key.size = static_cast<std::uint32_t>(last + 1);
    return key;
  }
  if (!std::ranges::all_of(column, has_texts)) return std::nullopt;
  try {
    return text_key(column, rows, used);
  } catch (const InputError&) {
    return std::nullopt;  // whatever is wrong with them, as labels they are
  }
}

bool can_read(const GroupKey& key, Chunks column) noexcept {
  return key.set ? std::ranges::all_of(column, has_texts) : std::ranges::all_of(column, is_number);
}

GroupKeyReader::GroupKeyReader(const GroupKey& key, std::int64_t row, Scratch& scratch)
    : key_(key),
      set_(key.set ? &*key.set : nullptr),
      scratch_(scratch),
      cursor_(key.values, row),
      texts_(kArgument, scratch) {
  if (set_ != nullptr) classes_.resize(kBlock);
}

void GroupKeyReader::read(std::size_t n, std::uint32_t* numbers) {
  const Column& column = cursor_.chunk();
  if (column.type == DType::kNull) {
    std::fill_n(numbers, n, key_.null());
  } else if (set_ != nullptr) {
    read_texts(column, n, numbers);
  } else {
    read_ints(column, n, numbers);
  }
}

void GroupKeyReader::read_ints(const Column& column, std::size_t n, std::uint32_t* numbers) {
  Window window;
  if (window_of(column.type, key_.base, key_.size, key_.outside(), window)) {
    const Run run = gather(column, cursor_.at(), n, scratch_);
    loops_.classify[kClass32][static_cast<std::size_t>(run.type)](run.values, n, window, numbers);
  } else {
    std::fill_n(numbers, n, key_.outside());
  }
  if (any_null(column, cursor_.at(), n)) {
    loops_.mask_nulls[kClass32](column.validity, column.validity_offset + cursor_.at(), n,
                                key_.null(), numbers);
  }
}

void GroupKeyReader::read_texts(const Column& column, std::size_t n, std::uint32_t* numbers) {
  if (chunk_ != &column) {
    chunk_ = &column;
    texts_.start(column, *set_, 0);
  }
  texts_.read(cursor_.at(), n, kClass16, classes_.data());
  std::copy_n(classes_.data(), n, numbers);
}

}  // namespace confmat
