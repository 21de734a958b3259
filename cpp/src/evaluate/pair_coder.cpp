// Codes of the pairs of a run: integers at once, others by what the thread has met.
#include "confmat/evaluate/pair_coder.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "confmat/base/error.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/discovery.hpp"
#include "confmat/tally/pair_side.hpp"
#include "learned_pairs.hpp"

namespace confmat {
namespace {

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

  PairSide truth{"y_true"};
  PairSide prediction{"y_pred"};
  LearnedPairs ints{ClassSet::Form::kInts};
  LearnedPairs texts{ClassSet::Form::kTexts};
  LearnedPairs categories{ClassSet::Form::kTexts};
  PairDictionary* dictionary;
  // What refuse_flood() goes by.
  std::int64_t rows_read = 0;
  std::int64_t fresh_rows = 0;
  std::uint64_t readings = 0;
  const ClassSet near = window();

  // Of small integers; where another label comes, its row.
  std::int64_t encode_near(std::int64_t rows, std::uint32_t* codes) {
    for (std::int64_t row = 0; row < rows; row += kPairStep) {
      const auto n = static_cast<std::size_t>(std::min(kPairStep, rows - row));
      bool other = truth.read(row, n, kClass16);
      other |= prediction.read(row, n, kClass16);
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
                      std::int64_t row, std::int64_t rows, LearnedPairs& learned,
                      std::uint32_t* codes) {
    const auto start = [&] {
      truth.start(y_true, learned.set, first_row);
      prediction.start(y_pred, learned.set, first_row);
    };
    start();
    for (; row < rows; row += kPairStep) {
      const auto n = static_cast<std::size_t>(std::min(kPairStep, rows - row));
      const auto other = [&] {
        const ClassWidth width = learned.set.width();
        const bool in_truth = truth.read(row, n, width);
        return prediction.read(row, n, width) || in_truth;
      };
      while (other()) {
        if (!learned.set.grows) throw InputError("a label that is no category of its Enum");
        if (truth.learn(row, n, learned.set) && prediction.learn(row, n, learned.set)) continue;
        learned.enlarge();
        start();
      }
      refuse_flood(n);
      if (!learned.find(truth, prediction, n, codes + row)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t& code = codes[row + static_cast<std::int64_t>(i)];
        if (code == PairCode::kNone) code = settle(learned, i);
      }
    }
  }

  // The code of a row of the block; the dictionary is asked unless a row before had the pair.
  std::uint32_t settle(LearnedPairs& learned, std::size_t i) {
    const ClassWidth width = learned.set.width();
    const std::uint32_t t = truth.class_at(i, width);
    const std::uint32_t p = prediction.class_at(i, width);
    std::uint32_t code = learned.code_of(t, p);
    if (code != PairCode::kNone) return code;
    if (!learned.set.grows) {
      const bool null = std::max(t, p) == learned.set.null();
      code = null ? null_code(learned)
                  : dictionary->add(learned.set.texts.texts(), learned.of_enum, t, p);
    } else if (learned.set.form == ClassSet::Form::kTexts) {
      const auto& labels = learned.set.texts.texts();
      code = noted(dictionary->add(std::string_view(labels[t]), std::string_view(labels[p])));
    } else {
      const auto& labels = learned.set.ints.values();
      code = noted(dictionary->add(labels[t], labels[p]));
    }
    learned.keep(t, p, code);
    return code;
  }

  std::uint32_t null_code(LearnedPairs& learned) {
    const std::uint32_t null = learned.set.null();
    return dictionary->add(learned.set.texts.texts(), learned.of_enum, null, null);
  }

  std::uint32_t noted(PairDictionary::Entry entry) noexcept {
    fresh_rows += entry.is_fresh ? 1 : 0;
    return entry.code;
  }
  // Classes recur, identifiers do not: many rows of this thread, of which more than 7 in 8 brought
  // a new label since some query has ended, are a flood.
  void refuse_flood(std::size_t n) {
    constexpr std::int64_t kMany = std::int64_t{1} << 16;
    if (const std::uint64_t now = dictionary->readings(); now != readings) {
      readings = now;
      rows_read = fresh_rows = 0;
    }
    rows_read += static_cast<std::int64_t>(n);
    if (fresh_rows < kMany || fresh_rows < rows_read - rows_read / 8) return;
    const std::string found =
        "in " + std::to_string(fresh_rows) + " of " + std::to_string(rows_read) + " rows";
    rows_read = fresh_rows = 0;
    throw InputError("`y_true` or `y_pred` has a new label " + found +
                     ": are they identifiers? The classes of labels that recur are found; of "
                     "others, give up to " +
                     std::to_string(most_classes(std::int64_t{1} << 30, sizeof(std::int64_t))) +
                     " as labels=, with other=\"bucket\" for the rest");
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
  LearnedPairs& learned = text ? all.texts : all.ints;
  learned.follow(all.dictionary->edition());
  all.encode_learned(y_true, y_pred, first_row, row, rows, learned, codes);
}

void PairCoder::encode(const Column& y_true, const Column& y_pred, std::int64_t first_row,
                       const Categories& categories, std::uint32_t* codes) {
  const std::int64_t rows = common_rows(y_true, y_pred, Labels::Kind::kText);
  impl_->categories.follow(categories, impl_->dictionary->edition());
  impl_->encode_learned(y_true, y_pred, first_row, 0, rows, impl_->categories, codes);
}

std::uint32_t PairCoder::null_code(const Categories& categories) {
  impl_->categories.follow(categories, impl_->dictionary->edition());
  return impl_->null_code(impl_->categories);
}

}  // namespace confmat
