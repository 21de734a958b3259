// The labels of one kind that a thread has met, and the codes of their pairs. Those of an Enum do
// not grow; its rows with a null have a numbered code, too, that tells of its categories.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "confmat/evaluate/pair_dictionary.hpp"
#include "confmat/tally/encode.hpp"
#include "confmat/tally/pair_side.hpp"
#include "distinct.hpp"

namespace confmat {

struct LocalPairHash {
  std::uint64_t operator()(std::uint32_t code) const noexcept {
    return (std::uint64_t{code} * 0x9E3779B97F4A7C15U) >> 32;
  }
};

class LearnedPairs {
 public:
  explicit LearnedPairs(ClassSet::Form form) : form_(form) {}

  ClassSet set;
  EnumPlace of_enum;

  void forget() {
    set = ClassSet();
    set.form = form_;
    set.grows = true;
    make_room(0);
  }
  // Of an older edition, codes may be forgotten; and a thread keeps few long texts.
  void follow(std::uint64_t edition) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::size_t bytes = 0;
    for (const std::string& text : set.texts.texts()) bytes += text.size();
    if (edition == edition_ && bytes <= kMostBytes) return;
    forget();
    edition_ = edition;
  }
  // For labels that find no room: once all rooms are full, what was met is forgotten.
  void enlarge() {
    if (room_ + 1 < kRooms.size()) {
      make_room(room_ + 1);
    } else {
      forget();
    }
  }

  // Begins with these categories, unless they are the ones it has.
  void follow(const Categories& categories, std::uint64_t edition) {
    if (edition == edition_ && categories == set.texts.texts()) return;
    edition_ = edition;
    of_enum = {};
    set = fixed_classes({.kind = Labels::Kind::kText, .ints = {}, .texts = categories},
                        kMostClasses, "y_true");
    clear_codes();
  }

  // codes[i] = that of the pair of the i-th classes, or kNone. Says whether one of them is.
  bool find(const PairSide& truth, const PairSide& prediction, std::size_t n,
            std::uint32_t* codes) {
    const std::uint32_t side = set.classes + 2;
    switch (code_width(set.classes)) {
      case CodeWidth::k8:
        loops_.combine8(truth.classes, prediction.classes, n, side, local_);
        return look_up(reinterpret_cast<const std::uint8_t*>(local_), n, codes);
      case CodeWidth::k16:
        loops_.combine16(truth.classes, prediction.classes, n, side, local_);
        return look_up(reinterpret_cast<const std::uint16_t*>(local_), n, codes);
      default:
        break;
    }
    loops_.combine32(truth.classes, prediction.classes, n, side, local_);
    if (!table_.empty()) return look_up(local_, n, codes);
    bool none = false;
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = code_of(truth.classes[i], prediction.classes[i]);
      none |= codes[i] == PairCode::kNone;
    }
    return none;
  }
  // kNone: nobody has asked for it.
  [[nodiscard]] std::uint32_t code_of(std::uint32_t truth, std::uint32_t prediction) const {
    const std::uint32_t local = truth * (set.classes + 2) + prediction;
    if (!table_.empty()) return table_[local];
    if (set.grows && std::max(truth, prediction) > set.classes) return PairCode::kNull;
    const auto place = places_.find(local);
    return place ? far_[*place] : PairCode::kNone;
  }
  // Needs: code_of() has none.
  void keep(std::uint32_t truth, std::uint32_t prediction, std::uint32_t code) {
    const std::uint32_t local = truth * (set.classes + 2) + prediction;
    if (!table_.empty()) {
      table_[local] = code;
      return;
    }
    if (far_.size() == kMostFar) {
      places_.clear();
      far_.clear();
    }
    places_.index_of(local);
    far_.push_back(code);
  }

 private:
  // Room for classes that are met one by one: codes of 8, 16 and 32 bits, and no table.
  static constexpr std::array<std::uint32_t, 4> kRooms{14, 254, 1022, 16382};
  static constexpr std::uint32_t kMostInTable = 1022;  // of 4 MiB
  static constexpr std::size_t kMostFar = std::size_t{1} << 21;

  void make_room(std::size_t room) {
    room_ = room;
    set.classes = kRooms[room];
    clear_codes();
  }

  void clear_codes() {
    const std::uint64_t edition = std::exchange(edition_, 0);  // should there be no memory
    places_.clear();
    far_.clear();
    table_.clear();
    if (set.classes <= kMostInTable) {
      const std::size_t side = set.classes + 2;
      table_.assign(side * side, PairCode::kNone);
      for (std::size_t i = 0; i < side && set.grows; ++i) {
        table_[i * side + set.null()] = table_[set.null() * side + i] = PairCode::kNull;
      }
    }
    edition_ = edition;
  }

  template <class Local>
  bool look_up(const Local* local, std::size_t n, std::uint32_t* codes) const noexcept {
    std::uint32_t none = 0;
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = table_[local[i]];
      none |= static_cast<std::uint32_t>(codes[i] == PairCode::kNone);
    }
    return none != 0;
  }

  ClassSet::Form form_;
  const Kernels& loops_ = kernels();
  std::uint64_t edition_ = 0;
  std::size_t room_ = 0;
  std::vector<std::uint32_t> table_;  // by local pair: truth * (classes + 2) + prediction
  Distinct<std::uint32_t, LocalPairHash> places_;
  std::vector<std::uint32_t> far_;
  alignas(64) std::uint32_t local_[kPairStep];
};

}  // namespace confmat
