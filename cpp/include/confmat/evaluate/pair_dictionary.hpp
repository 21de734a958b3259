// Codes of 32 bits for pairs of labels that nobody has named, as they travel through a plan:
//   00 t(15) p(15)  integers from -16,384 to 16,383, truth above prediction;
//   01 0...         a row with a null;
//   1  n(31)        the number of a pair in the dictionary below, scrambled.
// The dictionary is one for the process, so that any query can read what any other has written:
// the numbers depend on the order in which pairs are met, what is read from them does not.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace confmat {

struct PairCode {
  static constexpr std::uint32_t kNull = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kNone = kNull + 1;  // no row has it
  static constexpr std::uint32_t kNumbered = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kNumbers = kNumbered - 1;  // their bits
  static constexpr std::int64_t kLeast = -16384;
  static constexpr std::uint32_t kSpan = 32768;  // integers from kLeast on
};

// The categories of an Enum, in order.
using Categories = std::vector<std::string>;

// Where the dictionary keeps the categories of an Enum: who asks again is sooner answered.
struct EnumPlace {
  std::uint64_t edition = 0;
  std::uint32_t set = 0;
};

// A pair behind a code. What it points to lives as long as the PairReading that gave it.
struct PairLabels {
  const Categories* categories = nullptr;  // of an Enum: the labels are positions among them
  bool is_text = false;
  std::int64_t y_true = 0;
  std::int64_t y_pred = 0;
  std::string_view true_text{};
  std::string_view pred_text{};
};

struct PairEdition;

// The pairs of the dictionary that were there when it was made.
class PairReading {
 public:
  // Throws InputError for a code that this process has not given, or that is forgotten.
  [[nodiscard]] PairLabels labels(std::uint32_t code) const;

  // The place of a numbered code among the pairs of the newest edition; `places()` and more: it is
  // not one of them.
  [[nodiscard]] std::uint32_t place(std::uint32_t code) const noexcept {
    return (code * inverse_ - first_) & PairCode::kNumbers;
  }
  [[nodiscard]] std::uint32_t places() const noexcept { return places_; }
  [[nodiscard]] std::uint32_t code_at(std::uint32_t place) const noexcept {
    return PairCode::kNumbered | ((first_ + place) * key_ & PairCode::kNumbers);
  }

 private:
  friend class PairDictionary;

  std::vector<std::shared_ptr<const PairEdition>> editions_;  // the newest first
  std::uint32_t key_ = 1;
  std::uint32_t inverse_ = 1;
  std::uint32_t first_ = 0;
  std::uint32_t places_ = 0;
};

// Bounded: when an edition is full a new one begins, and the oldest of three is forgotten. Codes of
// forgotten editions and of other processes are refused: numbers begin anywhere, and are multiplied
// by a random odd factor, so that n pairs pass for known ones n times out of 2^31, for each code.
class PairDictionary {
 public:
  // How much an edition holds; small ones are for tests.
  struct Limits {
    std::uint32_t pairs = std::uint32_t{1} << 21;
    std::uint32_t labels = std::uint32_t{1} << 19;
    std::size_t bytes = std::size_t{1} << 25;
  };
  static constexpr std::size_t kKept = 3;

  PairDictionary() : PairDictionary(Limits()) {}
  explicit PairDictionary(const Limits& limits);

  // That of this process: a fork begins with an empty one.
  static PairDictionary& shared();

  struct Entry {
    std::uint32_t code;
    bool is_fresh;  // a label of it was not there
  };
  // The numbered code of a pair.
  Entry add(std::int64_t y_true, std::int64_t y_pred);
  Entry add(std::string_view y_true, std::string_view y_pred);
  // Of an Enum: positions among its categories. Needs: `place` is new, or was given for the same
  // categories before.
  std::uint32_t add(const Categories& categories, EnumPlace& place, std::uint32_t y_true,
                    std::uint32_t y_pred);

  // The number of the newest edition. Codes that were kept before it changed may be forgotten.
  [[nodiscard]] std::uint64_t edition() const noexcept { return edition_.load(); }

  [[nodiscard]] PairReading reading() const;
  // How often that was asked for: between two of them lies the end of some query.
  [[nodiscard]] std::uint64_t readings() const noexcept { return readings_.load(); }

 private:
  template <class Label>
  Entry add_pair(Label y_true, Label y_pred);
  [[nodiscard]] std::uint32_t code_of(std::uint32_t first, std::uint32_t place) const noexcept;
  void begin_edition();

  const Limits limits_;
  std::uint32_t key_;
  std::uint32_t next_;  // number of the first pair of the next edition
  std::atomic<std::uint64_t> edition_;
  mutable std::atomic<std::uint64_t> readings_{0};
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<PairEdition>> editions_;  // the newest first
};

}  // namespace confmat
