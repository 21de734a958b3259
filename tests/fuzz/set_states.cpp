// Saved matrices of label sets: read alone, added, taken away.
#include <algorithm>

#include "confmat/base/error.hpp"
#include "confmat/batch/class_set.hpp"
#include "confmat/state/set_counts.hpp"
#include "confmat/tally/count_sets.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

Bytes counted(const std::vector<std::uint8_t>& truth, const std::vector<std::uint8_t>& prediction,
              Labels labels, Origin origin, const SetWeights& weights) {
  const auto n_labels = static_cast<std::int64_t>(labels.size());
  const auto table = [&](const std::vector<std::uint8_t>& bytes) {
    return BoolTable{reinterpret_cast<const std::byte*>(bytes.data()), n_labels, 1};
  };
  auto known = std::make_shared<const LabelSet>(LabelSet{std::move(labels), origin, 0});
  const std::int64_t rows = n_labels == 0 ? 2 : static_cast<std::int64_t>(truth.size()) / n_labels;
  return encode(count_sets(table(truth), table(prediction), rows, std::move(known), weights, 1));
}

std::vector<Bytes> seeds() {
  const Labels none{Labels::Kind::kText, {}, {}};
  const Labels texts{Labels::Kind::kText, {}, {"a", "bc", "d"}};
  const Labels ints{Labels::Kind::kInt, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {}};
  const std::vector<std::uint8_t> few = {1, 0, 1, 0, 0, 0, 1, 1, 0},
                                  other = {1, 1, 0, 0, 0, 0, 1, 1, 0};
  std::vector<std::uint8_t> many(30);
  many[3] = many[17] = many[29] = 1;
  const std::vector<double> floats = {0.5, 1e17, 0x1p-60};
  const std::vector<std::int64_t> integers = {3, 0, std::int64_t{1} << 61U};
  SetWeights of_floats, of_integers;
  of_floats.kind = SetWeights::Kind::kFloats;
  of_floats.floats = floats;
  of_integers.kind = SetWeights::Kind::kIntegers;
  of_integers.integers = integers;
  return {counted({}, {}, none, Origin::kFound, {}),
          counted(few, other, texts, Origin::kFound, {}),
          counted(few, other, texts, Origin::kGiven, of_floats),
          counted(few, other, texts, Origin::kFound, of_integers),
          counted(many, std::vector<std::uint8_t>(30), ints, Origin::kGiven, {}),
          counted(std::vector<std::uint8_t>(30), many, ints, Origin::kGiven, of_floats)};
}

void check(const Bytes& bytes, const std::vector<Bytes>& others) {
  try {
    const SetCounts read = decode_set_counts(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "sets are the same as themselves");
    for (const Bytes& other : others) {
      try {
        const SetCounts all = added(read, decode_set_counts(other));
        require(are_same(decode_set_counts(encode(all)), all), "a sum is read as it was");
        const SetCounts rest = taken_away(all, read);
        require(are_same(decode_set_counts(encode(rest)), rest), "a difference is read as it was");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other labels
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  check(mended(input), others);
}

const Target kSets("set_states", run, seeds);

// Sets of so many labels are saved as lists. An input is such a state without what comes before its
// payload, and without its cells, which are as many as the labels.
class Listed {
 public:
  Listed() {
    Labels labels{Labels::Kind::kInt, {}, {}};
    for (std::int64_t i = 0; i < kMostClasses + 7; ++i) labels.ints.push_back(i);
    const std::vector<std::uint32_t> truth = {65'000, 3, 9, 3}, prediction = {3, 65'000, 65'500, 7};
    const std::vector<std::int64_t> ends = {0, 1, 4}, other_ends = {1, 2, 4};
    auto known = std::make_shared<const LabelSet>(LabelSet{labels, Origin::kGiven, 0});
    const SetCounts counts =
        count_sets(SetLists{truth, ends}, SetLists{prediction, other_ends}, 3, known, {}, 1);
    whole = encode(counts);
    const std::uint64_t head[] = {counts.of_sizes.size(), counts.of_sets.size() / 3};
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(head);
    begin_ = std::search(whole.begin(), whole.end(), bytes, bytes + sizeof head) - whole.begin();
    cells_ = begin_ + kHead;
    rest_ = cells_ + 4 * static_cast<std::ptrdiff_t>(labels.size());
  }

  [[nodiscard]] Bytes short_form() const {
    Bytes out(whole.begin() + begin_, whole.begin() + cells_);
    out.insert(out.end(), whole.begin() + rest_, whole.end());
    return out;
  }
  [[nodiscard]] Bytes long_form(std::span<const std::uint8_t> input) const {
    Bytes out(whole.begin(), whole.begin() + begin_);
    out.insert(out.end(), input.begin(), input.begin() + kHead);
    out.insert(out.end(), whole.begin() + cells_, whole.begin() + rest_);
    out.insert(out.end(), input.begin() + kHead, input.end());
    return mended(out);
  }

  static constexpr std::ptrdiff_t kHead = 24;
  Bytes whole;

 private:
  std::ptrdiff_t begin_, cells_, rest_;
};

const Listed& listed() {
  static const Listed one;
  return one;
}

void run_listed(std::span<const std::uint8_t> input) {
  if (input.size() < Listed::kHead) return;
  check(listed().long_form(input), {listed().whole});
}

constexpr std::uint64_t kSlow = 100;  // states of 65,540 labels
const Target kListedSets(
    "listed_set_states", run_listed,
    [] {
      require(listed().long_form(listed().short_form()) == listed().whole, "a seed is a state");
      return std::vector<Bytes>{listed().short_form()};
    },
    kSlow);

}  // namespace
}  // namespace confmat::fuzz
