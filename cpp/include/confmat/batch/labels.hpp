// An ordered set of class labels: integers, booleans or texts, never a mixture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "confmat/base/shown.hpp"

namespace confmat {

struct Labels {
  enum class Kind : std::uint8_t { kInt, kBool, kText };
  Kind kind = Kind::kInt;
  std::vector<std::int64_t> ints;  // kInt, and kBool as 0 / 1
  std::vector<std::string> texts;  // kText

  [[nodiscard]] std::int64_t size() const noexcept {
    return static_cast<std::int64_t>(kind == Kind::kText ? texts.size() : ints.size());
  }
  // The label as text for messages: "3", "True", "cat".
  [[nodiscard]] std::string display(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    if (kind == Kind::kText) return shown_text(texts[at]);
    if (kind == Kind::kBool) return ints[at] != 0 ? "True" : "False";
    return std::to_string(ints[at]);
  }
  // Appends label `i` of a set of the same kind.
  void add(const Labels& from, std::size_t i) {
    if (from.kind == Kind::kText) {
      texts.push_back(from.texts[i]);
    } else {
      ints.push_back(from.ints[i]);
    }
  }
  // Whether they lie within {0, 1}, {False, True} or {-1, 1}: then 1 or True is the positive one.
  [[nodiscard]] bool have_usual_positive() const noexcept {
    if (kind == Kind::kText) return false;
    const auto within = [this](std::int64_t negative) {
      return std::ranges::all_of(ints, [&](auto x) { return x == 1 || x == negative; });
    };
    return within(0) || within(-1);
  }
  // Where the one label of `one` is, of which 1 finds True; -1: nowhere.
  [[nodiscard]] std::int64_t place_of(const Labels& one) const noexcept {
    const auto find = [](const auto& all, const auto& label) -> std::int64_t {
      const auto at = std::ranges::find(all, label);
      return at == all.end() ? -1 : at - all.begin();
    };
    if ((kind == Kind::kText) != (one.kind == Kind::kText)) return -1;
    return kind == Kind::kText ? find(texts, one.texts[0]) : find(ints, one.ints[0]);
  }
  // Where the positive one is that need not be named; -1: nowhere.
  [[nodiscard]] std::int64_t usual_positive() const noexcept {
    const auto at = std::ranges::find(ints, 1);
    return at == ints.end() || !have_usual_positive() ? -1 : at - ints.begin();
  }
  bool operator==(const Labels&) const = default;
};

}  // namespace confmat
