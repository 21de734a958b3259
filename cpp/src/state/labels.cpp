// Checks, compares, unites and writes labels; says in words how two sets differ.
#include "confmat/state/labels.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/base/utf8.hpp"

namespace confmat {
namespace {

constexpr std::size_t kMostLabelBytes = 65'536;
constexpr std::size_t kMostShown = 10;
constexpr std::size_t kFewLabels = 16;  // which are compared with each other faster than hashed

// The values of labels that are of the same kind as these.
const std::vector<std::int64_t>& like(const std::vector<std::int64_t>& /*these*/,
                                      const Labels& of) {
  return of.ints;
}
const std::vector<std::string>& like(const std::vector<std::string>& /*these*/, const Labels& of) {
  return of.texts;
}

// visit(values) with the integers or the texts.
template <class Visit>
auto with_values(const Labels& labels, const Visit& visit) {
  return labels.kind == Labels::Kind::kText ? visit(labels.texts) : visit(labels.ints);
}

bool is_empty(const LabelSet& set) noexcept { return set.labels.size() == 0; }

const char* kind_word(Labels::Kind kind) noexcept {
  constexpr const char* kWords[] = {"int", "bool", "text"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string listing(const Labels& labels, const std::vector<std::size_t>& which) {
  std::string out = "[";
  for (std::size_t i = 0; i < std::min(which.size(), kMostShown); ++i) {
    out += (i == 0 ? "" : ", ") + quoted_label(labels, which[i]);
  }
  if (which.size() > kMostShown) {
    out += ", ... " + std::to_string(which.size() - kMostShown) + " more";
  }
  return out + "]";
}

template <class Values>
struct Index {
  using Key = std::conditional_t<std::is_same_v<typename Values::value_type, std::string>,
                                 std::string_view, std::int64_t>;
  explicit Index(const Values& values) {
    places.reserve(values.size());
    for (const auto& value : values) {
      places.emplace(value, static_cast<std::uint32_t>(places.size()));
    }
  }
  std::unordered_map<Key, std::uint32_t> places;
};

// Which labels of `part` are not among `whole`.
std::vector<std::size_t> missing(const Labels& part, const Labels& whole) {
  if (part.kind != whole.kind) return {};
  return with_values(part, [&]<class Values>(const Values& values) {
    std::vector<std::size_t> out;
    const Index<Values> index(like(values, whole));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!index.places.contains(values[i])) out.push_back(i);
    }
    return out;
  });
}

}  // namespace

std::string label_difference(const Labels& one, const Labels& other) {
  if (one.kind != other.kind) {
    return std::string(kind_word(one.kind)) + " labels " + listing(one) + " and " +
           kind_word(other.kind) + " labels " + listing(other);
  }
  const auto in_one = missing(one, other);
  const auto in_other = missing(other, one);
  if (in_one.empty() && in_other.empty()) {
    return "the same labels in another order, " + listing(one) + " and " + listing(other);
  }
  std::string out;
  if (!in_one.empty()) out = "only in the first: " + listing(one, in_one);
  if (!in_other.empty()) {
    out +=
        (out.empty() ? "" : "; ") + std::string("only in the second: ") + listing(other, in_other);
  }
  return out;
}

void refuse_labels(const char* verb, const Labels& one, const Labels& other) {
  const char* advice = one.kind == other.kind ? "count both with the same `labels=`"
                                              : "cast the columns of one side, and count it again";
  throw InputError("cannot " + std::string(verb) + ": labels differ (" +
                   label_difference(one, other) + "); " + advice);
}

namespace {

// Where the labels of `part`, all of them in `whole`, are there; empty: at their own places.
std::vector<std::uint32_t> places_in(const Labels& part, const Labels& whole) {
  if (part == whole) return {};
  std::vector<std::uint32_t> out;
  with_values(part, [&]<class Values>(const Values& values) {
    const Index<Values> index(like(values, whole));
    for (const auto& value : values) out.push_back(index.places.at(value));
  });
  bool in_place = true;
  for (std::size_t i = 0; i < out.size(); ++i) in_place = in_place && out[i] == i;
  // A table of fewer classes has other places even so.
  if (in_place && part.size() == whole.size()) out.clear();
  return out;
}

// The positive class as a message shows it, where there is one: the one named, or, where all labels
// of both are two that have a usual one, 1 or True.
std::string positive_of(const LabelSet& set, bool has_usual) {
  if (set.positive > 0) return quoted_label(set.labels, set.positive - 1);
  if (is_empty(set) || !has_usual) return {};
  return set.labels.kind == Labels::Kind::kBool ? "True" : "1";
}

// `all`: the labels of both.
void require_same_positive(const char* verb, const LabelSet& one, const LabelSet& other,
                           const Labels& all) {
  const bool has_usual = all.have_usual_positive();
  const std::string first = positive_of(one, has_usual);
  const std::string second = positive_of(other, has_usual);
  if (first.empty() || second.empty() || first == second) return;
  throw InputError("cannot " + std::string(verb) + ": the positive class differs, " + first +
                   " and " + second + "; count both with the same `pos_label=`");
}

// Whether the name of the positive class tells nothing: it is the usual one, and the labels are
// known without the rows. Found labels do not tell that there are no more than two.
bool is_implied(const LabelSet& set) noexcept {
  const bool may_be_more = set.origin == Origin::kFound && set.labels.kind == Labels::Kind::kInt;
  return !may_be_more && set.labels.usual_positive() + 1 == std::int64_t{set.positive};
}

// The positive class of a merge is the one that either has named.
std::uint32_t named_positive(const LabelSet& one, const LabelSet& other,
                             const MergedLabels& merged) {
  const auto place = [](const LabelSet& set, const std::vector<std::uint32_t>& at) {
    return at.empty() || set.positive == 0 ? set.positive : at[set.positive - 1] + 1;
  };
  const std::uint32_t first = place(one, merged.of_one);
  return first > 0 ? first : place(other, merged.of_other);
}

Labels united(const Labels& one, const Labels& other) {
  Labels out{one.kind, {}, {}};
  std::ranges::set_union(one.ints, other.ints, std::back_inserter(out.ints));
  std::ranges::set_union(one.texts, other.texts, std::back_inserter(out.texts));
  return out;
}

}  // namespace

std::int64_t positive_at(const LabelSet& set) noexcept {
  return set.positive > 0 ? std::int64_t{set.positive} - 1 : set.labels.usual_positive();
}

void name_positive(LabelSet& set, std::int64_t at) noexcept {
  set.positive = static_cast<std::uint32_t>(at) + 1;
  if (is_implied(set)) set.positive = 0;
}

std::string in_quotes(std::string shown, Labels::Kind kind) {
  const bool bare = kind != Labels::Kind::kText || shown.starts_with('"');
  return bare ? std::move(shown) : "'" + std::move(shown) + "'";
}

std::string quoted_label(const Labels& labels, std::size_t i) {
  return in_quotes(labels.display(static_cast<std::int64_t>(i)), labels.kind);
}

std::string listing(const Labels& labels) {
  std::vector<std::size_t> all(static_cast<std::size_t>(labels.size()));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return listing(labels, all);
}

void check_labels(const LabelSet& set) {
  with_values(set.labels, [&]<class Values>(const Values& values) {
    if (set.origin == Origin::kFound) {
      if (std::ranges::adjacent_find(values, std::greater_equal<>()) != values.end()) {
        throw StateError("labels that were found are not sorted");
      }
      return;
    }
    if (values.size() <= kFewLabels) {
      for (auto at = values.begin(); at != values.end(); ++at) {
        if (std::find(values.begin(), at, *at) != at) throw StateError("a label is there twice");
      }
      return;
    }
    using Key = typename Index<Values>::Key;
    std::unordered_set<Key> seen;
    seen.reserve(values.size());
    for (const auto& value : values) {
      if (!seen.insert(value).second) throw StateError("a label is there twice");
    }
  });
  if (set.labels.kind == Labels::Kind::kBool) {
    for (const auto value : set.labels.ints) {
      if (value != 0 && value != 1) throw StateError("a boolean label is neither 0 nor 1");
    }
  }
  for (const std::string& text : set.labels.texts) {
    if (text.size() > kMostLabelBytes) throw StateError("a label is longer than the limit");
    if (!is_utf8(text)) throw StateError("a label is not valid UTF-8");
  }
  if (set.positive > set.size()) throw StateError("the positive class is none of the labels");
  if (set.positive > 0 && is_implied(set)) {
    throw StateError("not written as this format writes it: the positive class is the usual one");
  }
}

MergedLabels merge_labels(const SharedLabels& one, const SharedLabels& other) {
  if (one == other || *one == *other) return {one, {}, {}};
  // What was found in no rows is of no kind.
  if (is_empty(*one) && one->origin == Origin::kFound) return {other, {}, {}};
  if (is_empty(*other) && other->origin == Origin::kFound) return {one, {}, {}};
  const Labels& first = one->labels;
  const Labels& second = other->labels;
  if (first.kind != second.kind) refuse_labels("add", first, second);
  const bool first_found = one->origin == Origin::kFound;
  const bool second_found = other->origin == Origin::kFound;
  LabelSet set;
  if (first_found && second_found) {
    set.labels = united(first, second);
  } else {
    const bool fits = !first_found && !second_found ? first == second
                      : first_found                 ? missing(first, second).empty()
                                                    : missing(second, first).empty();
    if (!fits) refuse_labels("add", first, second);
    set.labels = first_found ? second : first;
    set.origin = first_found                    ? other->origin
                 : second_found                 ? one->origin
                 : one->origin == other->origin ? one->origin
                                                : Origin::kGiven;
  }
  require_same_positive("add", *one, *other, set.labels);
  MergedLabels out;
  out.of_one = places_in(first, set.labels);
  out.of_other = places_in(second, set.labels);
  set.positive = named_positive(*one, *other, out);
  if (set.positive > 0 && is_implied(set)) set.positive = 0;
  out.labels = std::make_shared<const LabelSet>(std::move(set));
  return out;
}

MergedLabels remaining_labels(const SharedLabels& one, const SharedLabels& other) {
  if (one == other || *one == *other || is_empty(*other)) return {one, {}, {}};
  const Labels& first = one->labels;
  const Labels& second = other->labels;
  const bool both_given = one->origin != Origin::kFound && other->origin != Origin::kFound;
  if (first.kind != second.kind || (both_given && first != second) ||
      !missing(second, first).empty()) {
    refuse_labels("subtract", first, second);
  }
  require_same_positive("subtract", *one, *other, first);
  MergedLabels out{one, {}, places_in(second, first)};
  const std::uint32_t positive = named_positive(*one, *other, out);
  if (positive != one->positive) {
    LabelSet set = *one;
    set.positive = positive;
    if (!is_implied(set)) out.labels = std::make_shared<const LabelSet>(std::move(set));
  }
  return out;
}

void put_labels(ByteWriter& out, const Labels& labels) {
  if (labels.kind == Labels::Kind::kText) {
    for (const std::string& text : labels.texts) out.text(text);
  } else if (labels.kind == Labels::Kind::kBool) {
    for (const auto value : labels.ints) out.put(static_cast<std::uint8_t>(value));
  } else {
    out.append(labels.ints.data(), labels.ints.size() * sizeof(std::int64_t));
  }
}

Labels labels_of(std::span<const std::uint8_t> bytes, Labels::Kind kind, std::uint64_t count) {
  Labels out{kind, {}, {}};
  const std::size_t least = kind == Labels::Kind::kInt    ? sizeof(std::int64_t)
                            : kind == Labels::Kind::kBool ? 1
                                                          : sizeof(std::uint32_t);
  if (count > bytes.size() / least) throw StateError("the labels do not fit their number");
  ByteReader reader(bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (kind == Labels::Kind::kText) {
      out.texts.emplace_back(reader.text());
    } else if (kind == Labels::Kind::kBool) {
      out.ints.push_back(reader.get<std::uint8_t>());
    } else {
      out.ints.push_back(reader.get<std::int64_t>());
    }
  }
  if (reader.left() != 0) throw StateError("the labels do not fit their number");
  return out;
}

}  // namespace confmat
