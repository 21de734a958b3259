// Merges the sweeps of parts of the rows, which descend.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/tally/sweep.hpp"

namespace confmat {
namespace {

constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;

// One type for all states while they are merged.
template <class Score, class Tally>
struct Typed {
  Pages<Score> scores;
  Pages<Tally> positives;
  Pages<Tally> negatives;
  // Of weights whose squares are known: as many sums of these.
  Pages<double> positive_squares = {};
  Pages<double> negative_squares = {};

  [[nodiscard]] bool has_squares() const noexcept {
    return std::is_same_v<Tally, double> && positive_squares.size() == scores.size();
  }
};

template <class Score, class Tally>
Typed<Score, Tally> merge_two(const Typed<Score, Tally>& a, const Typed<Score, Tally>& b) {
  const std::size_t most = a.scores.size() + b.scores.size();
  Typed<Score, Tally> out{Pages<Score>(most), Pages<Tally>(most), Pages<Tally>(most)};
  const bool squares = a.has_squares() && b.has_squares();
  if (squares) {
    out.positive_squares = Pages<double>(most);
    out.negative_squares = Pages<double>(most);
  }
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t at = 0;
  const StopSign sign;
  for (; i < a.scores.size() && j < b.scores.size(); ++at) {
    if (at % kBetweenLooks == 0) sign.obey();
    const Score left = a.scores[i];
    const Score right = b.scores[j];
    const bool from_a = left >= right;
    const bool from_b = !from_a || right >= left;  // each turn takes one, whatever the scores
    out.scores[at] = from_a ? left : right;
    out.positives[at] = (from_a ? a.positives[i] : Tally{}) + (from_b ? b.positives[j] : Tally{});
    out.negatives[at] = (from_a ? a.negatives[i] : Tally{}) + (from_b ? b.negatives[j] : Tally{});
    if (squares) {
      out.positive_squares[at] =
          (from_a ? a.positive_squares[i] : 0.0) + (from_b ? b.positive_squares[j] : 0.0);
      out.negative_squares[at] =
          (from_a ? a.negative_squares[i] : 0.0) + (from_b ? b.negative_squares[j] : 0.0);
    }
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  const auto rest = [&](const Typed<Score, Tally>& of, std::size_t from) {
    for (const auto [first, last] : Strides(of.scores.size() - from)) {
      for (std::size_t k = first; k < last; ++k) {
        out.scores[at + k] = of.scores[from + k];
        out.positives[at + k] = of.positives[from + k];
        out.negatives[at + k] = of.negatives[from + k];
        if (!squares) continue;
        out.positive_squares[at + k] = of.positive_squares[from + k];
        out.negative_squares[at + k] = of.negative_squares[from + k];
      }
    }
    at += of.scores.size() - from;
  };
  if (i < a.scores.size()) rest(a, i);
  if (j < b.scores.size()) rest(b, j);
  out.scores.shrink(at);
  out.positives.shrink(at);
  out.negatives.shrink(at);
  if (squares) {
    out.positive_squares.shrink(at);
    out.negative_squares.shrink(at);
  }
  return out;
}

template <class To, class From>
Pages<To> converted(std::span<const From> values) {
  Pages<To> pages(values.size());
  for (const auto [first, last] : Strides(values.size())) {
    for (std::size_t i = first; i < last; ++i) pages[i] = static_cast<To>(values[i]);
  }
  return pages;
}

template <class To, class Variant>
Pages<To> converted(const Variant& values) {
  return std::visit([](const auto& typed) { return converted<To>(typed); }, values);
}

// Sums of squares of a state among weights: of counts these themselves.
template <class Score>
void take_squares(const SweepView& state, Typed<Score, double>& out) {
  const bool has_counts = state.positives.index() != 2;
  if (!has_counts && state.positive_squares.size() != out.scores.size()) return;
  out.positive_squares =
      has_counts ? converted<double>(state.positives) : converted<double>(state.positive_squares);
  out.negative_squares =
      has_counts ? converted<double>(state.negatives) : converted<double>(state.negative_squares);
}

std::string state_name(std::size_t index) { return "state " + std::to_string(index); }

void require_sweep(const SweepView& state, std::size_t index) {
  std::visit(
      [index](const auto& scores) {
        bool descends = scores.empty() || !std::isnan(scores[0]);
        const std::size_t pairs = scores.empty() ? 0 : scores.size() - 1;
        for (const auto [first, last] : Strides(pairs)) {
          for (std::size_t i = first; i < last; ++i) descends &= scores[i + 1] < scores[i];
        }
        if (!descends) throw InputError(state_name(index) + ": the scores do not descend");
      },
      state.scores);
  const auto size = [](const auto& values) {
    return std::visit([](const auto& typed) { return typed.size(); }, values);
  };
  const std::size_t n = size(state.scores);
  if (size(state.positives) != n || size(state.negatives) != n ||
      state.positives.index() != state.negatives.index()) {
    throw InputError(state_name(index) +
                     ": scores, positives and negatives do not belong together");
  }
}

bool fits_32_bits(const Pages<std::uint64_t>& counts) {
  const auto all = counts.span();
  std::uint64_t bits = 0;
  for (const auto [first, last] : Strides(all.size())) {
    for (std::size_t i = first; i < last; ++i) bits |= all[i];
  }
  return bits <= std::numeric_limits<std::uint32_t>::max();
}

// All counts together are what a total can be: below 2^63. So no sum of two of them wraps.
template <class Score>
void require_counts(const Typed<Score, std::uint64_t>& state) {
  auto left = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const auto [first, last] : Strides(state.positives.size())) {
    for (std::size_t i = first; i < last; ++i) {
      for (const std::uint64_t count : {state.positives[i], state.negatives[i]}) {
        if (count > left) throw InputError("the counts of the states sum to more than 2^63 - 1");
        left -= count;
      }
    }
  }
}

template <class Score, class Tally>
Typed<Score, Tally> merge_all(std::span<const SweepView> states) {
  std::vector<Typed<Score, Tally>> left;
  for (const SweepView& state : states) {
    left.push_back({converted<Score>(state.scores), converted<Tally>(state.positives),
                    converted<Tally>(state.negatives)});
    if constexpr (std::is_same_v<Tally, std::uint64_t>) {
      require_counts(left.back());
    } else {
      take_squares(state, left.back());
    }
  }
  if (left.empty()) left.emplace_back();
  while (left.size() > 1) {  // neighbours, so that each row is moved log(states) times
    std::vector<Typed<Score, Tally>> merged;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2) {
      merged.push_back(merge_two(left[i], left[i + 1]));
      left[i] = {};
      left[i + 1] = {};
      if constexpr (std::is_same_v<Tally, std::uint64_t>) {
        require_counts(merged.back());
      }
    }
    if (left.size() % 2 == 1) merged.push_back(std::move(left.back()));
    left = std::move(merged);
  }
  return std::move(left.front());
}

template <class Score>
SweepState merge_scores(std::span<const SweepView> states) {
  bool weighted = false;
  bool wide = false;
  for (const SweepView& state : states) {
    wide |= state.positives.index() == 1;
    weighted |= state.positives.index() == 2;
  }
  if (weighted) {
    auto merged = merge_all<Score, double>(states);
    return {std::move(merged.scores), std::move(merged.positives), std::move(merged.negatives),
            std::move(merged.positive_squares), std::move(merged.negative_squares)};
  }
  auto merged = merge_all<Score, std::uint64_t>(states);
  if (wide || !fits_32_bits(merged.positives) || !fits_32_bits(merged.negatives)) {
    return {std::move(merged.scores), std::move(merged.positives), std::move(merged.negatives)};
  }
  return {std::move(merged.scores), converted<std::uint32_t>(merged.positives.span()),
          converted<std::uint32_t>(merged.negatives.span())};
}

}  // namespace

SweepView view_of(const SweepState& state) {
  SweepView view;
  std::visit([&](const auto& pages) { view.scores = pages.span(); }, state.scores);
  std::visit([&](const auto& pages) { view.positives = pages.span(); }, state.positives);
  std::visit([&](const auto& pages) { view.negatives = pages.span(); }, state.negatives);
  view.positive_squares = state.positive_squares.span();
  view.negative_squares = state.negative_squares.span();
  return view;
}

SweepState merge_sweeps(std::span<const SweepView> states) {
  bool wide = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    require_sweep(states[i], i);
    wide |= states[i].scores.index() == 1;
  }
  return wide ? merge_scores<double>(states) : merge_scores<float>(states);
}

}  // namespace confmat
