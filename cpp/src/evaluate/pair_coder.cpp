#include "confmat/evaluate/pair_coder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/encode.hpp"
#include "distinct.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kStep = 1024;

// The classes of one column, block by block; one row stands for all where the other has more.
class Side {
 public:
  explicit Side(const char* argument) : reader_(argument, scratch_) {}
  // The reader holds the address of the scratch memory.
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void start(const Column& column, const ClassSet& set, std::int64_t first_row) {
    column_ = &column;
    reader_.start(column, set, first_row);
  }
  // Whether one of the classes is "other".
  bool read(std::int64_t at, std::size_t n, bool wide) {
    if (column_->length != 1) return reader_.read(at, n, wide, classes);
    const bool other = reader_.read(0, 1, wide, classes);
    if (wide) {
      std::fill_n(classes, n, classes[0]);
    } else {
      auto* narrow = reinterpret_cast<std::uint8_t*>(classes);
      std::fill_n(narrow, n, *narrow);
    }
    return other;
  }
  [[nodiscard]] bool has_null(std::int64_t at, std::size_t n) const noexcept {
    const bool one = column_->length == 1;
    return column_->type == DType::kNull || any_null(*column_, one ? 0 : at, one ? 1 : n);
  }
  [[nodiscard]] std::uint32_t class_at(std::size_t i, bool wide) const noexcept {
    return wide ? classes[i] : reinterpret_cast<const std::uint8_t*>(classes)[i];
  }
  // Adds the labels of the block that the set lacks; false where it has no room for all.
  bool learn(std::int64_t at, std::size_t n, ClassSet& set) {
    const bool one = column_->length == 1;
    for (std::size_t i = 0; i < (one ? 1 : n); ++i) {
      if (class_at(i, set.wide()) != set.other()) continue;
      const std::int64_t row = one ? 0 : at + static_cast<std::int64_t>(i);
      if (set.form == ClassSet::Form::kTexts) {
        const std::string_view label = reader_.text_label(row);
        if (set.texts.find(label) != TextSet::kAbsent) continue;
        if (set.texts.size() == set.classes) return false;
        set.texts.add(label);
      } else {
        const std::int64_t label = reader_.int_label(row);
        if (set.ints.find(label) != IntSet::kAbsent) continue;
        if (set.ints.size() == set.classes) return false;
        set.ints.add(label);
      }
    }
    return true;
  }

  alignas(64) std::uint16_t classes[kStep];  // 8 or 16 bits

 private:
  Scratch scratch_;
  ClassReader reader_;
  const Column* column_ = nullptr;
};

struct LocalHash {
  std::uint64_t operator()(std::uint32_t code) const noexcept {
    return (std::uint64_t{code} * 0x9E3779B97F4A7C15U) >> 32;
  }
};

// The labels of one kind that a thread has met, and the codes of their pairs.
class Learned {
 public:
  explicit Learned(ClassSet::Form form) : form_(form) {}

  ClassSet set;

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
    set = fixed_classes({.kind = Labels::Kind::kText, .ints = {}, .texts = categories});
    clear_codes();
  }

  // codes[i] = that of the pair of the i-th classes, or kNone. Says whether one of them is.
  bool find(const Side& truth, const Side& prediction, std::size_t n, std::uint32_t* codes) {
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
    if (std::max(truth, prediction) > set.classes) return PairCode::kNull;
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
  static constexpr std::array<std::uint32_t, 4> kRooms{14, 254, 2046, 16382};
  static constexpr std::uint32_t kMostInTable = 2046;
  static constexpr std::size_t kMostFar = std::size_t{1} << 21;

  void make_room(std::size_t room) {
    room_ = room;
    set.classes = kRooms[room];
    clear_codes();
  }

  void clear_codes() {
    places_.clear();
    far_.clear();
    table_.clear();
    if (set.classes > kMostInTable) return;
    const std::size_t side = set.classes + 2;
    table_.assign(side * side, PairCode::kNone);
    for (std::size_t i = 0; i < side; ++i) {
      table_[i * side + set.null()] = table_[set.null() * side + i] = PairCode::kNull;
    }
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
  Distinct<std::uint32_t, LocalHash> places_;
  std::vector<std::uint32_t> far_;
  alignas(64) std::uint32_t local_[kStep];
};

// How many rows two columns of such labels have. Throws InputError for others, and for unequal
// lengths.
std::int64_t common_rows(const Column& y_true, const Column& y_pred, Labels::Kind kind) {
  require_kind({&y_true, 1}, "y_true", kind);
  require_kind({&y_pred, 1}, "y_pred", kind);
  if (y_true.length != 1 && y_pred.length != 1) {
    require_equal_lengths(y_true.length, "y_true", y_pred.length, "y_pred");
  }
  return y_true.length == 1 ? y_pred.length : y_true.length;
}

ClassSet window() {
  ClassSet set;
  set.classes = set.span = PairCode::kSpan;
  set.base = PairCode::kLeast;
  return set;
}

}  // namespace

struct PairCoder::Impl {
  explicit Impl(PairDictionary& all) : dictionary(&all) {}

