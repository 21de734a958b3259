// Lists of score codes, one a group, as groups of scored rows.
#pragma once

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/score_group.hpp"
#include "plugin/lists.hpp"

namespace confmat::plugin {

using AddScores = void (*)(ScoreGroup& group, const Lists& lists, std::int64_t begin,
                           std::int64_t end);

// Throws InputError for lists of anything else than codes for this spec.
AddScores add_scores_for(std::string_view format, const Spec& spec);

// Calls sink(row of the result, group) for each list, on several threads where the elements are
// worth it; `make_sink()` gives each thread a sink of its own.
template <class MakeSink>
void for_each_score_group(const ListInput& input, const Spec& spec, const MakeSink& make_sink) {
  const AddScores add_scores = add_scores_for(input.format, spec);
  const int inside = input.length == 1 ? threads_for(input) : 1;  // one huge list
  for (const Lists& lists : input.chunks) {
    for_each_task(lists.array->length, threads_for(input), [&] {
      return [&, sink = make_sink(), group = ScoreGroup(spec)](std::int64_t i) mutable {
        const auto [begin, end] = lists.range(i);
        group.start(static_cast<std::size_t>(end - begin), inside);
        if (begin < end) add_scores(group, lists, begin, end);
        sink(lists.first_row + i, group);
      };
    });
  }
}

}  // namespace confmat::plugin
