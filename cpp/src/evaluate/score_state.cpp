// Sweeps of groups: made of their rows, and as metrics read them.
#include "confmat/evaluate/score_state.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "confmat/base/half.hpp"
#include "confmat/base/shown.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/evaluate/score_code.hpp"
#include "confmat/scores/score_key.hpp"

namespace confmat {
namespace {

// What both amounts of a bin sum up to, one bin after the other.
template <class T>
struct Sums {
  static constexpr bool kWeights = std::is_same_v<T, double>;
  using Value = std::conditional_t<kWeights, double, std::uint64_t>;
  std::conditional_t<kWeights, Sum2, std::uint64_t> open[2] = {};
  std::vector<Value> closed[2];

  void add(T positive, T negative) {
    const T both[] = {positive, negative};
    for (int side = 0; side < 2; ++side) {
      if constexpr (kWeights) {
        open[side].add(both[side]);
      } else {
        open[side] += both[side];
      }
    }
  }
  void close() {
    for (int side = 0; side < 2; ++side) {
      if constexpr (kWeights) {
        closed[side].push_back(open[side].value());
      } else {
        closed[side].push_back(open[side]);
      }
      open[side] = {};
    }
  }
  AmountArray take(int side) {
    SharedArray<Value> values(std::move(closed[side]));
    if constexpr (kWeights) {
      return ExactSums{std::move(values), {}};
    } else {
      return values;
    }
  }
};

// What squared weights sum up to, one bin after the other; nothing where there are none.
struct Squares {
  metrics::Amounts<double> of;
  bool are_known;
  Sums<double> sums = {};

  void add(std::size_t i) {
    if (are_known) sums.add(of.positives[i], of.negatives[i]);
  }
  void close() {
    if (are_known) sums.close();
  }
  void give(Sweep& out) {
    if (!are_known) return;
    out.squares = SquareSums{std::get<ExactSums>(sums.take(0)), std::get<ExactSums>(sums.take(1))};
  }
};

// The entries of a state, from the scores of a group, descending, and their amounts.
template <class Score, class T>
struct Entries {
  const Score* scores;
  const metrics::Amounts<T>& amounts;
  Squares squares;
  std::size_t n;
  Sums<T> sums = {};
  std::vector<std::uint32_t> bins = {};
  std::vector<Score> first = {};  // of each entry

  [[nodiscard]] Score score(std::size_t i) const { return scores[i] + Score{0}; }  // no -0.0

  void add_each() {
    for (std::size_t i = 0; i < n; ++i) {
      first.push_back(score(i));
      add(i);
      close();
    }
  }
  template <class Bins>
  void add_bins(const Bins& of, Sweep& out) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto bin = static_cast<std::uint32_t>(of.bin(score_key(static_cast<double>(score(i)))));
      if (bins.empty() || bins.back() != bin) {
        if (!bins.empty()) close();
        bins.push_back(bin);
        first.push_back(score(i));
      } else {
        out.is_exact = false;
      }
      add(i);
    }
    if (!bins.empty()) close();
  }
  void add(std::size_t i) {
    sums.add(amounts.positives[i], amounts.negatives[i]);
    squares.add(i);
  }
  void close() {
    sums.close();
    squares.close();
  }
  void give(Sweep& out) {
    out.bins = SharedArray<std::uint32_t>(std::move(bins));
    if (out.is_exact) out.scores = SharedArray<Score>(std::move(first));
    out.positives = sums.take(0);
    out.negatives = sums.take(1);
    squares.give(out);
  }
};

// Whole weights, of a column of integers, as counts. False: a sum was rounded.
bool make_counts(Sweep& sweep) {
  constexpr double kMostExact = 9007199254740992.0;  // 2^53
  AmountArray sides[2];
  for (int side = 0; side < 2; ++side) {
    const auto& sums = std::get<ExactSums>(side == 0 ? sweep.positives : sweep.negatives);
    std::vector<std::uint64_t> counts;
    counts.reserve(sums.leads.size());
    for (const double lead : sums.leads.view()) {
      if (lead >= kMostExact) return false;
      counts.push_back(static_cast<std::uint64_t>(lead));
    }
    sides[side] = SharedArray<std::uint64_t>(std::move(counts));
  }
  sweep.positives = std::move(sides[0]);
  sweep.negatives = std::move(sides[1]);
  sweep.squares.reset();
  return true;
}

}  // namespace

SharedLabels labels_of(const ScoreGroup& group, const GroupLabels& seen) {
  const auto& named = group.spec().positive;
  Labels positive = named ? *named : Labels{seen.kind, {1}, {}};
  positive.kind = seen.kind;
  std::optional<Labels> negative = usual_negative(positive);
  const auto bits = group.negative();
  if (bits && seen.kind == Labels::Kind::kInt && *bits < kHashedLabel) {
    negative = Labels{seen.kind, {label_of_bits(*bits)}, {}};
  } else if (bits && seen.kind != Labels::Kind::kBool) {
    negative = std::nullopt;
    for (int end = 0; end < 2; ++end) {
      const auto& number = seen.ints[end];
      const auto& text = seen.texts[end];
      if (number && label_bits(*number) == *bits) negative = Labels{seen.kind, {*number}, {}};
      if (text && label_bits(*text) == *bits) negative = Labels{seen.kind, {}, {*text}};
    }
  }
  return sweep_labels(negative, positive);
}

