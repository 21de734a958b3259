// Adds joint counts of two models, takes them away, and sums them over one of the models.
#include "confmat/state/joint.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/shown.hpp"
#include "each_of_both.hpp"

namespace confmat {
namespace {

constexpr std::size_t kNone = EntryMerge::kNone;

[[noreturn]] void refuse_total() {
  throw InputError("cannot add: the total is beyond 64-bit integers");
}

void require_places(std::size_t k) {
  if (k <= kMostJointClasses) return;
  throw InputError("joint counts of " + std::to_string(k) + " classes; wanted at most " +
                   std::to_string(kMostJointClasses) + ": name the classes that count as `labels`");
}

// Entries that are added up by their places, which then ascend; none is 0.
struct Summed {
  std::vector<std::int64_t> places;
  EntrySums sums;
};

Summed summed(std::vector<JointEntry> entries, const EntrySums& form) {
  std::ranges::sort(entries, {}, &JointEntry::place);
  Summed out;
  out.sums.has_floats = form.has_floats;
  out.sums.has_squares = form.has_squares;
  std::vector<std::int64_t> counts;
  ExactSumsBuilder weights, squares;
  ExactTotal weight, square;
  const StopSign sign;
  for (std::size_t first = 0, n = 0; first < entries.size(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    std::int64_t count = 0;
    weight.clear();
    square.clear();
    std::size_t last = first;
    for (; last < entries.size() && entries[last].place == entries[first].place; ++last) {
      const auto& [place, of, i] = entries[last];
      if (form.has_floats) {
        weight.add(of->weights, i);
      } else if (__builtin_add_overflow(count, of->counts[i], &count)) {
        refuse_total();
      }
      if (form.has_squares) square.add(of->squares, i);
    }
    const std::int64_t place = entries[std::exchange(first, last)].place;
    if (form.has_floats) {
      weights.add(weight);
      if (weights.last() == 0) {
        weights.drop_last();
        continue;
      }
    } else if (count == 0) {
      continue;
    } else {
      counts.push_back(count);
    }
    out.places.push_back(place);
    if (form.has_squares) squares.add(square);
  }
  out.sums.counts = std::move(counts);
  out.sums.weights = weights.take();
  out.sums.squares = squares.take();
  return out;
}

// A cell at its place among the classes of a merge.
struct Placed {
  std::int64_t place;
  std::size_t i;
};

std::vector<Placed> placed(const Joint& of, const std::vector<std::uint32_t>& at, std::size_t k) {
  std::vector<Placed> out;
  out.reserve(of.places.size());
  const auto own = static_cast<std::int64_t>(of.k());
  const auto side = static_cast<std::int64_t>(k);
  const auto moved = [&](std::int64_t label) -> std::int64_t {
    return at.empty() ? label : at[static_cast<std::size_t>(label)];
  };
  for (const auto [first, last] : Strides(of.places.size())) {
    for (std::size_t i = first; i < last; ++i) {
      std::int64_t place = of.places[i];
      if (!at.empty() || own != side) {
        place = (moved(place / own / own) * side + moved(place / own % own)) * side +
                moved(place % own);
      }
      out.push_back({place, i});
    }
  }
  if (!std::ranges::is_sorted(out, {}, &Placed::place)) std::ranges::sort(out, {}, &Placed::place);
  return out;
}

std::string shown(const EntrySums& of, std::size_t i) {
  if (i == kNone) return "0";
  if (!of.has_floats) return std::to_string(of.counts[i]);
  return shown_number(of.weights.leads[i]);
}

[[noreturn]] void refuse_negative(const Joint& out, std::int64_t place, const std::string& in_one,
                                  const std::string& in_other) {
  const auto k = static_cast<std::int64_t>(out.k());
  const auto label = [&](std::int64_t i) {
    return quoted_label(out.labels->labels, static_cast<std::size_t>(i));
  };
  throw InputError("cannot subtract: true " + label(place / k / k) + ", of model a " +
                   label(place / k % k) + ", of model b " + label(place % k) + " has " + in_one +
                   " in the first and " + in_other + " in the second");
}

Joint joined(const Joint& one, const Joint& other, const MergedLabels& labels,
             EntryMerge::Operation operation) {
  Joint out;
  out.labels = labels.labels;
  require_places(out.k());
  const auto [left, right] = in_one_form(one.cells, other.cells);
  EntryMerge cells(left, right, operation);
  const std::vector<Placed> of_one = placed(one, labels.of_one, out.k());
  const std::vector<Placed> of_other = placed(other, labels.of_other, out.k());
  std::vector<std::int64_t> places;
  places.reserve(of_one.size());
  each_of_both(
      of_one.size(), of_other.size(),
      [&](std::size_t i, std::size_t j) { return of_one[i].place <=> of_other[j].place; },
      [&, &left = left, &right = right](std::size_t i, std::size_t j) {
        const std::int64_t place = i == kNone ? of_other[j].place : of_one[i].place;
        const std::size_t in_one = i == kNone ? kNone : of_one[i].i;
        const std::size_t in_other = j == kNone ? kNone : of_other[j].i;
        if (!cells.next(in_one, in_other)) {
          refuse_negative(out, place, shown(left, in_one), shown(right, in_other));
        }
        if (cells.is_last_zero()) return cells.drop_last();
        places.push_back(place);
      });
  cells.check_total();
  out.places = std::move(places);
  out.cells = cells.take();
  return out;
}

}  // namespace

Joint joint_of(SharedLabels labels, const RowTotals& rows, std::vector<JointEntry> entries,
               const EntrySums& form) {
  Joint out;
  out.labels = std::move(labels);
  out.rows = rows;
  require_places(out.k());
  Summed all = summed(std::move(entries), form);
  std::int64_t total = 0;
  for (const std::int64_t count : all.sums.counts.view()) {
    if (__builtin_add_overflow(total, count, &total)) refuse_total();
  }
  out.places = std::move(all.places);
  out.cells = std::move(all.sums);
  return out;
}

Counts matrix_of(const Joint& joint, Model model) {
  const auto k = static_cast<std::int64_t>(joint.k());
  std::vector<JointEntry> entries;
  entries.reserve(joint.places.size());
  for (const auto [first, last] : Strides(joint.places.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const std::int64_t with_a = joint.places[i] / k;
      const std::int64_t with_b = with_a / k * k + joint.places[i] % k;
      entries.push_back({model == Model::kA ? with_a : with_b, &joint.cells, i});
    }
  }
  Summed all = summed(std::move(entries), joint.cells);
  Counts out;
  out.labels = joint.labels;
  out.rows = joint.rows;
  out.has_floats = all.sums.has_floats;
  out.has_squares = all.sums.has_squares;
  out.is_sparse = !is_table(joint.k(), all.places.size());
  if (out.is_sparse) {
    out.places = std::move(all.places);
    out.cells = std::move(all.sums.counts);
    out.weights = std::move(all.sums.weights);
    out.squares = std::move(all.sums.squares);
    return out;
  }
  const std::size_t size = joint.k() * joint.k();
  const auto spread = [&](const ExactSums& from) {
    std::vector<double> leads(size);
    std::vector<Tail> tails(from.tails.view().begin(), from.tails.view().end());
    for (Tail& tail : tails) tail.at = static_cast<std::uint64_t>(all.places[tail.at]);
    for (std::size_t i = 0; i < from.leads.size(); ++i) {
      leads[static_cast<std::size_t>(all.places[i])] = from.leads[i];
    }
    return ExactSums{std::move(leads), std::move(tails)};
  };
  if (out.has_floats) {
    out.weights = spread(all.sums.weights);
  } else {
    std::vector<std::int64_t> cells(size);
    for (std::size_t i = 0; i < all.places.size(); ++i) {
      cells[static_cast<std::size_t>(all.places[i])] = all.sums.counts[i];
    }
    out.cells = std::move(cells);
  }
  if (out.has_squares) out.squares = spread(all.sums.squares);
  return out;
}

Joint added(const Joint& one, const Joint& other) {
  Joint out =
      joined(one, other, merge_labels(one.labels, other.labels), EntryMerge::Operation::kAdd);
  out.rows = added(one.rows, other.rows);
  return out;
}

Joint taken_away(const Joint& one, const Joint& other) {
  Joint out = joined(one, other, remaining_labels(one.labels, other.labels),
                     EntryMerge::Operation::kSubtract);
  out.rows = taken_away(one.rows, other.rows);
  return out;
}

bool are_same(const Joint& one, const Joint& other) {
  return one.labels->labels == other.labels->labels && one.rows.dropped == other.rows.dropped &&
         one.rows.other == other.rows.other &&
         std::ranges::equal(one.places.view(), other.places.view()) &&
         are_same(one.cells, other.cells);
}

}  // namespace confmat
