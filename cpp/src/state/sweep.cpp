// What sweeps are made of: bins by name, classes, equality.
#include "confmat/state/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

Labels one_of(const Labels& labels, std::int64_t at) {
  Labels out{labels.kind, {}, {}};
  out.add(labels, static_cast<std::size_t>(at));
  return out;
}

template <class T>
bool equal(std::span<const T> one, std::span<const T> other) {
  for (const auto [first, last] : Strides(one.size())) {
    if (!std::equal(one.begin() + static_cast<std::ptrdiff_t>(first),
                    one.begin() + static_cast<std::ptrdiff_t>(last),
                    other.begin() + static_cast<std::ptrdiff_t>(first))) {
      return false;
    }
  }
  return true;
}

bool equal(const AmountArray& one, const AmountArray& other, std::size_t n) {
  return std::visit(
      [n]<class One, class Other>(const One& a, const Other& b) {
        if constexpr (std::is_same_v<One, ExactSums> != std::is_same_v<Other, ExactSums>) {
          return false;
        } else {
          for (const auto [first, last] : Strides(n)) {
            for (std::size_t i = first; i < last; ++i) {
              if (amount(a, i) != amount(b, i)) return false;
            }
          }
          return true;
        }
      },
      one, other);
}

std::string shown(double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

}  // namespace

std::vector<double> Grid::lower(std::span<const std::uint32_t> bins, std::uint32_t after) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> out;
  out.reserve(bins.size());
  if (kind == Kind::kEdges) {
    for (const std::uint32_t bin : bins) {
      const std::size_t at = std::size_t{bin} + after;
      out.push_back(at == 0 ? -kInfinity : at <= edges.size() ? edges[at - 1] : kInfinity);
    }
    return out;
  }
  map.bins<std::uint64_t>([&](const auto& of) {
    for (const std::uint32_t bin : bins) out.push_back(of.lower(std::size_t{bin} + after));
  });
  return out;
}

std::size_t Grid::size() const {
  if (kind == Kind::kEdges) return edges.size() + 1;
  return map.bins<std::uint64_t>([](const auto& of) { return of.size(); });
}

std::string Grid::name() const {
  if (kind == Kind::kScores) return "an exact sweep";
  if (kind == Kind::kMap) return "a sweep of " + map.name() + " bins";
  return "a sweep of " + std::to_string(edges.size() - 1) + " given bins from " + shown(edges[0]) +
         " to " + shown(edges[edges.size() - 1]);
}

bool Grid::operator==(const Grid& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kMap) return map == other.map;
  return kind == Kind::kScores || std::ranges::equal(edges.view(), other.edges.view());
}

std::size_t Sweep::size() const {
  return grid.kind == Grid::Kind::kScores
             ? std::visit([](const auto& of) { return of.size(); }, scores)
             : bins.size();
}

Sweep canonical(Sweep sweep) {
  if (sweep.size() == 0) {
    sweep.type = ScoreType::kFloat64;
    sweep.is_exact = true;
  }
  if (sweep.size() == 0 || !sweep.is_exact) {
    sweep.scores = SharedArray<double>();
    if (sweep.type != ScoreType::kFloat64) sweep.scores = SharedArray<float>();
  }
  const auto bits = [](const AmountArray& side) {
    const auto* const wide = std::get_if<SharedArray<std::uint64_t>>(&side);
    return wide == nullptr ? ~std::uint64_t{0} : bits_of(wide->view());
  };
  if ((bits(sweep.positives) | bits(sweep.negatives)) > UINT32_MAX) return sweep;
  for (AmountArray* const side : {&sweep.positives, &sweep.negatives}) {
    const auto wide = std::get<SharedArray<std::uint64_t>>(*side);
    std::vector<std::uint32_t> narrow(wide.size());
    for (const auto [first, last] : Strides(wide.size())) {
      for (std::size_t i = first; i < last; ++i) narrow[i] = static_cast<std::uint32_t>(wide[i]);
    }
    *side = SharedArray<std::uint32_t>(std::move(narrow));
  }
  return sweep;
}

std::optional<Labels> usual_negative(const Labels& positive) {
  if (positive.kind == Labels::Kind::kText || (positive.ints[0] & ~std::int64_t{1}) != 0) {
    return std::nullopt;
  }
  return Labels{positive.kind, {1 - positive.ints[0]}, {}};
}

SharedLabels sweep_labels(const std::optional<Labels>& negative, const Labels& positive) {
  LabelSet set{positive, Origin::kFound, 1};
  if (negative) {
    if (negative->kind != positive.kind || *negative == positive) {
      throw InputError("the two classes are " + quoted_label(*negative, 0) + " and " +
                       quoted_label(positive, 0) + "; wanted two labels of one kind");
    }
    const bool is_first = negative->ints < positive.ints || negative->texts < positive.texts;
    set.labels = is_first ? *negative : positive;
    set.labels.add(is_first ? positive : *negative, 0);
    set.positive = is_first ? 2 : 1;
  }
  if (set.labels.usual_positive() == positive_at(set)) set.positive = 0;
  return std::make_shared<const LabelSet>(std::move(set));
}

std::optional<Labels> positive_of(const LabelSet& set) {
  const std::int64_t at = positive_at(set);
  if (at < 0) return std::nullopt;
  return one_of(set.labels, at);
}

std::optional<Labels> negative_of(const LabelSet& set) {
  const std::int64_t at = positive_at(set);
  if (set.size() < 2 || at < 0) return std::nullopt;
  return one_of(set.labels, 1 - at);
}

bool are_same(const Sweep& one, const Sweep& other) {
  if (one.size() != other.size() || one.type != other.type || one.is_exact != other.is_exact ||
      one.grid != other.grid || *one.labels != *other.labels ||
      one.rows.dropped != other.rows.dropped || one.rows.nan != other.rows.nan) {
    return false;
  }
  if (one.scores.index() != other.scores.index() || !equal(one.bins.view(), other.bins.view())) {
    return false;
  }
  const bool same_scores = std::visit(
      [&]<class T>(const SharedArray<T>& scores) {
        return equal(scores.view(), std::get<SharedArray<T>>(other.scores).view());
      },
      one.scores);
  if (one.squares.has_value() != other.squares.has_value()) return false;
  const auto same_squares = [&](const ExactSums& a, const ExactSums& b) {
    return equal(a.leads.view(), b.leads.view());
  };
  return same_scores && equal(one.positives, other.positives, one.size()) &&
         equal(one.negatives, other.negatives, one.size()) &&
         (!one.squares || (same_squares(one.squares->positives, other.squares->positives) &&
                           same_squares(one.squares->negatives, other.squares->negatives)));
}

}  // namespace confmat
