// Saved confusion matrices: read alone, added to others, merged by an expression.
#include <memory>
#include <span>

#include "confmat/base/error.hpp"
#include "confmat/evaluate/streamed_counts.hpp"
#include "confmat/state/counts.hpp"
#include "mutate.hpp"
#include "plugin_requests.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

Bytes counts(const Labels& labels, Origin origin, std::vector<std::int64_t> cells) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{labels, origin, 0});
  out.rows = {.counted = 0, .dropped = 1};
  for (const auto cell : cells) out.rows.counted += cell;
  out.cells = std::move(cells);
  return encode(out);
}

Bytes weighted(const Labels& labels, std::vector<double> cells, std::vector<Tail> tails) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{labels, Origin::kGiven, 1});
  out.has_floats = out.has_squares = true;
  std::vector<double> squares(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) squares[i] = cells[i] * cells[i];
  out.weights = {std::move(cells), std::move(tails)};
  out.squares = {std::move(squares), {}};
  return encode(out);
}

std::vector<Bytes> seeds() {
  const Labels ints{Labels::Kind::kInt, {-1, 4, 9}, {}};
  const Labels bools{Labels::Kind::kBool, {0, 1}, {}};
  const Labels texts{Labels::Kind::kText, {}, {"", "ab"}};
  return {counts({}, Origin::kFound, {}),
          counts(ints, Origin::kFound, {1, 2, 3, 4, 500, 6, 7, 8, 9}),
          counts(ints, Origin::kGiven, {0, 0, 0, 70'000, 0, 0, 0, 0, 0}),
          counts(bools, Origin::kOfType, {1, 2, 3, 4}),
          counts(texts, Origin::kFound, {std::int64_t{1} << 61U, 2, 3, 4}),
          weighted(texts, {0.5, 1.25, 3.0, 1e300}, {{0, 0x1p-60}, {0, 0x1p-120}, {2, -0x1p-52}}),
          weighted(ints, {0.5, 0, 0, 0, 0, 0, 0, 0, 1e-300}, {})};
}

void merge_parts(const std::vector<std::span<const std::uint8_t>>& parts) {
  static const std::vector<Bytes> all = requests();
  const GroupTable table = merge_partials(parts);
  if (table.labels.size() > 8) return;  // metrics of many classes take long
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    const Spec spec = parse_spec(all[which]);
    std::vector<double> values(spec.asks.size());
    GroupEvaluator(spec, table.labels).table(table, values.data());
  }
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  try {
    const Counts read = decode_counts(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "a matrix is the same as itself");
    for (const Bytes& other : others) {
      try {
        CountsSum sum;
        for (const Bytes* const part : {&bytes, &other, &bytes}) sum.add(*part);
        const Counts all = sum.take();
        require(are_same(decode_counts(encode(all)), all), "a sum is read as it was");
        require(are_same(taken_away(all, all), taken_away(all, all)), "a difference is one");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other labels
      }
    }
    const std::vector<std::span<const std::uint8_t>> twice{bytes, bytes};
    merge_parts({twice[0]});
    merge_parts(twice);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kCounts("counts_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
