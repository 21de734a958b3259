// Entries of many states, each at its place in their sum.
#include "confmat/state/parts.hpp"

#include <algorithm>
#include <functional>
#include <variant>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

// Where the labels of parts are in the whole. Neighbours have most often the same ones.
class LabelPlaces {
 public:
  explicit LabelPlaces(const SharedLabels& whole) : whole_(whole) {}

  std::span<const std::uint32_t> of(const SharedLabels& labels) {
    if (known_ && *known_ == *labels) return places_;
    MergedLabels merged = merge_labels(whole_, labels);
    if (merged.labels->labels != whole_->labels) {
      refuse_labels("read parts of", whole_->labels, labels->labels);
    }
    known_ = labels;
    places_ = std::move(merged.of_other);
    if (places_.empty()) {
      places_.resize(labels->size());
      for (std::uint32_t i = 0; i < labels->size(); ++i) places_[i] = i;
    }
    return places_;
  }

 private:
  SharedLabels whole_, known_;
  std::vector<std::uint32_t> places_;
};

// Where bins or scores, which descend, are in the whole; `from` goes on from one to the next.
template <class T, class U>
std::int64_t place_of(std::span<const T> whole, U wanted, std::size_t& from) {
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(from);
  const auto at = std::lower_bound(begin, whole.end(), wanted, std::greater<>());
  if (at == whole.end() || *at != wanted) {
    throw InputError("a part has a score that the whole has not");
  }
  from = static_cast<std::size_t>(at - whole.begin());
  return static_cast<std::int64_t>(from);
}

void add_places(const Sweep& whole, const Sweep& part, std::vector<std::int64_t>& out) {
  std::size_t from = 0;
  if (whole.grid.kind != Grid::Kind::kScores) {
    for (const std::uint32_t bin : part.bins.view()) {
      out.push_back(place_of(whole.bins.view(), bin, from));
    }
    return;
  }
  std::visit(
      [&](const auto& all, const auto& some) {
        for (const auto score : some.view()) {
          out.push_back(place_of(all.view(), score, from));
        }
      },
      whole.scores, part.scores);
}

void add_amounts(const AmountArray& from, std::vector<double>& to) {
  std::visit(
      [&](const auto& amounts) {
        for (std::size_t i = 0; i < size_of(amounts); ++i) {
          to.push_back(static_cast<double>(amount(amounts, i)));
        }
      },
      from);
}

}  // namespace

PartCells cells_of_parts(const Counts& whole, std::span<const Bytes> parts) {
  PartCells out;
  LabelPlaces labels(whole.labels);
  const auto k = static_cast<std::int64_t>(whole.k());
  const StopSign sign;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    sign.obey();
    const Counts counts = decode_counts(parts[part]);
    const auto places = labels.of(counts.labels);
    const auto own = static_cast<std::int64_t>(counts.k());
    for (std::size_t i = 0; i < counts.held(); ++i) {
      const double cell =
          counts.has_floats ? counts.weights.leads[i] : static_cast<double>(counts.cells[i]);
      if (cell == 0.0) continue;
      const std::int64_t at = counts.place(i);
      const std::int64_t truth = places[static_cast<std::size_t>(at / own)];
      out.parts.push_back(static_cast<std::int64_t>(part));
      out.places.push_back(truth * k + places[static_cast<std::size_t>(at % own)]);
      out.cells.push_back(cell);
    }
  }
  return out;
}

PartScores scores_of_parts(const Sweep& whole, std::span<const Bytes> parts) {
  PartScores out;
  const std::optional<unsigned> level = unit_level_of(whole.grid);
  const StopSign sign;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    sign.obey();
    Sweep sweep = decode_sweep(parts[part]);
    if (sweep.size() == 0) continue;
    if (level && unit_level_of(sweep.grid)) sweep = coarser(sweep, *level);
    if (sweep.grid != whole.grid) {
      throw InputError("a part is " + sweep.grid.name() + ", the whole " + whole.grid.name());
    }
    add_places(whole, sweep, out.places);
    out.parts.resize(out.places.size(), static_cast<std::int64_t>(part));
    add_amounts(sweep.positives, out.positives);
    add_amounts(sweep.negatives, out.negatives);
  }
  return out;
}

}  // namespace confmat
