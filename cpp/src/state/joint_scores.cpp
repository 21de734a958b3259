// Adds the scores of two models, takes them away, writes and reads them. The payload:
//   8, ...      the size and the bytes of the sweep of A as a state; then those of B
//   8           the level of the bins that are counted together
//   ...         their cells: see joint counts
// `compatible`: that of the cells.
#include "confmat/state/joint_scores.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "joint_cells.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfJointScores{StateKind::kJointScores};

// Rows of each class in each of the bins.
using Totals = std::array<std::vector<std::uint64_t>, 2>;

Totals totals_of(const Sweep& sweep, unsigned level) {
  const Sweep joined = coarser(sweep, level);
  Totals out;
  for (auto& of_class : out) of_class.resize(joint_bins(level)->size());
  const auto bins = joined.bins.view();
  for (const bool positive : {false, true}) {
    std::visit(
        [&]<class Array>(const Array& amounts) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            for (std::size_t i = 0; i < bins.size(); ++i) out[positive][bins[i]] = amounts[i];
          }
        },
        positive ? joined.positives : joined.negatives);
  }
  return out;
}

Totals totals_of(const Joint& joint, Model model) {
  Totals out;
  for (auto& of_class : out) of_class.resize(joint.k());
  const auto k = static_cast<std::int64_t>(joint.k());
  for (const auto [first, last] : Strides(joint.places.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t place = joint.places[i];
      const std::int64_t bin = model == Model::kA ? place / k % k : place % k;
      out[static_cast<std::size_t>(place / k / k)][static_cast<std::size_t>(bin)] +=
          static_cast<std::uint64_t>(joint.cells.counts[i]);
    }
  }
  return out;
}

bool is_in_bins_within(const Sweep& sweep, unsigned level) {
  const auto own = unit_level_of(sweep.grid);
  return sweep.size() == 0 || (own && *own <= level);
}

// What is wrong; none: all is as the same rows give it. Sums of floats are not compared.
std::optional<std::string> fault_of(const JointScores& scores) {
  const Joint& bins = scores.bins;
  const auto k = static_cast<std::int64_t>(bins.k());
  if (bins.rows.counted != scores.rows.counted) return "its cells are of other rows";
  if (!bins.places.empty() && bins.places[bins.places.size() - 1] >= 2 * k * k) {
    return "a cell of a third class";
  }
  if (*scores.a.labels != *scores.b.labels) return "its sweeps are of other classes";
  for (const auto& [sweep, model] :
       {std::pair{&scores.a, Model::kA}, std::pair{&scores.b, Model::kB}}) {
    const RowTotals of_sweep{.counted = scores.rows.counted};
    if (!is_in_bins_within(*sweep, scores.level)) return "a sweep without such bins";
    if (sweep->rows != of_sweep) return "its sweeps are of other rows";
    if (sweep->size() > 0 && sweep->has_weights() != bins.cells.has_floats) {
      return "weights of its sweeps";
    }
    if (sweep->size() == 0 && bins.cells.size() > 0) return "a sweep of no rows";
    if (sweep->size() > 0 && !bins.cells.has_floats &&
        totals_of(*sweep, scores.level) != totals_of(bins, model)) {
      return "its cells are of other rows than its sweeps";
    }
  }
  return std::nullopt;
}

// Distinct places, as long as they are few.
class FewPlaces {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // How many came before the first of this one; kNone: there are too many.
  std::size_t operator()(std::int64_t place) {
    std::size_t at = (static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15U) >> kShift;
    while (slots_[at] != 0 && places_[slots_[at] - 1] != place) at = (at + 1) % kSlots;
    if (slots_[at] == 0) {
      if (places_.size() == kMostJointCells) return kNone;
      places_.push_back(place);
      slots_[at] = static_cast<std::uint32_t>(places_.size());
    }
    return slots_[at] - 1;
  }
  [[nodiscard]] const std::vector<std::int64_t>& places() const noexcept { return places_; }

