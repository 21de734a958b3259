// The shared dictionary of pairs: numbers given once, read by all threads, bounded.
#include "confmat/evaluate/pair_dictionary.hpp"

#include <pthread.h>

#include <functional>
#include <random>
#include <string>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "distinct.hpp"

namespace confmat {
namespace {

// What one thread at a time appends to while others read what was there. The room is taken at
// once, so that nothing moves; pages that are not written cost nothing.
template <class T>
class Ledger {
 public:
  static_assert(std::is_trivially_default_constructible_v<T>);

  explicit Ledger(std::size_t room)
      : room_(room), items_(std::make_unique_for_overwrite<T[]>(room)) {}

  [[nodiscard]] std::uint32_t size() const noexcept {
    return size_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool is_full() const noexcept { return size() == room_; }
  [[nodiscard]] const T& operator[](std::uint32_t i) const noexcept { return items_[i]; }
  // Needs: not full.
  std::uint32_t append(const T& item) noexcept {
    const std::uint32_t at = size_.load(std::memory_order_relaxed);
    items_[at] = item;
    size_.store(at + 1, std::memory_order_release);
    return at;
  }

 private:
  std::size_t room_;
  std::unique_ptr<T[]> items_;
  std::atomic<std::uint32_t> size_{0};
};

struct Text {
  const char* data;
  std::size_t length;
};

constexpr std::uint32_t kInts = 0;
constexpr std::uint32_t kTexts = 1;
constexpr std::uint32_t kFirstEnum = 2;

struct Pair {
  std::uint32_t set;  // kInts, kTexts, or an Enum of the edition
  std::uint32_t y_true;
  std::uint32_t y_pred;
  bool operator==(const Pair&) const = default;
};

struct MixedHash {
  std::uint64_t operator()(std::uint64_t key) const noexcept {
    key = (key ^ (key >> 32)) * 0xD6E8FEB86659FD93U;
    return key ^ (key >> 32);
  }
  std::uint64_t operator()(std::int64_t key) const noexcept {
    return (*this)(static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U);
  }
  std::uint64_t operator()(std::string_view key) const noexcept {
    return std::hash<std::string_view>{}(key);
  }
};

struct PairHash {
  std::uint64_t operator()(const Pair& pair) const noexcept {
    const std::uint64_t labels = std::uint64_t{pair.y_true} << 32 | pair.y_pred;
    return MixedHash{}(labels * 0x9E3779B97F4A7C15U + pair.set);
  }
};

// x * inverse_of(x) = 1 modulo 2^32. Needs: x is odd.
std::uint32_t inverse_of(std::uint32_t x) noexcept {
  std::uint32_t inverse = x;  // right in the lowest 3 bits; each step doubles them
  for (int i = 0; i < 4; ++i) inverse *= 2 - x * inverse;
  return inverse;
}

std::atomic<PairDictionary*> of_process{nullptr};

// Another thread may have held the lock when the process was forked: a child leaves it alone.
[[maybe_unused]] const int handlers =
    pthread_atfork(nullptr, nullptr, [] { of_process = nullptr; });

// So that no number of an edition ever comes again, in the child of a fork either.
std::atomic<std::uint64_t> editions_begun{0};

}  // namespace

struct PairEdition {
  PairEdition(std::uint32_t first_number, const PairDictionary::Limits& limits)
      : first(first_number),
        ints(limits.labels),
        texts(limits.labels),
        enums(kMostEnums),
        pairs(limits.pairs) {}

  static constexpr std::size_t kMostEnums = 1024;

  const std::uint32_t first;
  Ledger<std::int64_t> ints;
  Ledger<Text> texts;
  Ledger<const Categories*> enums;
  Ledger<Pair> pairs;

  // For who appends alone.
  Distinct<std::int64_t, MixedHash> int_places;
  Distinct<std::string_view, MixedHash> text_places;
  Distinct<Pair, PairHash> pair_places;
  std::deque<std::string> blobs;
  std::deque<Categories> categories;
  std::size_t bytes = 0;

  [[nodiscard]] bool has_room(const PairDictionary::Limits& limits) const noexcept {
    // A pair brings two labels at most.
    return !pairs.is_full() && ints.size() + 2 <= limits.labels &&
           texts.size() + 2 <= limits.labels && !enums.is_full() && bytes < limits.bytes;
  }

  std::uint32_t set_of(const Categories& wanted) {
    for (std::uint32_t i = 0; i < enums.size(); ++i) {
      if (*enums[i] == wanted) return kFirstEnum + i;
    }
    for (const auto& category : categories.emplace_back(wanted)) bytes += category.size();
    return kFirstEnum + enums.append(&categories.back());
  }

  std::uint32_t place_of(const Pair& pair) {
    const std::uint32_t place = pair_places.index_of(pair);
    return place < pairs.size() ? place : pairs.append(pair);
  }

