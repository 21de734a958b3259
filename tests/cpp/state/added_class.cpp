// A class that no row has: labels and cells are those of a sum with a matrix of it.
#include "confmat/state/added_class.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "confmat/evaluate/count_state.hpp"
#include "confmat/state/counts.hpp"

using namespace confmat;

namespace {

Labels numbers(std::vector<std::int64_t> ints) { return {Labels::Kind::kInt, std::move(ints), {}}; }
Labels texts(std::vector<std::string> of) { return {Labels::Kind::kText, {}, std::move(of)}; }

// Of weights that leave further parts, some cells empty.
Counts drawn(Labels labels, bool has_floats, bool is_sparse) {
  std::mt19937_64 random(7);
  std::vector<WeightedCode> rows;
  const std::uint64_t k = static_cast<std::uint64_t>(labels.size()), side = k + 2;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t cell = random() % (k * k);
    if (cell % 3 == 1) continue;
    const double weight = has_floats ? 0.1 * static_cast<double>(random() % 97) : 1.0;
    rows.push_back({weight, cell / k * side + cell % k});
  }
  const auto shared = std::make_shared<const LabelSet>(LabelSet{std::move(labels), Origin::kFound});
  Counts sparse = state_of(rows, shared, has_floats ? Weights::kFloats : Weights::kIntegers);
  if (is_sparse) return sparse;
  return decode_counts(encode(sparse));
}

void check_as_sum(const Counts& of, const Labels& positive) {
  Counts none;
  none.labels = std::make_shared<const LabelSet>(LabelSet{positive, Origin::kFound});
  none.rows.counted = 0;
  none.cells = std::vector<std::int64_t>(1);
  const Counts sum = added(none, of);
  LabelSet set = *sum.labels;
  name_positive(set, set.labels.place_of(positive));
  Counts wanted = sum;
  wanted.labels = std::make_shared<const LabelSet>(std::move(set));
  const Counts found = with_positive(of, positive);
  CHECK(are_same(found, wanted));
  CHECK(encode(found) == encode(wanted));
}

}  // namespace

TEST_CASE("added class: in front, between and behind, in tables and in cells that are held") {
  for (const bool has_floats : {false, true}) {
    for (const bool is_sparse : {false, true}) {
      const Counts of_ints = drawn(numbers({-3, 0, 4, 9}), has_floats, is_sparse);
      CHECK(of_ints.is_sparse == is_sparse);
      for (const std::int64_t label : {-7, -1, 2, 5, 10}) check_as_sum(of_ints, numbers({label}));
      const Counts of_texts = drawn(texts({"b", "d"}), has_floats, is_sparse);
      for (const char* const label : {"a", "c", "e", ""}) check_as_sum(of_texts, texts({label}));
    }
  }
}

TEST_CASE("added class: where cells go") {
  Labels labels = numbers({1, 5});
  const AddedClass between(labels, numbers({3}));
  CHECK(labels == numbers({1, 3, 5}));
  const std::vector<double> cells = {1, 2, 3, 4};
  CHECK(between.widened(std::span<const double>(cells)) ==
        std::vector<double>{1, 0, 2, 0, 0, 0, 3, 0, 4});
  CHECK(between.moved(std::vector<std::int64_t>{1, 2}) == std::vector<std::int64_t>{2, 6});
  Labels none;
  const AddedClass alone(none, texts({"a"}));
  CHECK(none == texts({"a"}));
  CHECK(alone.widened(std::span<const double>()) == std::vector<double>{0});
}