 private:
  static constexpr std::size_t kSlots = 4 * kMostJointCells;
  static constexpr int kShift = 64 - std::countr_zero(kSlots);
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kSlots);
  std::vector<std::int64_t> places_;
};

// From cells of finest bins, or of those of a level, to those of a coarser one.
class Coarser {
 public:
  Coarser(unsigned from, unsigned to) noexcept
      : join_(from, to),
        from_(static_cast<std::int64_t>(unit_level(from).size)),
        to_(static_cast<std::int64_t>(unit_level(to).size)) {}

  [[nodiscard]] std::int64_t operator()(std::int64_t truth, std::uint32_t a,
                                        std::uint32_t b) const noexcept {
    return (truth * to_ + join_(a)) * to_ + join_(b);
  }
  [[nodiscard]] std::int64_t operator()(std::int64_t place) const noexcept {
    return (*this)(place / from_ / from_, static_cast<std::uint32_t>(place / from_ % from_),
                   static_cast<std::uint32_t>(place % from_));
  }

 private:
  UnitJoin join_;
  std::int64_t from_, to_;
};

// The finest level from the given one on where there are few places, of n cells; `at(level)` gives
// a function from the number of a cell to its place there.
template <class At>
unsigned fitting_level(std::size_t n, unsigned level, const At& at) {
  const StopSign sign;
  for (; level < kMostUnitLevel; ++level) {
    const auto place_of = at(level);
    FewPlaces few;
    std::size_t i = 0;
    while (i < n && few(place_of(i)) != FewPlaces::kNone) {
      if ((++i & 0xFFFFU) == 0) sign.obey();
    }
    if (i == n) break;
  }
  return level;
}

template <class PlaceOf>
Joint cells_at(unsigned level, std::size_t n, const EntrySums& sums, const PlaceOf& place_of) {
  std::vector<JointEntry> entries;
  entries.reserve(n);
  for (std::size_t i = 0; i < n; ++i) entries.push_back({place_of(i), &sums, i});
  return joint_of(joint_bins(level), {}, std::move(entries), sums);
}

// The same, of counts whose places are few: without a sort of all. None: they are many.
template <class PlaceOf>
std::optional<Joint> few_cells_at(unsigned level, const EntrySums& sums, const PlaceOf& place_of) {
  FewPlaces few;
  std::vector<std::int64_t> totals;
  for (const auto [first, last] : Strides(sums.counts.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t at = few(place_of(i));
      if (at == FewPlaces::kNone) return std::nullopt;
      if (at == totals.size()) totals.push_back(0);
      if (__builtin_add_overflow(totals[at], sums.counts[i], &totals[at])) {
        throw InputError("the rows are more than 64-bit integers hold");
      }
    }
  }
  EntrySums joined;
  joined.counts = std::move(totals);
  const auto& places = few.places();
  return cells_at(level, places.size(), joined, [&](std::size_t i) { return places[i]; });
}

Joint at_level(const JointScores& scores, unsigned level) {
  if (level == scores.level) return scores.bins;
  const Coarser join(scores.level, level);
  const auto& [labels, rows, places, cells] = scores.bins;
  Joint out = cells_at(level, places.size(), cells,
                       [&places = places, &join](std::size_t i) { return join(places[i]); });
  out.rows = rows;
  return out;
}

// Joins the cells to so few as a state has.
void coarsen(JointScores& scores) {
  const auto places = scores.bins.places.view();
  if (places.size() <= kMostJointCells) return;
  const unsigned level = fitting_level(places.size(), scores.level, [&](unsigned to) {
    return [places, join = Coarser(scores.level, to)](std::size_t i) { return join(places[i]); };
  });
  scores.bins = at_level(scores, level);
  scores.level = level;
}

