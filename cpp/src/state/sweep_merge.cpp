// Adding and taking away sweeps, score by score or bin by bin.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/sweep.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

constexpr std::size_t kNone = ExactSumsBuilder::kNone;

template <class T>
std::string shown(T value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

bool has_rows(const AmountArray& amounts) {
  return std::visit(
      [](const auto& of) {
        for (std::size_t i = 0; i < size_of(of); ++i) {
          if (amount(of, i) != 0) return true;
        }
        return false;
      },
      amounts);
}

// Rows of the class 1 alone may be of {0, 1}, of {-1, 1} or of {1, 2}: then the usual name of the
// other class is no name.
std::optional<Labels> known_negative(const Sweep& of, const Sweep& beside) {
  std::optional<Labels> negative = negative_of(*of.labels);
  const std::optional<Labels> positive = positive_of(*of.labels);
  if (!negative || !positive || negative != usual_negative(*positive)) return negative;
  if (negative == negative_of(*beside.labels) || has_rows(of.negatives)) return negative;
  return std::nullopt;
}

SharedLabels merged_labels(const Sweep& one, const Sweep& other, const char* verb) {
  if (one.labels == other.labels || *one.labels == *other.labels) return one.labels;
  if (one.labels->size() == 0) return other.labels;
  if (other.labels->size() == 0) return one.labels;
  const auto first = known_negative(one, other);
  const auto second = known_negative(other, one);
  const bool both = first && second;
  if (positive_of(*one.labels) != positive_of(*other.labels) || (both && *first != *second)) {
    const auto listed = [&](const LabelSet& set) {
      return both ? set.labels : positive_of(set).value_or(set.labels);
    };
    throw InputError("cannot " + std::string(verb) + ": labels differ (" +
                     label_difference(listed(*one.labels), listed(*other.labels)) +
                     "); sweep both with the same classes");
  }
  return first ? one.labels : second ? other.labels : one.labels;
}

void require_alike(const Sweep& one, const Sweep& other, const char* verb) {
  const std::string start = "cannot " + std::string(verb) + ": ";
  if (one.grid != other.grid) {
    throw InputError(start + one.grid.name() + " and " + other.grid.name() +
                     "; sweep both with the same `bins=`");
  }
  if (one.type == other.type || one.size() == 0 || other.size() == 0) return;
  const auto clipped = [](ScoreType type) {
    constexpr const char* kWords[] = {"float16 scores at 2^-10", "float32 scores at 2^-23",
                                      "float64 scores at 2^-52"};
    return std::string(kWords[static_cast<std::size_t>(type)]);
  };
  throw InputError(start + "log loss clips " + clipped(one.type) + " and " + clipped(other.type) +
                   "; sweep both with scores of one dtype");
}

// Calls visit(i, j) for the entries that either has, descending; kNone: it has none there.
template <class Key, class Visit>
void each_of_both(std::span<const Key> one, std::span<const Key> other, const Visit& visit) {
  const StopSign sign;
  std::size_t i = 0, j = 0;
  for (std::size_t n = 0; i < one.size() && j < other.size(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    const bool left = one[i] >= other[j];
    const bool right = other[j] >= one[i];
    visit(left ? i : kNone, right ? j : kNone);
    i += left ? 1 : 0;
    j += right ? 1 : 0;
  }
  for (const auto [first, last] : Strides(one.size() - i)) {
    for (std::size_t at = first; at < last; ++at) visit(i + at, kNone);
  }
  for (const auto [first, last] : Strides(other.size() - j)) {
    for (std::size_t at = first; at < last; ++at) visit(kNone, j + at);
  }
}

// The two operations, by what becomes of the other amount. No score is added by a difference.
struct Sum {
  static constexpr double kSign = 1.0;
  static bool is_exact(const Sweep& one, const Sweep& other) noexcept {
    return one.is_exact && other.is_exact;
  }
};
struct Difference {
  static constexpr double kSign = -1.0;
  static bool is_exact(const Sweep& one, const Sweep& /*other*/) noexcept { return one.is_exact; }
};

class Merge {
 public:
  Merge(const Sweep& one, const Sweep& other) : one_(one), other_(other) {
    out_.grid = one.grid;
    out_.type = (one.size() > 0 ? one : other).type;
  }

  template <class Operation>
  Sweep run() {
    out_.is_exact = Operation::is_exact(one_, other_);
    if (one_.grid.kind != Grid::Kind::kScores) {
      walk<Operation>(one_.bins.view(), other_.bins.view());
    } else if (one_.size() == 0 || other_.size() == 0) {  // of which the type is not known
      const Sweep& full = one_.size() == 0 ? other_ : one_;
      std::visit(
          [&]<class T>(const SharedArray<T>& scores) {
            const std::span<const T> none;
            const bool first = &full == &one_;
            walk<Operation>(first ? scores.view() : none, first ? none : scores.view());
          },
          full.scores);
    } else {
      std::visit(
          [&]<class T>(const SharedArray<T>& scores) {
            walk<Operation>(scores.view(), std::get<SharedArray<T>>(other_.scores).view());
          },
          one_.scores);
    }
    return finish();
  }

 private:
  template <class Operation, class Key>
  void walk(std::span<const Key> one, std::span<const Key> other) {
    if (one_.has_weights() || other_.has_weights()) {
      AmountSums sums(one_, other_);
      each_of_both(one, other, [&](std::size_t i, std::size_t j) {
        if (Operation::kSign < 0 && i == kNone) refuse_missing(j);
        for (const bool positive : {true, false}) {
          const double left = sums.add(i, j, positive, Operation::kSign);
          if (left < 0) refuse_larger(i, j, positive);
        }
        check_score<Operation>(i, j);
        if (sums.are_last_zero()) return sums.drop_last();
        take_place(i, j);
      });
      sums.take(out_);
      return;
    }
    std::visit(
        [&](const auto& p, const auto& q) {
          add_counts<Operation>(one, other, p, as<decltype(p)>(one_.negatives), q,
                                as<decltype(q)>(other_.negatives));
        },
        one_.positives, other_.positives);
  }

  template <class Array>
  static const std::remove_cvref_t<Array>& as(const AmountArray& of) {
    return std::get<std::remove_cvref_t<Array>>(of);
  }

  template <class Operation, class Key, class One, class Other>
  void add_counts(std::span<const Key> one, std::span<const Key> other, const One& p_one,
                  const One& n_one, const Other& p_other, const Other& n_other) {
    if constexpr (!std::is_same_v<One, ExactSums> && !std::is_same_v<Other, ExactSums>) {
      std::vector<std::uint64_t> positives, negatives;
      positives.reserve(std::max(one.size(), other.size()));
      negatives.reserve(std::max(one.size(), other.size()));
      // Each state has a total below 2^63, so that sums of two cannot wrap.
      const auto of = [](const auto& amounts, std::size_t at) {
        return at == kNone ? std::uint64_t{0} : std::uint64_t{amounts[at]};
      };
      each_of_both(one, other, [&](std::size_t i, std::size_t j) {
        const std::uint64_t p[] = {of(p_one, i), of(p_other, j)};
        const std::uint64_t n[] = {of(n_one, i), of(n_other, j)};
        if constexpr (Operation::kSign < 0) {
          if (i == kNone) refuse_missing(j);
          if (p[1] > p[0]) refuse_larger(i, j, true);
          if (n[1] > n[0]) refuse_larger(i, j, false);
        }
        check_score<Operation>(i, j);
        constexpr auto kSign =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(Operation::kSign));
        if (p[0] + kSign * p[1] == 0 && n[0] + kSign * n[1] == 0) return;
        positives.push_back(p[0] + kSign * p[1]);
        negatives.push_back(n[0] + kSign * n[1]);
        take_place(i, j);
      });
      out_.positives = SharedArray<std::uint64_t>(std::move(positives));
      out_.negatives = SharedArray<std::uint64_t>(std::move(negatives));
    }
  }

  // The score of the entry, or its bin and the score in it.
  void take_place(std::size_t i, std::size_t j) {
    const Sweep& of = i != kNone ? one_ : other_;
    const std::size_t at = i != kNone ? i : j;
    if (has_bins()) bins_.push_back(of.bins[at]);
    if (!out_.is_exact) return;
    std::visit([&](const auto& scores) { put_score(scores[at]); }, of.scores);
  }
  void put_score(float score) { floats_.push_back(score); }
  void put_score(double score) { doubles_.push_back(score); }

  // A bin may hold one score here and another one there.
  template <class Operation>
  void check_score(std::size_t i, std::size_t j) {
    if (i == kNone || j == kNone || !has_bins() || !out_.is_exact || !other_.is_exact) return;
    const bool are_equal = std::visit(
        [&]<class T>(const SharedArray<T>& scores) {
          return scores[i] == std::get<SharedArray<T>>(other_.scores)[j];
        },
        one_.scores);
    if (are_equal) return;
    if (Operation::kSign > 0) {
      out_.is_exact = false;
      return;
    }
    throw InputError("cannot subtract: the bin from " + place(one_, i) + " holds the score " +
                     score_text(other_, j) + " in the second and " + score_text(one_, i) +
                     " in the first");
  }

  [[nodiscard]] std::string place(const Sweep& of, std::size_t at) const {
    if (of.grid.kind == Grid::Kind::kScores) return score_text(of, at);
    return shown(of.grid.lower({&of.bins[at], 1}).front());
  }
  static std::string score_text(const Sweep& of, std::size_t at) {
    return std::visit([&](const auto& scores) { return shown(scores[at]); }, of.scores);
  }
  [[nodiscard]] bool has_bins() const noexcept { return one_.grid.kind != Grid::Kind::kScores; }

  [[noreturn]] void refuse_missing(std::size_t j) const {
    throw InputError("cannot subtract: the " +
                     (has_bins() ? "bin from " + place(other_, j) + " is empty"
                                 : "score " + place(other_, j) + " is not") +
                     " in the first");
  }
  [[noreturn]] void refuse_larger(std::size_t i, std::size_t j, bool positive) const {
    const auto amount_of = [&](const Sweep& of, std::size_t at) {
      return std::visit([&](const auto& amounts) { return shown(amount(amounts, at)); },
                        positive ? of.positives : of.negatives);
    };
    throw InputError("cannot subtract: the " + std::string(has_bins() ? "bin from " : "score ") +
                     place(one_, i) + " holds " + amount_of(one_, i) + " in the first and " +
                     amount_of(other_, j) + " in the second");
  }

  Sweep finish() {
    if (has_bins()) out_.bins = std::move(bins_);
    if (out_.is_exact && out_.type != ScoreType::kFloat64) {
      out_.scores = SharedArray<float>(std::move(floats_));
    } else if (out_.is_exact) {
      out_.scores = SharedArray<double>(std::move(doubles_));
    }
    return canonical(std::move(out_));
  }

  const Sweep& one_;
  const Sweep& other_;
  Sweep out_;
  std::vector<std::uint32_t> bins_;
  std::vector<float> floats_;
  std::vector<double> doubles_;
};

void require_totals(const Sweep& sweep, const char* verb) {
  const std::string fault = total_fault(sweep);
  if (!fault.empty()) throw InputError("cannot " + std::string(verb) + ": " + fault);
}

// Whether both have unit bins, of two levels.
bool differ_in_level(const Sweep& one, const Sweep& other) {
  const auto first = unit_level_of(one.grid);
  const auto second = unit_level_of(other.grid);
  return first && second && *first != *second;
}

// operation(one, other) at the coarser of their levels.
Sweep at_one_level(const Sweep& one, const Sweep& other,
                   Sweep (*operation)(const Sweep&, const Sweep&)) {
  const unsigned level =
      std::max(unit_level_of(one.grid).value_or(0), unit_level_of(other.grid).value_or(0));
  return operation(coarser(one, level), coarser(other, level));
}

}  // namespace

Sweep added(const Sweep& one, const Sweep& other) {
  if (differ_in_level(one, other)) return at_one_level(one, other, &added);
  SharedLabels labels = merged_labels(one, other, "add");
  require_alike(one, other, "add");
  Sweep out = Merge(one, other).run<Sum>();
  require_totals(out, "add");
  out.labels = std::move(labels);
  out.rows = added(one.rows, other.rows);
  return out;
}

Sweep taken_away(const Sweep& one, const Sweep& other) {
  if (differ_in_level(one, other)) return at_one_level(one, other, &taken_away);
  SharedLabels labels = merged_labels(one, other, "subtract");
  require_alike(one, other, "subtract");
  const RowTotals rows = taken_away(one.rows, other.rows);
  Sweep out = Merge(one, other).run<Difference>();
  require_totals(out, "subtract");
  out.labels = std::move(labels);
  out.rows = rows;
  return out;
}

}  // namespace confmat
