// Reads labels, scores and weights of a block of rows, by the type of each column.
#include "plugin/score_rows.hpp"

#include <cmath>
#include <string>

#include "confmat/base/half.hpp"
#include "confmat/batch/number_dispatch.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "plugin/rows.hpp"

namespace confmat::plugin {
namespace {

bool is_set_aside(const ScoredRow& row) { return row.kind > ScoredKind::kPositive; }

std::int64_t step_of(const Column& column) { return column.length == 1 ? 0 : 1; }

[[noreturn]] void refuse_integer(const std::string& value, std::int64_t row) {
  const Place place{.argument = "y_score", .first_row = row};
  place.fail("score " + value, 0, "has no exact float64");
}

// Integers are doubles, as their keys will be.
template <class T>
auto score_from(T value, std::int64_t row) {
  if constexpr (std::is_floating_point_v<T>) {
    static_cast<void>(row);
    return value;
  } else {
    const auto score = static_cast<double>(value);
    constexpr double kWhole = 9007199254740992.0;  // 2^53: below it every integer is a double
    if (std::fabs(score) >= kWhole && static_cast<Int128>(score) != static_cast<Int128>(value)) {
      refuse_integer(std::to_string(value), row);
    }
    return score;
  }
}

bool is_nan(HalfScore score) { return std::isnan(score.value); }
template <class Score>
bool is_nan(Score score) {
  return std::isnan(score);
}

template <class Score>
void set_score(ScoredRow& row, Score score, std::int64_t at) {
  if (is_nan(score)) {  // whatever the label is
    row = {ScoredKind::kNan, static_cast<std::uint64_t>(at)};
  } else if (!is_set_aside(row)) {
    row.key = wide_key(score);
  }
}

}  // namespace

ScoredRow ScoredLabels::of_int(std::int64_t label) const {
  if (!spec_.positive && (label < -1 || label > 1)) {
    return {ScoredKind::kBadLabel, static_cast<std::uint64_t>(label)};
  }
  // Labels come in any order: no branch.
  const bool negative = label != (spec_.positive ? spec_.positive->ints[0] : 1);
  const auto kind = static_cast<ScoredKind>(1 - static_cast<int>(negative));
  return {kind, 0, label_bits(label) & (std::uint64_t{0} - std::uint64_t{negative})};
}

ScoredRow ScoredLabels::of_text(std::string_view text) const {
  // The planner refuses texts without pos_label.
  if (spec_.positive && text == spec_.positive->texts[0]) return {ScoredKind::kPositive};
  return {ScoredKind::kNegative, 0, label_bits(text)};
}

void ScoredLabels::start_run(const Column& column) {
  if (column.type != DType::kDictionary) return;
  const Column& texts = *column.dictionary;
  entries_.assign(static_cast<std::size_t>(texts.length), {});
  for (std::int64_t i = 0; i < texts.length; ++i) {
    std::string_view text;
    const Place place{.argument = "y_true", .first_row = 0, .unit = "dictionary entry"};
    if (read_text(texts, i, place, text)) entries_[static_cast<std::size_t>(i)] = of_text(text);
  }
}

void ScoredLabels::read(const Column& column, std::int64_t first_row, std::span<ScoredRow> rows) {
  const auto n = static_cast<std::int64_t>(rows.size());
  const std::int64_t step = step_of(column);
  const Place place{.argument = "y_true", .first_row = first_row};
  if (column.type == DType::kText || column.type == DType::kDictionary) {
    for (std::int64_t i = 0; i < n; ++i) {
      ScoredRow& row = rows[static_cast<std::size_t>(i)];
      row = {};
      if (column.type == DType::kText) {
        std::string_view text;
        if (read_text(column, i * step, place, text)) row = of_text(text);
      } else if (column.valid(i * step)) {
        row = entries_[static_cast<std::size_t>(dictionary_key(column, i * step, place))];
      }
    }
    return;
  }
  read_numbers(column, n, values_);
  for (std::int64_t i = 0; i < n; ++i) {
    ScoredRow& row = rows[static_cast<std::size_t>(i)];
    row = {};
    if (!column.valid(i * step)) continue;
    const std::int64_t label = values_[static_cast<std::size_t>(i)];
    if (column.type == DType::kUInt64 && label < 0) {
      const std::string bits = std::to_string(static_cast<std::uint64_t>(label));
      place.fail("label " + bits, i, "is beyond 2^63 - 1");
    }
    row = of_int(label);
  }
}

bool ScoredLabels::pack_plain(const Column& labels, const Column& scores, NarrowScore::Bits* out) {
  const auto n = static_cast<std::size_t>(scores.length);
  if (labels.length != scores.length || scores.type != DType::kFloat32 ||
      labels.type == DType::kUInt64 || (!is_int(labels.type) && labels.type != DType::kBoolBits) ||
      any_null(labels, 0, n) || any_null(scores, 0, n)) {
    return false;
  }
  keys_.resize(n);
  if (!kernels().keys32(scores.data, n, keys_.data())) return false;
  const Run run = gather(labels, 0, n, scratch_);
  const std::int64_t positive = spec_.positive ? spec_.positive->ints[0] : 1;
  bool known = true;
  with_int_type(run.type, [&](auto like) {
    using T = decltype(like);
    wide_loop([&known, positive, n, values = run.values, keys = keys_.data(), out] {
      // The label bits of such labels are their own.
      constexpr std::uint64_t kLabel = (std::uint64_t{1} << 29U) - 1;
      NarrowScore::Bits* __restrict const to = out;
      std::uint64_t others = 0;
      for (std::size_t i = 0; i < n; ++i) {
        T value;
        std::memcpy(&value, values + i * sizeof(T), sizeof(T));
        const auto label = static_cast<std::int64_t>(value);
        others |= static_cast<std::uint64_t>(label) + 1 > 2 ? 1U : 0U;
        const std::uint64_t tail = label == positive
                                       ? static_cast<std::uint64_t>(ScoredKind::kPositive)
                                       : (static_cast<std::uint64_t>(label) & kLabel) << 3U;
        to[i] = std::uint64_t{keys[i]} << 32U | tail;
      }
      known = others == 0;
    });
  });
  return known || (spec_.positive && width_of(run.type) <= 2);
}

void drop_nulls(const Column& column, std::span<ScoredRow> rows) {
  const std::int64_t step = step_of(column);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!column.valid(static_cast<std::int64_t>(i) * step)) rows[i] = {ScoredKind::kDropped};
  }
}