template <class Operation>
JointScores joined(const JointScores& one, const JointScores& other, const Operation& operation) {
  JointScores out{operation(one.rows, other.rows),
                  operation(one.a, other.a),
                  operation(one.b, other.b),
                  std::max(one.level, other.level),
                  {}};
  out.bins = operation(at_level(one, out.level), at_level(other, out.level));
  coarsen(out);
  return out;
}

}  // namespace

const SharedLabels& joint_bins(unsigned level) {
  static const auto kBins = [] {
    std::array<SharedLabels, kMostUnitLevel + 1> out;
    for (unsigned of = 0; of < out.size(); ++of) {
      Labels labels{Labels::Kind::kInt, {}, {}};
      labels.ints.resize(unit_level(of).size);
      std::iota(labels.ints.begin(), labels.ints.end(), 0);
      out[of] = std::make_shared<const LabelSet>(LabelSet{std::move(labels), Origin::kGiven, 0});
    }
    return out;
  }();
  return kBins[level];
}

JointScores joint_scores_of(const RowTotals& rows, Sweep a, Sweep b, const JointCells& cells) {
  JointScores out{rows, std::move(a), std::move(b), 0, {}};
  for (Sweep* const sweep : {&out.a, &out.b}) sweep->rows = {.counted = sweep->rows.counted};
  const auto at = [&](unsigned level) {
    return [&cells, join = Coarser(0, level)](std::size_t i) {
      return join(cells.positive[i] != 0 ? 1 : 0, cells.a[i], cells.b[i]);
    };
  };
  const std::size_t n = cells.positive.size();
  out.level = fitting_level(n, 0, at);
  std::optional<Joint> few;
  if (!cells.sums.has_floats) few = few_cells_at(out.level, cells.sums, at(out.level));
  out.bins = few ? *std::move(few) : cells_at(out.level, n, cells.sums, at(out.level));
  out.bins.rows.counted = rows.counted;
  if (const auto fault = fault_of(out)) throw InputError("not scores of the same rows: " + *fault);
  return out;
}

JointScores added(const JointScores& one, const JointScores& other) {
  return joined(one, other, [](const auto& x, const auto& y) { return added(x, y); });
}

JointScores taken_away(const JointScores& one, const JointScores& other) {
  return joined(one, other, [](const auto& x, const auto& y) { return taken_away(x, y); });
}

bool are_same(const JointScores& one, const JointScores& other) {
  return one.rows.dropped == other.rows.dropped && one.rows.nan == other.rows.nan &&
         are_same(one.a, other.a) && are_same(one.b, other.b) && one.level == other.level &&
         are_same(one.bins, other.bins);
}

std::vector<std::uint8_t> encode(const JointScores& scores) {
  const std::uint8_t content = content_of(scores.bins.cells);
  StateWriter writer(StateKind::kJointScores, {&content, 1}, *scores.a.labels, scores.rows);
  ByteWriter& out = writer.payload();
  put_state(out, encode(scores.a));
  put_state(out, encode(scores.b));
  out.put(std::uint64_t{scores.level});
  put_cells(out, scores.bins);
  return writer.seal();
}

JointScores decode_joint_scores(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfJointScores);
  ByteReader reader(state.payload);
  JointScores out;
  out.rows = state.rows;
  out.a = decode_sweep(take_state(reader));
  out.b = decode_sweep(take_state(reader));
  const auto level = reader.get<std::uint64_t>();
  if (level > kMostUnitLevel) throw StateError("unknown level of bins");
  out.level = static_cast<unsigned>(level);
  out.bins.labels = joint_bins(out.level);
  out.bins.rows.counted = out.rows.counted;
  take_cells(reader, state.compatible, out.bins);
  std::optional<std::string> fault = fault_of(out);
  if (*out.a.labels != state.labels) fault = "its sweeps are of other classes";
  if (out.rows.other != 0) fault = "rows of other labels";
  if (fault) throw StateError("not what rows with two scores give: " + *fault);
  return out;
}

}  // namespace confmat