Sweep state_of(const ScoreGroup& group, const metrics::SweepView& view,
               const std::optional<BinMap>& map, const GroupLabels& seen, bool whole_weights) {
  Sweep out;
  out.labels = labels_of(group, seen);
  out.rows = group.rows();
  out.type = view.clip > 0              ? ScoreType::kFloat16
             : view.scores.index() == 1 ? ScoreType::kFloat64
                                        : ScoreType::kFloat32;
  if (map) out.grid = {.kind = Grid::Kind::kMap, .map = *map, .edges = {}};
  std::visit(
      [&]<class Score, class T>(const Score* scores, const metrics::Amounts<T>& amounts) {
        // Where no row has a weight above 0 there is nothing that they could point to.
        const bool are_known =
            std::is_same_v<T, double> && (view.size == 0 || view.squares.positives != nullptr);
        Entries<Score, T> entries{scores, amounts, {view.squares, are_known}, view.size};
        if (map) {
          map->bins<std::uint64_t>([&](const auto& of) { entries.add_bins(of, out); });
        } else {
          entries.add_each();
        }
        entries.give(out);
      },
      view.scores, view.amounts);
  if (whole_weights && out.has_weights()) make_counts(out);
  return canonical(std::move(out));
}

namespace {

double clip_of(ScoreType type) {
  if (type == ScoreType::kFloat16) return kHalfEpsilon;
  return type == ScoreType::kFloat32 ? double{std::numeric_limits<float>::epsilon()}
                                     : std::numeric_limits<double>::epsilon();
}

}  // namespace

ScoreView::ScoreView(const Sweep& sweep) {
  view_.size = sweep.size();
  view_.clip = clip_of(sweep.type);  // bounds of bins are doubles, whatever the scores were
  if (sweep.is_exact) {
    std::visit([&](const auto& scores) { view_.scores = scores.data(); }, sweep.scores);
  } else {
    lower_ = sweep.grid.lower(sweep.bins.view());
    view_.scores = lower_.data();
  }
  std::visit(
      [&]<class Array>(const Array& positives) {
        const auto& negatives = std::get<Array>(sweep.negatives);
        if constexpr (std::is_same_v<Array, ExactSums>) {
          view_.amounts = metrics::Amounts<double>{positives.leads.data(), negatives.leads.data()};
        } else {
          using T = std::remove_cvref_t<decltype(positives[0])>;
          view_.amounts = metrics::Amounts<T>{positives.data(), negatives.data()};
        }
      },
      sweep.positives);
  if (sweep.squares) {
    view_.squares = {sweep.squares->positives.leads.data(), sweep.squares->negatives.leads.data()};
  }
}

namespace {

bool is_of_probability(const metrics::ScoreAsk& ask) {
  return metrics::score_facts()[static_cast<std::size_t>(ask.row)].needs_probability;
}

// The middles of bins within [0, 1]. Throws InputError, naming the metric: one lies outside.
std::vector<double> middles(const Sweep& sweep, const std::string& metric) {
  std::vector<double> out = sweep.grid.lower(sweep.bins.view());
  const std::vector<double> upper = sweep.grid.lower(sweep.bins.view(), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] > 1 || (upper[i] <= 0 && out[i] < 0)) {
      throw InputError("`y_score`: the bin [" + shown_number(out[i]) + ", " +
                       shown_number(upper[i]) + ") is outside [0, 1]; " + metric +
                       " needs probabilities, from 0 to 1");
    }
    const double low = std::clamp(out[i], 0.0, 1.0);
    const double high = std::clamp(upper[i], 0.0, 1.0);
    const double middle = low / 2 + high / 2;
    out[i] = middle < high ? middle : low;  // between neighbouring doubles it can round to `high`
  }
  return out;
}

}  // namespace

void score_values(const Spec& spec, const Sweep& sweep, const ScoreView& view, double* out) {
  const auto first = std::ranges::find_if(spec.score_asks, is_of_probability);
  if (sweep.is_exact || first == spec.score_asks.end())
    return score_values(spec, view.view(), 1, out);
  Spec part = spec;
  std::vector<double> values(spec.score_asks.size());
  const auto fill = [&](bool of_probability, const metrics::SweepView& of) {
    part.score_asks.clear();
    std::ranges::copy_if(spec.score_asks, std::back_inserter(part.score_asks),
                         [&](const auto& ask) { return is_of_probability(ask) == of_probability; });
    score_values(part, of, 1, values.data());
    for (std::size_t i = 0, at = 0; i < spec.score_asks.size(); ++i) {
      if (is_of_probability(spec.score_asks[i]) == of_probability) out[i] = values[at++];
    }
  };
  fill(false, view.view());
  const std::vector<double> at = middles(sweep, first->name);
  metrics::SweepView tied = view.view();
  tied.scores = at.data();
  fill(true, tied);
}

namespace {

double amount_at(const AmountArray& amounts, std::size_t i) {
  return std::visit(
      [i]<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return of.leads[i];
        } else {
          return static_cast<double>(of[i]);
        }
      },
      amounts);
}

}  // namespace

double total(const Sweep& sweep) {
  Sum2 out;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    out.add(amount_at(sweep.positives, i));
    out.add(amount_at(sweep.negatives, i));
  }
  return out.value();
}

double auc_error(const Sweep& sweep) {
  if (sweep.is_exact) return 0.0;
  Sum2 pairs, totals[2];
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const double positives = amount_at(sweep.positives, i);
    const double negatives = amount_at(sweep.negatives, i);
    totals[0].add(positives);
    totals[1].add(negatives);
    pairs.add(positives * negatives);
  }
  return pairs.value() / 2 / totals[0].value() / totals[1].value();
}

}  // namespace confmat
