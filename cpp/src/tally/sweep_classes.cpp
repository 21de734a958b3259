// Finds the two classes of a column, and refuses a third by name and row.
#include "sweep_classes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/gather.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/state/sweep.hpp"
#include "confmat/tally/class_reader.hpp"

namespace confmat {
namespace {

constexpr std::int64_t kMostNamed = 8;
constexpr const char* kOfMore =
    " of two; of more, compare `y_true == label`, or use cm.multiclass_sweep";

Labels one(Labels::Kind kind, std::int64_t label) {
  Labels labels;
  labels.kind = kind;
  labels.ints.push_back(label);
  return labels;
}

// In order; one more than are listed when there are more.
Labels classes_of(Chunks y_true, Labels::Kind kind) {
  Labels found;
  found.kind = kind;
  ClassSet set = fixed_classes(found);
  Scratch scratch;
  ClassReader reader("y_true", scratch);
  const auto classes = std::make_unique_for_overwrite<std::uint16_t[]>(kBlock);
  const std::int64_t rows = total_length(y_true);
  Cursor cursor(y_true, 0);
  for (std::int64_t row = 0; row < rows && found.size() <= kMostNamed;) {
    const std::int64_t n = std::min(static_cast<std::int64_t>(kBlock), cursor.left());
    reader.start(cursor.chunk(), set, row - cursor.at());
    if (!reader.read(cursor.at(), static_cast<std::size_t>(n), kClass16, classes.get())) {
      cursor.advance(n);
      row += n;
      continue;
    }
    const std::uint16_t* const other =
        std::find(classes.get(), classes.get() + n, static_cast<std::uint16_t>(set.other()));
    const std::int64_t at = cursor.at() + (other - classes.get());
    if (kind == Labels::Kind::kText) {
      found.texts.emplace_back(reader.text_label(at));
    } else {
      found.ints.push_back(reader.int_label(at));
    }
    set = fixed_classes(found);
  }
  std::sort(found.ints.begin(), found.ints.end());
  std::sort(found.texts.begin(), found.texts.end());
  return found;
}

// "1, 2, 7", or the first few and "...".
std::string classes_found(Chunks y_true, Labels::Kind kind) {
  const Labels found = classes_of(y_true, kind);
  if (found.size() == 0) return "none";
  std::string list;
  for (std::int64_t i = 0; i < std::min(found.size(), kMostNamed); ++i) {
    list += (i > 0 ? ", " : "") + found.display(i);
  }
  return found.size() > kMostNamed ? list + ", ..." : list;
}

}  // namespace

SweepClasses::SweepClasses(Chunks y_true, const Labels* pos_label)
    : y_true_(y_true), named_(pos_label != nullptr), kind_(joint_kind(y_true, {})) {
  const bool text = kind_ == Labels::Kind::kText;
  if (!named_) {
    if (text) {
      throw InputError("`y_true` holds strings (classes found: " + classes_found(y_true, kind_) +
                       "); pos_label says which one is positive" + kOfMore);
    }
    positive_ = one(kind_, 1);
    if (kind_ == Labels::Kind::kBool) {
      negative_ = one(kind_, 0);
    } else {
      open_ = true;  // 0 or -1
    }
    build();
    return;
  }
  positive_ = *pos_label;
  if (text != (positive_.kind == Labels::Kind::kText)) {
    throw InputError("pos_label is " + positive_.display(0) + ", but `y_true` holds " +
                     (text ? "strings" : "no strings") +
                     " (classes found: " + classes_found(y_true, kind_) + ")");
  }
  positive_.kind = kind_;
  if (kind_ == Labels::Kind::kBool) {
    if ((positive_.ints[0] & ~std::int64_t{1}) != 0) {
      positive_.kind = Labels::Kind::kInt;
      fail_absent(false);
    }
    negative_ = one(kind_, 1 - positive_.ints[0]);
  } else {
    open_ = true;
  }
  build();
}

void SweepClasses::set_negative(const std::optional<Labels>& negative) {
  open_ = false;
  negative_ = negative;
  if (!named_ && negative_ && !has_usual_classes()) negative_ = one(kind_, 0);
  if (negative_) {
    negative_->kind = kind_;
    build();
  } else {
    negative_ = usual_negative(positive_);
  }
}

void SweepClasses::build() {
  Labels both = positive_;
  flip_ = 1;
  if (negative_) {
    both.ints.insert(both.ints.end(), negative_->ints.begin(), negative_->ints.end());
    both.texts.insert(both.texts.end(), negative_->texts.begin(), negative_->texts.end());
    // Neighbouring integers in order are found fastest.
    if (kind_ != Labels::Kind::kText && both.ints[1] < both.ints[0]) {
      std::swap(both.ints[0], both.ints[1]);
      flip_ = 0;
    }
  }
  set_ = fixed_classes(both);
}

bool SweepClasses::occurs() const { return classes_of(y_true_, kind_).place_of(positive_) >= 0; }

void SweepClasses::fail_stranger(const Stranger& stranger) const {
  const std::string found = " (classes found: " + classes_found(y_true_, kind_) + ")";
  const auto refusal = [&](const std::string& why) {
    return InputError("label " + stranger.label.display(0), stranger.row, " of `y_true` is " + why);
  };
  if (!named_) {
    const std::string negative = negative_ ? negative_->display(0) : "0";
    throw refusal("neither " + negative + " nor 1" + found +
                  "; pos_label says which one is positive" + kOfMore);
  }
  const Labels classes = classes_of(y_true_, kind_);
  if (!occurs() && classes.size() <= kMostNamed) fail_absent(false);
  throw refusal("a third class beside pos_label " + positive_.display(0) + found +
                "; a sweep takes two: compare `y_true == label`, or use cm.multiclass_sweep");
}

bool SweepClasses::has_usual_classes() const {
  Labels both = positive_;
  if (negative_) both.add(*negative_, 0);
  return both.have_usual_positive();
}

void SweepClasses::fail_absent(bool weighted) const {
  std::string how = " does not occur in `y_true`";
  if (occurs()) {
    how = " occurs in `y_true` only in rows that were left out, without a score";
    if (weighted) how += " or a weight";
  }
  throw InputError("pos_label " + positive_.display(0) + how +
                   " (classes found: " + classes_found(y_true_, kind_) + ")");
}

}  // namespace confmat