void read_scores(const Column& column, ScoreWords words, std::int64_t first_row,
                 std::span<ScoredRow> rows) {
  const auto n = static_cast<std::int64_t>(rows.size());
  const std::int64_t step = step_of(column);
  const auto each = [&](const auto& score_at) {
    for (std::int64_t i = 0; i < n; ++i) {
      ScoredRow& row = rows[static_cast<std::size_t>(i)];
      if (row.kind == ScoredKind::kDropped) continue;
      set_score(row, score_at(i * step, first_row + i), first_row + i);
    }
  };
  if (words == ScoreWords::kHalves) {
    each([&](std::int64_t i, std::int64_t) {
      return HalfScore{float_of_half(load<std::uint16_t>(column, i))};
    });
  } else if (column.type == DType::kBoolBits) {
    each([&](std::int64_t i, std::int64_t) { return bit_at(column, i) ? 1.0 : 0.0; });
  } else {
    with_number_type(column.type, [&](auto tag) {
      using T = decltype(tag);
      each([&](std::int64_t i, std::int64_t row) { return score_from(load<T>(column, i), row); });
    });
  }
}

void read_score_weights(const Column& column, std::int64_t first_row, std::span<ScoredRow> rows) {
  thread_local std::vector<double> weights;
  const auto counts = [&](std::int64_t i) {
    return !is_set_aside(rows[static_cast<std::size_t>(i)]);
  };
  read_weights(column, static_cast<std::int64_t>(rows.size()), first_row, counts, weights);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_set_aside(rows[i])) rows[i].weight = weights[i];
  }
}

}  // namespace confmat::plugin
