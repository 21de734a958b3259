// Builds sets of classes: which form fits the labels.
#include "confmat/batch/class_set.hpp"

#include <algorithm>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

// The lookup table of a wider window would leave the second-level cache.
constexpr std::uint64_t kWidestLookup = 65534;

[[noreturn]] void repeated(const Labels& labels, std::int64_t i) {
  throw InputError("label " + labels.display(i) + " occurs twice in `labels`");
}

void set_ints(const Labels& labels, ClassSet& set) {
  const auto [low, high] = std::minmax_element(labels.ints.begin(), labels.ints.end());
  set.base = labels.ints.empty() ? 0 : *low;
  const std::uint64_t last =
      labels.ints.empty() ? 0
                          : static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  if (last >= kWidestLookup || labels.size() > kMostClasses) {
    set.form = ClassSet::Form::kInts;
    for (const auto [begin, end] : Strides(labels.ints.size())) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (set.ints.add(labels.ints[i]) != at) repeated(labels, at);
      }
    }
    return;
  }
  set.span = labels.ints.empty() ? 0 : static_cast<std::uint32_t>(last + 1);
  set.lookup.assign(set.span + 1, static_cast<std::uint16_t>(set.other()));
  bool in_order = set.span == set.classes;
  for (std::int64_t i = 0; i < labels.size(); ++i) {
    const std::uint64_t offset =
        static_cast<std::uint64_t>(labels.ints[static_cast<std::size_t>(i)]) -
        static_cast<std::uint64_t>(set.base);
    std::uint16_t& entry = set.lookup[static_cast<std::size_t>(offset)];
    if (entry != set.other()) repeated(labels, i);
    entry = static_cast<std::uint16_t>(i);
    in_order = in_order && offset == static_cast<std::uint64_t>(i);
  }
  set.form = in_order ? ClassSet::Form::kWindow : ClassSet::Form::kLookup;
}

void set_texts(const Labels& labels, ClassSet& set) {
  set.form = ClassSet::Form::kTexts;
  for (const auto [begin, end] : Strides(labels.texts.size())) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string& text = labels.texts[i];
      const auto at = static_cast<std::int64_t>(i);
      if (text.size() > kLongestLabel) {
        throw InputError("label " + std::to_string(at) + " of `labels` has " +
                         std::to_string(text.size()) + " bytes; the limit is 64 KiB");
      }
      if (set.texts.add(text) != at) repeated(labels, at);
    }
  }
}

}  // namespace

ClassSet fixed_classes(const Labels& labels, std::int64_t most, const char* argument) {
  if (labels.size() > most) {
    throw InputError("`" + std::string(argument) + "` has " + std::to_string(labels.size()) +
                     " labels; at most " + std::to_string(most) + " are possible" +
                     (most < kMostWideClasses ? "; cm.confusion_matrix takes more" : ""));
  }
  ClassSet set;
  set.classes = static_cast<std::uint32_t>(labels.size());
  if (labels.kind == Labels::Kind::kText) {
    set_texts(labels, set);
  } else {
    set_ints(labels, set);
  }
  return set;
}

ClassSet growing_classes(Labels::Kind kind) {
  ClassSet set;
  set.form = kind == Labels::Kind::kText ? ClassSet::Form::kTexts : ClassSet::Form::kInts;
  set.classes = static_cast<std::uint32_t>(kMostWideClasses);
  set.grows = true;
  return set;
}

}  // namespace confmat