  std::uint32_t place_of(std::int64_t label, std::uint32_t& fresh) {
    const std::uint32_t place = int_places.index_of(label);
    if (place < ints.size()) return place;
    ++fresh;
    return ints.append(label);
  }
  std::uint32_t place_of(std::string_view label, std::uint32_t& fresh) {
    if (const auto place = text_places.find(label)) return *place;
    const std::string& kept = blobs.emplace_back(label);
    bytes += kept.size();
    ++fresh;
    text_places.index_of(kept);
    return texts.append({kept.data(), kept.size()});
  }
};

PairDictionary::PairDictionary(const Limits& limits) : limits_(limits) {
  std::random_device random;
  key_ = random() | 1U;
  next_ = random() & PairCode::kNumbers;
  begin_edition();
}

PairDictionary& PairDictionary::shared() {
  PairDictionary* now = of_process.load();
  if (now != nullptr) return *now;
  auto fresh = std::make_unique<PairDictionary>();
  if (of_process.compare_exchange_strong(now, fresh.get())) return *fresh.release();
  return *now;
}

void PairDictionary::begin_edition() {
  editions_.push_front(std::make_shared<PairEdition>(next_, limits_));
  next_ = (next_ + limits_.pairs) & PairCode::kNumbers;
  if (editions_.size() > kKept) editions_.pop_back();
  edition_ = ++editions_begun;
}

template <class Label>
PairDictionary::Entry PairDictionary::add_pair(Label y_true, Label y_pred) {
  constexpr bool kText = std::is_same_v<Label, std::string_view>;
  const std::lock_guard lock(mutex_);
  if (!editions_.front()->has_room(limits_)) begin_edition();
  PairEdition& edition = *editions_.front();
  std::uint32_t fresh = 0;
  const std::uint32_t truth = edition.place_of(y_true, fresh);
  const std::uint32_t prediction = edition.place_of(y_pred, fresh);
  const std::uint32_t place = edition.place_of({kText ? kTexts : kInts, truth, prediction});
  return {code_of(edition.first, place), fresh != 0};
}

std::uint32_t PairDictionary::code_of(std::uint32_t first, std::uint32_t place) const noexcept {
  return PairCode::kNumbered | ((first + place) * key_ & PairCode::kNumbers);
}

PairDictionary::Entry PairDictionary::add(std::int64_t y_true, std::int64_t y_pred) {
  return add_pair(y_true, y_pred);
}

PairDictionary::Entry PairDictionary::add(std::string_view y_true, std::string_view y_pred) {
  return add_pair(y_true, y_pred);
}

std::uint32_t PairDictionary::add(const Categories& categories, EnumPlace& place,
                                  std::uint32_t y_true, std::uint32_t y_pred) {
  const std::lock_guard lock(mutex_);
  if (!editions_.front()->has_room(limits_)) begin_edition();
  PairEdition& edition = *editions_.front();
  if (place.edition != edition_) place = {edition_, edition.set_of(categories)};
  return code_of(edition.first, edition.place_of({place.set, y_true, y_pred}));
}

PairReading PairDictionary::reading() const {
  PairReading out;
  out.key_ = key_;
  out.inverse_ = inverse_of(key_);
  ++readings_;
  const std::lock_guard lock(mutex_);
  out.editions_.assign(editions_.begin(), editions_.end());
  out.first_ = editions_.front()->first;
  out.places_ = editions_.front()->pairs.size();
  return out;
}

PairLabels PairReading::labels(std::uint32_t code) const {
  if (code < PairCode::kNull) {
    return {.y_true = PairCode::kLeast + static_cast<std::int64_t>(code / PairCode::kSpan),
            .y_pred = PairCode::kLeast + static_cast<std::int64_t>(code % PairCode::kSpan)};
  }
  const std::uint32_t number = code * inverse_;
  for (const auto& edition : editions_) {
    const std::uint32_t place = (number - edition->first) & PairCode::kNumbers;
    if (code < PairCode::kNumbered || place >= edition->pairs.size()) continue;
    const Pair pair = edition->pairs[place];
    if (pair.set >= kFirstEnum) {
      return {.categories = edition->enums[pair.set - kFirstEnum],
              .y_true = pair.y_true,
              .y_pred = pair.y_pred};
    }
    if (pair.set == kInts) {
      return {.y_true = edition->ints[pair.y_true], .y_pred = edition->ints[pair.y_pred]};
    }
    const auto text = [&](std::uint32_t at) {
      return std::string_view(edition->texts[at].data, edition->texts[at].length);
    };
    return {.is_text = true, .true_text = text(pair.y_true), .pred_text = text(pair.y_pred)};
  }
  throw InputError(
      "the labels of some rows are not known here: they were read by another process, or by a "
      "query that met millions of pairs of labels. Give labels=");
}

}  // namespace confmat
