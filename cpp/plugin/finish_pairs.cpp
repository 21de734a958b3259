// Lists of codes, one a group, as metrics: codes of pairs of labels that nobody has named.
#include <memory>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/enum_groups.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "plugin/lists.hpp"

namespace confmat::plugin {
namespace {

// Adds rows begin ... end - 1 of the elements. Null codes are no codes of ours, but lists may have
// been cut and put together since.
template <class Row>
void add_rows(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* rows = static_cast<const Row*>(elements.buffers[1]) + elements.offset;
  if (elements.null_count == 0 || elements.buffers[0] == nullptr) {
    tally.add(std::span(rows + begin, rows + end));
    return;
  }
  const auto* validity = static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      tally.add_null();
    } else {
      tally.add(std::span(rows + i, 1));
    }
  }
}

// One huge list, cut into a part for each thread.
void tally_in_parts(PairTally& tally, const PairReading& pairs, const Lists& lists, int threads) {
  const auto [begin, end] = lists.range(0);
  std::vector<std::unique_ptr<PairTally>> parts;
  parts.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) parts.push_back(std::make_unique<PairTally>(pairs));
  for_each_task(threads, threads, [&, first = begin, n = end - begin] {
    return [&, first, n](std::int64_t i) {
      add_rows<std::uint32_t>(*parts[static_cast<std::size_t>(i)], lists, first + n * i / threads,
                              first + n * (i + 1) / threads);
    };
  });
  for (const auto& part : parts) tally.add(*part);
}

}  // namespace

void add_pairs(PairTally& tally, const Lists& lists, std::int64_t i, bool weighted) {
  const auto [begin, end] = lists.range(i);
  if (begin == end) return;
  if (weighted) {
    add_rows<WeightedCode>(tally, lists, begin, end);
  } else {
    add_rows<std::uint32_t>(tally, lists, begin, end);
  }
}

void finish_pairs(const ListInput& input, const Spec& spec, MetricStruct& out) {
  if (input.format != (spec.weighted ? "_pli128" : "I")) {
    throw InputError("the lists do not hold codes of label pairs");
  }
  const PairReading pairs = PairDictionary::shared().reading();
  const int threads = threads_for(input);
  const bool in_parts = input.length == 1 && threads > 1 && !spec.weighted;
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return [&, evaluator = GroupEvaluator(spec), tally = std::make_unique<PairTally>(pairs),
              of_enum = EnumGroups(spec), values = out.scratch()](std::int64_t i) mutable {
        const auto [begin, end] = lists.range(i);
        if (in_parts) {
          tally_in_parts(*tally, pairs, lists, threads);
        } else {
          add_pairs(*tally, lists, i, spec.weighted);
        }
        const Categories* categories = tally->resolve();
        if (categories == nullptr) {
          const auto totals = evaluator.table(tally->take(spec.weighted), values.data());
          out.set(lists.first_row + i, totals, values, evaluator.reasons());
        } else {
          const auto totals = of_enum.evaluate(*tally, end - begin, *categories, values.data());
          out.set(lists.first_row + i, totals, values, of_enum.reasons());
        }
      };
    });
  }
}

}  // namespace confmat::plugin
