// The labels of a state, where they come from, and what becomes of two sets of them in a merge.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "confmat/base/bytes.hpp"
#include "confmat/batch/labels.hpp"

namespace confmat {

enum class Origin : std::uint8_t {
  kFound,   // in rows: sorted, and more may be found
  kGiven,   // by the user, in an order that has a meaning
  kOfType,  // of the columns' type: an Enum, Booleans
};
inline constexpr std::uint8_t kOrigins = 3;

struct LabelSet {
  Labels labels;
  Origin origin = Origin::kFound;
  std::uint32_t positive = 0;  // the positive class + 1; 0: none is named, or it is implied

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(labels.size());
  }
  bool operator==(const LabelSet&) const = default;
};
using SharedLabels = std::shared_ptr<const LabelSet>;

// Where the positive class is, named or the usual one; -1: nowhere.
std::int64_t positive_at(const LabelSet& set) noexcept;
// Names it, unless the name tells nothing. Needs: at < set.size().
void name_positive(LabelSet& set, std::int64_t at) noexcept;

// Throws StateError where they cannot be those of a state: twice the same, too long, found and not
// sorted, texts that are none, a positive class that is none of them or implied.
void check_labels(const LabelSet& set);

// The labels of a sum, and where those of each set are among them; empty: at their own places.
struct MergedLabels {
  SharedLabels labels;
  std::vector<std::uint32_t> of_one;
  std::vector<std::uint32_t> of_other;
};

// Found labels unite and are sorted; found ones must lie in given ones; given ones must be equal.
// Throws InputError that says how they differ.
MergedLabels merge_labels(const SharedLabels& one, const SharedLabels& other);

// Those of a difference: the labels of the first, in which those of the other must lie.
MergedLabels remaining_labels(const SharedLabels& one, const SharedLabels& other);

// In words, how the labels of two states differ.
std::string label_difference(const Labels& one, const Labels& other);
// Throws InputError that says so. `verb`: what cannot be done.
[[noreturn]] void refuse_labels(const char* verb, const Labels& one, const Labels& other);

// A label that is shown: texts in quotes.
std::string in_quotes(std::string shown, Labels::Kind kind);
std::string quoted_label(const Labels& labels, std::size_t i);
// "[0, 1, 2]", cut after ten.
std::string listing(const Labels& labels);

// How they are saved: 8 bytes an integer, one a Boolean, texts behind their 32-bit lengths.
void put_labels(ByteWriter& out, const Labels& labels);
// Throws StateError. Needs: `bytes` are those of the labels alone.
Labels labels_of(std::span<const std::uint8_t> bytes, Labels::Kind kind, std::uint64_t count);

}  // namespace confmat
