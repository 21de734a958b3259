// Classes of text columns, in any of the three layouts, and of dictionary keys into such texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "confmat/batch/class_set.hpp"
#include "confmat/batch/column.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/place.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/tally/text_keys.hpp"

namespace confmat {

// The text of a row with its offsets checked against the end of the text buffer, and its length
// against the limit. Throws InputError naming the row.
class TextSource {
 public:
  struct Text {
    const char* data;
    std::size_t length;
    std::uint64_t head;
  };

  TextSource() = default;
  TextSource(const Column& texts, const Place& place) noexcept;

  // Needs: row i is not null.
  [[nodiscard]] Text operator[](std::int64_t i) const;
  // Reads within the column, whatever lies there.
  template <TextLayout kLayout>
  [[nodiscard]] TextKey key(std::int64_t i) const noexcept;
  // Offset layouts: what may be read of texts.
  [[nodiscard]] TextBytes bytes() const noexcept {
    return {texts_->bytes, texts_->bytes == nullptr ? 0 : end_};
  }
  // What key() reads of a row.
  template <TextLayout kLayout>
  [[nodiscard]] const std::byte* row_at(std::int64_t i) const noexcept;
  // No text of n rows is longer: below 8 and 16 their keys are short_key() of 1 and 2 words.
  template <class Offset>
  [[nodiscard]] std::uint64_t longest(std::int64_t at, std::size_t n) const noexcept;
  template <class Offset, int kWords>
  [[nodiscard]] TextKey short_key(std::int64_t i) const noexcept;
  template <TextLayout kLayout>
  [[nodiscard]] Text at(std::int64_t i) const;
  // The same of a row further on, and where a text lies that is further on: to be
  // prefetched before it is needed. Hardware that does so of its own accord stops at the end of
  // each page, and a page holds 256 views. Null: nothing. Addresses, because a function that does
  // nothing but prefetch is dropped by compilers.
  template <TextLayout kLayout>
  [[nodiscard]] const void* early_key(std::int64_t i) const noexcept;
  template <TextLayout kLayout>
  [[nodiscard]] const void* early_text(std::int64_t i) const noexcept;
  // As operator[], for a text that people are to read: one that is not UTF-8 is an error, too.
  [[nodiscard]] std::string_view label(std::int64_t i) const;

  [[nodiscard]] const Column& column() const noexcept { return *texts_; }

 private:
  template <class Offset>
  [[nodiscard]] Text slice(std::int64_t i) const;
  [[nodiscard]] Text view(std::int64_t i) const;
  template <class Offset>
  [[nodiscard]] TextKey sliced_key(std::int64_t i) const noexcept;
  template <class Offset>
  [[nodiscard]] const void* early_slice(std::int64_t i) const noexcept;
  [[noreturn]] void fail(std::int64_t i, std::int64_t length) const;

  const Column* texts_ = nullptr;
  Place place_;
  std::int64_t end_ = 0;  // offset layouts: bytes beyond are never read
};

class TextReader {
 public:
  void start(const Column& chunk, const ClassSet& set, const Place& place);

  // As ClassReader::read, but null rows hold any class.
  void read(std::int64_t at, std::size_t n, ClassWidth width, void* classes);

  // Needs: row `at` is not null.
  [[nodiscard]] std::string_view label(std::int64_t at) const;

 private:
  static constexpr std::int64_t kRest = 31, kNever = INT64_MAX / 2;

  template <TextLayout kLayout, class Class>
  void fill(std::int64_t at, std::size_t n, Class* classes);

  const ClassSet* set_ = nullptr;
  TextSource texts_;
  TextKeys keys_;
  // Steps of rows that are searched for without a look at the keys: where rows are few, or where
  // each long text lies in a place of its own.
  std::int64_t rest_ = 0;
  Kernels::FindTexts find_few_ = nullptr;
  bool learned_ = true;  // a key in the last step
};

// The key of a row of a dictionary column. Throws InputError: the dictionary has no such entry.
std::int64_t dictionary_key(const Column& column, std::int64_t at, const Place& place);

class KeyReader {
 public:
  explicit KeyReader(Scratch& scratch) noexcept : scratch_(scratch), kernels_(kernels()) {}

  void start(const Column& chunk, const ClassSet& set, const Place& place);

  // As ClassReader::read: null rows get the null class. Throws InputError for a key beyond the
  // dictionary.
  void read(std::int64_t at, std::size_t n, ClassWidth width, void* classes);

  // Needs: row `at` is not null.
  [[nodiscard]] std::string_view label(std::int64_t at) const;

 private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;  // no class, whatever the width

  // Whether some keys have no class yet.
  template <class Class>
  bool translate(const Run& keys, std::size_t n, Class* classes) const;
  template <class Class>
  void fill(std::int64_t at, std::size_t n, Class* classes);
  std::uint32_t class_of(std::int64_t at);
  void keep(std::int64_t entry, std::uint32_t found);

  Scratch& scratch_;
  const Kernels& kernels_;
  const Column* chunk_ = nullptr;
  const ClassSet* set_ = nullptr;
  Place place_;
  TextSource texts_;
  std::vector<std::uint32_t> class_of_key_;  // one an entry, and kUnseen for keys beyond
  // The entries met so far lie close together in most columns, however many there are. Where they
  // fit bytes, as their classes do, the same in bytes, of those from `low_` to `high_`:
  bool close_ = false;
  std::int64_t low_ = 0;
  std::int64_t high_ = -1;
  std::array<std::uint8_t, 256> byte_of_key_{};
  Window window_;
};

}  // namespace confmat
