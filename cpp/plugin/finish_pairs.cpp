#include <memory>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/pairs.hpp"
#include "plugin/finish_lists.hpp"

namespace confmat::plugin {
namespace {

template <class Word>
void add_words(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  const ArrowArray& elements = *lists.elements;
  const auto* words = static_cast<const Word*>(elements.buffers[1]) + elements.offset;
  if (elements.null_count == 0 || elements.buffers[0] == nullptr) {
    tally.add_run(std::span(words + begin, words + end));
    return;
  }
  const auto* validity = static_cast<const std::uint8_t*>(elements.buffers[0]);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t bit = elements.offset + i;
    if (((validity[bit >> 3] >> (bit & 7)) & 1) == 0) {
      tally.add_null();
    } else {
      tally.add(words[i]);
    }
  }
}

void add_binary(PairTally& tally, const Lists& lists, std::int64_t begin, std::int64_t end) {
  ArrowColumns column;
  column.add_binary(*lists.elements);
  for (std::int64_t row = begin; row < end; ++row) {
    if (column.front().valid(row)) {
      tally.add_binary(column.front().text(row));
    } else {
      tally.add_null();
    }
  }
}

using AddPairs = void (*)(PairTally&, const Lists&, std::int64_t begin, std::int64_t end);

AddPairs add_pairs_for(std::string_view format) {
  if (format == "I" || format == "i") return add_words<std::uint32_t>;
  if (format == "L") return add_words<std::uint64_t>;
  if (format == "_pli128") return add_words<Int128Bits>;
  if (format == "vz") return add_binary;
  throw InputError("the lists do not hold label pairs");
}

// One huge list, cut into a part for each thread.
void tally_in_parts(PairTally& tally, AddPairs add_pairs, const Lists& lists, int threads) {
  const auto [begin, end] = lists.range(0);
  std::vector<std::unique_ptr<PairTally>> parts;
  parts.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) parts.push_back(std::make_unique<PairTally>(false));
  for_each_task(threads, threads, [&, first = begin, n = end - begin] {
    return [&, first, n](std::int64_t i) {
      add_pairs(*parts[static_cast<std::size_t>(i)], lists, first + n * i / threads,
                first + n * (i + 1) / threads);
    };
  });
  for (const auto& part : parts) tally.add(*part);
}

}  // namespace

void finish_pairs(const ListInput& input, const Spec& spec, MetricStruct& out) {
  const AddPairs add_pairs = add_pairs_for(input.format);
  const int threads = threads_for(input);
  const bool in_parts = input.length == 1 && threads > 1 && !spec.weighted;
  for (const auto& lists : input.chunks) {
    for_each_task(lists.array->length, threads, [&] {
      return
          [&, evaluator = GroupEvaluator(spec), tally = std::make_unique<PairTally>(spec.weighted),
           values = out.scratch()](std::int64_t i) mutable {
            if (input.format == "i") tally->set_boolean();
            const auto [begin, end] = lists.range(i);
            if (in_parts) {
              tally_in_parts(*tally, add_pairs, lists, threads);
            } else if (begin < end) {
              add_pairs(*tally, lists, begin, end);
            }
            const auto totals = evaluator.table(tally->take(), values.data());
            out.set(lists.first_row + i, totals, values, evaluator.reasons());
          };
    });
  }
}

}  // namespace confmat::plugin
