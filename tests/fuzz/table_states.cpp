// Saved tables of slices: read alone, merged, taken away. What lies within is broken, too.
#include "confmat/base/error.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/slice_table.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

Bytes counts(std::int64_t n, Labels labels) {
  Counts out;
  out.labels = std::make_shared<const LabelSet>(LabelSet{std::move(labels), Origin::kFound, 0});
  out.rows.counted = n;
  out.cells = std::vector<std::int64_t>{n, 0, 0, 0};
  return encode(out);
}

KeyValues numbers(std::vector<std::uint64_t> ranks, std::vector<std::uint8_t> nulls) {
  return {std::move(nulls), std::move(ranks), {}};
}

std::vector<Bytes> seeds() {
  const Bytes ints = counts(5, {Labels::Kind::kInt, {0, 1}, {}});
  const Bytes texts = counts(300, {Labels::Kind::kText, {}, {"a", "b"}});
  SliceTable none;
  none.head = {"{}", {}, {"state"}};
  none.states = {{}};
  SliceTable one = none;
  one.rows = 1;
  one.states = {{ints}};
  SliceTable many;
  many.head = {"{\"by\":[\"a\",\"b\"]}",
               {{"i", "[\"Int8\"]", KeyKind::kInt},
                {"u", "[\"UInt64\"]", KeyKind::kUInt},
                {"f", "[\"Float64\"]", KeyKind::kFloat},
                {"t", "[\"String\"]", KeyKind::kText}},
               {"state", "scored"}};
  many.totals = {{"n", 3}, {"other", 0}};
  many.rows = 3;
  many.keys = {numbers({rank_of_int(1), rank_of_int(1), 0}, {0, 0, 1}), numbers({1, 2, 3}, {}),
               numbers({rank_of_float(0.5), rank_of_float(-1), rank_of_float(0)}, {}),
               KeyValues{{0, 1, 0}, {}, {"ab", "", "c"}}};
  many.states = {{ints, {}, texts}, {{}, texts, ints}};
  std::vector<Bytes> out;
  for (const SliceTable& table : {none, one, many}) out.push_back(merged({&table, 1}));
  return out;
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  const Bytes bytes = mended(input);
  try {
    const SliceTable read = decode_table(bytes);
    require(merged({&read, 1}, 1) == bytes, "what is read is written as it was");
    for (const Bytes& other : others) {
      try {
        const std::vector<SliceTable> both = {read, decode_table(other)};
        const Bytes sum = merged(both, 1);
        const std::vector<SliceTable> turned = {both[1], both[0]};
        require(merged(turned, 1) == sum, "the order of tables is nothing");
        const Bytes rest = taken_away(decode_table(sum), both[1]);
        require(decode_table(rest).rows == decode_table(sum).rows, "no slice goes");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other columns
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kTables("table_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