  PairDictionary* dictionary;
  const ClassSet near = window();
  Side truth{"y_true"};
  Side prediction{"y_pred"};
  Learned ints{ClassSet::Form::kInts};
  Learned texts{ClassSet::Form::kTexts};
  Learned categories{ClassSet::Form::kTexts};

  // Of small integers; where another label comes, its row.
  std::int64_t encode_near(std::int64_t rows, std::uint32_t* codes) {
    for (std::int64_t row = 0; row < rows; row += kStep) {
      const auto n = static_cast<std::size_t>(std::min(kStep, rows - row));
      bool other = truth.read(row, n, true);
      other |= prediction.read(row, n, true);
      if (other) return row;
      kernels().combine32(truth.classes, prediction.classes, n, PairCode::kSpan, codes + row);
      if (!truth.has_null(row, n) && !prediction.has_null(row, n)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        if (std::max(truth.classes[i], prediction.classes[i]) < PairCode::kSpan) continue;
        codes[row + static_cast<std::int64_t>(i)] = PairCode::kNull;
      }
    }
    return rows;
  }

  void encode_learned(const Column& y_true, const Column& y_pred, std::int64_t first_row,
                      std::int64_t row, std::int64_t rows, Learned& learned, std::uint32_t* codes) {
    const auto start = [&] {
      truth.start(y_true, learned.set, first_row);
      prediction.start(y_pred, learned.set, first_row);
    };
    start();
    for (; row < rows; row += kStep) {
      const auto n = static_cast<std::size_t>(std::min(kStep, rows - row));
      const auto other = [&] {
        const bool wide = learned.set.wide();
        const bool in_truth = truth.read(row, n, wide);
        return prediction.read(row, n, wide) || in_truth;
      };
      while (other()) {
        if (!learned.set.grows) throw InputError("a label that is no category of its Enum");
        if (truth.learn(row, n, learned.set) && prediction.learn(row, n, learned.set)) continue;
        learned.enlarge();
        start();
      }
      dictionary->note_rows(static_cast<std::int64_t>(n));
      if (!learned.find(truth, prediction, n, codes + row)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t& code = codes[row + static_cast<std::int64_t>(i)];
        if (code == PairCode::kNone) code = settle(learned, i);
      }
    }
  }

  // The code of a row of the block; the dictionary is asked unless a row before had the pair.
  std::uint32_t settle(Learned& learned, std::size_t i) {
    const bool wide = learned.set.wide();
    const std::uint32_t t = truth.class_at(i, wide);
    const std::uint32_t p = prediction.class_at(i, wide);
    std::uint32_t code = learned.code_of(t, p);
    if (code != PairCode::kNone) return code;
    if (!learned.set.grows) {
      code = dictionary->add(learned.set.texts.texts(), t, p);
    } else if (learned.set.form == ClassSet::Form::kTexts) {
      const auto& labels = learned.set.texts.texts();
      code = dictionary->add(std::string_view(labels[t]), std::string_view(labels[p]));
    } else {
      const auto& labels = learned.set.ints.values();
      code = dictionary->add(labels[t], labels[p]);
    }
    learned.keep(t, p, code);
    return code;
  }
};

PairCoder::PairCoder(PairDictionary& dictionary) : impl_(std::make_unique<Impl>(dictionary)) {}
PairCoder::~PairCoder() = default;
PairCoder::PairCoder(PairCoder&&) noexcept = default;
PairCoder& PairCoder::operator=(PairCoder&&) noexcept = default;

PairCoder& PairCoder::own() {
  thread_local std::optional<PairCoder> coder;
  PairDictionary& dictionary = PairDictionary::shared();
  if (!coder || coder->impl_->dictionary != &dictionary) coder.emplace(dictionary);
  return *coder;
}

void PairCoder::encode(const Column& y_true, const Column& y_pred, std::int64_t first_row,
                       std::uint32_t* codes) {
  const bool text = is_text(y_true.type) || is_text(y_pred.type);
  const std::int64_t rows =
      common_rows(y_true, y_pred, text ? Labels::Kind::kText : Labels::Kind::kInt);
  if (rows == 0) return;
  Impl& all = *impl_;
  std::int64_t row = 0;
  if (!text) {
    all.truth.start(y_true, all.near, first_row);
    all.prediction.start(y_pred, all.near, first_row);
    row = all.encode_near(rows, codes);
  }
  if (row == rows) return;
  Learned& learned = text ? all.texts : all.ints;
  learned.follow(all.dictionary->edition());
  all.encode_learned(y_true, y_pred, first_row, row, rows, learned, codes);
}

void PairCoder::encode(const Column& y_true, const Column& y_pred, std::int64_t first_row,
                       const Categories& categories, std::uint32_t* codes) {
  const std::int64_t rows = common_rows(y_true, y_pred, Labels::Kind::kText);
  impl_->categories.follow(categories, impl_->dictionary->edition());
  impl_->encode_learned(y_true, y_pred, first_row, 0, rows, impl_->categories, codes);
}

}  // namespace confmat
