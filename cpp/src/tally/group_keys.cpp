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

// The texts of some rows; false if there are more than kMostListed.
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
    Discovery found(Labels::Kind::kText, last - first, kMostListed);
    fit[at] = collect_texts(column, first, last, found) ? 1 : 0;
    const auto& texts = found.set().texts.texts();
    parts[at].insert(texts.begin(), texts.end());
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0].merge(parts[i]);
  const bool all_fit = std::ranges::all_of(fit, [](char one) { return one != 0; });
  if (!all_fit || std::ssize(parts[0]) > kMostListed) return std::nullopt;
  Labels values;
  values.kind = Labels::Kind::kText;
  values.texts.assign(parts[0].begin(), parts[0].end());
  return listed_key(column, std::move(values));
}

// The integers of some rows; false if there are more than kMostListed.
bool collect_ints(Chunks column, std::int64_t first, std::int64_t last, ClassSet& found) {
  Scratch scratch;
  ClassReader reader(kArgument, scratch);
  Cursor cursor(column, first);
  const Column* chunk = nullptr;
  std::vector<std::uint16_t> classes(kBlock);
  for (std::int64_t row = first; row < last;) {
    if (chunk != &cursor.chunk()) {
      chunk = &cursor.chunk();
      reader.start(*chunk, found, row - cursor.at());
    }
    const auto n = std::min({static_cast<std::int64_t>(kBlock), last - row, cursor.left()});
    if (reader.read(cursor.at(), static_cast<std::size_t>(n), kClass16, classes.data())) {
      for (std::int64_t i = 0; i < n; ++i) {
        if (classes[static_cast<std::size_t>(i)] != found.other()) continue;
        if (found.ints.size() == found.classes) return false;
        found.ints.add(reader.int_label(cursor.at() + i));
      }
    }
    cursor.advance(n);
    row += n;
  }
  return true;
}

// nullopt: there are more than kMostListed.
std::optional<GroupKey> listed_ints(Chunks column, std::int64_t rows, int threads) {
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(threads));
  std::vector<char> fit(static_cast<std::size_t>(threads), 1);
  over_ranges(threads, rows, [&](int part, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    const auto at = static_cast<std::size_t>(part);
    ClassSet found;
    found.form = ClassSet::Form::kInts;
    found.classes = static_cast<std::uint32_t>(kMostListed);
    fit[at] = collect_ints(column, first, last, found) ? 1 : 0;
    parts[at] = found.ints.values();
  });
  if (!std::ranges::all_of(fit, [](char one) { return one != 0; })) return std::nullopt;
  Labels values;
  for (const auto& part : parts) values.ints.insert(values.ints.end(), part.begin(), part.end());
  std::ranges::sort(values.ints);
  values.ints.erase(std::ranges::unique(values.ints).begin(), values.ints.end());
  if (values.size() > kMostListed) return std::nullopt;
  return listed_key(column, std::move(values));
}

}  // namespace

GroupKey listed_key(Chunks column, Labels&& values) {
  GroupKey key;
  key.values = column;
  key.size = static_cast<std::uint32_t>(values.size());
  key.set = fixed_classes(values);
  key.listed = std::move(values);
  return key;
}

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
    if (range.high == INT64_MAX) return std::nullopt;  // or unsigned values beyond
    if (last >= static_cast<std::uint64_t>(kAlwaysWindow)) {
      if (auto listed = listed_ints(column, rows, used)) return listed;
      if (last >= (std::uint64_t{1} << 31U)) return std::nullopt;
    }
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
  const bool are_texts = key.set && key.listed.kind == Labels::Kind::kText;
  return std::ranges::all_of(column, are_texts ? has_texts : is_number);
}

GroupKeyReader::GroupKeyReader(const GroupKey& key, std::int64_t row, Scratch& scratch)
    : key_(key),
      set_(key.set ? &*key.set : nullptr),
      scratch_(scratch),
      cursor_(key.values, row),
      listed_(kArgument, scratch) {
  if (set_ != nullptr) classes_.resize(kBlock);
}

void GroupKeyReader::read(std::size_t n, std::uint32_t* numbers) {
  const Column& column = cursor_.chunk();
  if (column.type == DType::kNull) {
    std::fill_n(numbers, n, key_.null());
  } else if (set_ != nullptr) {
    read_listed(column, n, numbers);
  } else {
    read_window(column, n, numbers);
  }
}

void GroupKeyReader::read_window(const Column& column, std::size_t n, std::uint32_t* numbers) {
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

void GroupKeyReader::read_listed(const Column& column, std::size_t n, std::uint32_t* numbers) {
  if (chunk_ != &column) {
    chunk_ = &column;
    listed_.start(column, *set_, 0);
  }
  listed_.read(cursor_.at(), n, kClass16, classes_.data());
  std::copy_n(classes_.data(), n, numbers);
}

}  // namespace confmat
