// Many sweeps as one. Counts of the bins of a map are added in a table of all its bins; anything
// else is added in pairs of about the same size, so that each entry is moved log(sweeps) times.
#include "confmat/state/sweep_sum.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

constexpr std::size_t kFewEntries = 4096;  // which are added faster than a table is cleared

bool fits_table(const Sweep& sweep) {
  return sweep.grid.kind == Grid::Kind::kMap && !sweep.has_weights();
}

}  // namespace

// The counts of all bins of a map; memory of the system, which is zero and free until it is used.
class SweepSum::Table {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return is_empty_; }
  // Of the unit bins that it has counts of.
  [[nodiscard]] std::optional<unsigned> level() const {
    return is_empty_ ? std::nullopt : unit_level_of(about_.grid);
  }

  // False: it does not go with what is there, or in a table; nothing was added.
  bool add(const Sweep& sweep) {
    if (!begin(sweep)) return false;
    std::visit(
        [&]<class Array>(const Array& positives) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            const Array& negatives = std::get<Array>(sweep.negatives);
            require_total(positives, negatives);
            about_.is_exact = about_.is_exact && sweep.is_exact;
            if (!about_.is_exact) return add_counts(sweep, positives, negatives);
            std::visit([&](const auto& scores) { add_scored(sweep, scores, positives, negatives); },
                       sweep.scores);
          }
        },
        sweep.positives);
    about_.rows = added(about_.rows, sweep.rows);
    return true;
  }

  bool add(const SavedBins& saved) {
    const Sweep& about = saved.about();
    if (!begin(about)) return false;
    require_total(saved.total());
    about_.is_exact = false;
    Cell* const cells = cells_.get();
    saved.each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
      cells[bin].positives += positives;
      cells[bin].negatives += negatives;
      used_[bin >> kGroupBits] = 1;
    });
    about_.rows = added(about_.rows, about.rows);
    return true;
  }

  // The sum; then it is empty.
  Sweep take() {
    std::vector<std::uint32_t> bins;
    std::vector<std::uint64_t> positives, negatives;
    std::vector<double> scores;
    for (std::size_t group = used_.size(); group-- > 0;) {
      if (used_[group] == 0) continue;
      used_[group] = 0;
      const std::size_t end = std::min((group + 1) << kGroupBits, size_);
      for (std::size_t bin = end; bin-- > group << kGroupBits;) {
        Cell& cell = cells_.get()[bin];
        if ((cell.positives | cell.negatives) == 0) continue;
        bins.push_back(static_cast<std::uint32_t>(bin));
        positives.push_back(cell.positives);
        negatives.push_back(cell.negatives);
        if (about_.is_exact) scores.push_back(cell.score);
        cell = {};
      }
    }
    Sweep out = std::exchange(about_, {});
    is_empty_ = true;
    total_ = 0;
    if (out.is_exact && out.type != ScoreType::kFloat64) {
      out.scores = SharedArray<float>(std::vector<float>(scores.begin(), scores.end()));
    } else if (out.is_exact) {
      out.scores = SharedArray<double>(std::move(scores));
    }
    out.bins = std::move(bins);
    out.positives = SharedArray<std::uint64_t>(std::move(positives));
    out.negatives = SharedArray<std::uint64_t>(std::move(negatives));
    return canonical(std::move(out));
  }

 private:
  struct Cell {
    std::uint64_t positives, negatives;
    double score;  // of all its rows, while the sum is exact
  };
  struct Free {
    void operator()(Cell* cells) const noexcept { std::free(cells); }
  };
  static constexpr unsigned kGroupBits =
      8;  // neighbours of which one note says whether one is used

  // Whether a sweep goes with what is there, and in a table.
  bool begin(const Sweep& sweep) {
    if (!fits_table(sweep) || !(is_empty_ || is_like(sweep))) return false;
    if (is_empty_) start(sweep);
    return true;
  }

  void start(const Sweep& sweep) {
    const std::size_t size = sweep.grid.size();
    if (size != size_) {
      cells_.reset(static_cast<Cell*>(std::calloc(size, sizeof(Cell))));
      if (cells_ == nullptr) throw std::bad_alloc();
      size_ = size;
      used_.assign((size >> kGroupBits) + 1, 0);
    }
    is_empty_ = false;
    about_.labels = sweep.labels;
    about_.grid = sweep.grid;
    about_.type = sweep.type;
    about_.rows.counted = 0;
  }

  [[nodiscard]] bool is_like(const Sweep& sweep) const {
    return sweep.grid == about_.grid && sweep.type == about_.type &&
           (sweep.labels == about_.labels || *sweep.labels == *about_.labels);
  }

  // Those of one sweep are below 2^63 together.
  template <class Array>
  void require_total(const Array& positives, const Array& negatives) {
    std::uint64_t more = 0;
    for (const auto [first, last] : Strides(positives.size())) {
      for (std::size_t i = first; i < last; ++i) more += std::uint64_t{positives[i]} + negatives[i];
    }
    require_total(more);
  }

  void require_total(std::uint64_t more) {
    if (more > static_cast<std::uint64_t>(INT64_MAX) - total_) {
      throw InputError("cannot add: the counts sum to more than 2^63 - 1");
    }
    total_ += more;
  }

  template <class Array>
  void add_counts(const Sweep& sweep, const Array& positives, const Array& negatives) {
    Cell* const cells = cells_.get();
    for (const auto [first, last] : Strides(sweep.bins.size())) {
      for (std::size_t i = first; i < last; ++i) {
        const std::uint32_t bin = sweep.bins[i];
        cells[bin].positives += positives[i];
        cells[bin].negatives += negatives[i];
        used_[bin >> kGroupBits] = 1;
      }
    }
  }

  template <class Scores, class Array>
  void add_scored(const Sweep& sweep, const Scores& scores, const Array& positives,
                  const Array& negatives) {
    Cell* const cells = cells_.get();
    bool differs = false;
    for (const auto [first, last] : Strides(sweep.bins.size())) {
      for (std::size_t i = first; i < last; ++i) {
        const std::uint32_t bin = sweep.bins[i];
        const bool is_first = (cells[bin].positives | cells[bin].negatives) == 0;
        const double score = is_first ? static_cast<double>(scores[i]) : cells[bin].score;
        differs = differs || score != static_cast<double>(scores[i]);
        cells[bin].score = score;
      }
    }
    about_.is_exact = !differs;
    add_counts(sweep, positives, negatives);
  }

  std::unique_ptr<Cell, Free> cells_;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> used_;  // of each group of neighbours
  Sweep about_;                     // all but its entries
  bool is_empty_ = true;
  std::uint64_t total_ = 0;
};

SweepSum::SweepSum() : table_(std::make_unique<Table>()) {}
SweepSum::~SweepSum() = default;

void SweepSum::add(Sweep sweep) {
  n_entries_ += sweep.size();
  if (n_entries_ > kFewEntries) {
    const std::optional<unsigned> level = unit_level_of(sweep.grid);
    const std::optional<unsigned> held = table_->level();
    if (level && held && *level < *held) {
      sweep = coarser(sweep, *held);
    } else if (level && held && *level > *held) {
      parts_.add(table_->take());
    }
    if (table_->add(sweep)) return;
  }
  parts_.add(std::move(sweep));
}

void SweepSum::add(const SavedBins& saved) {
  if (n_entries_ + saved.size() > kFewEntries && table_->add(saved)) {
    n_entries_ += saved.size();
  } else {
    add(saved.decoded());
  }
}

void SweepSum::add(AnySweep sweep) {
  std::visit([this](auto& of) { add(std::move(of)); }, sweep);
}

Sweep SweepSum::take() {
  if (!table_->is_empty()) parts_.add(table_->take());
  n_entries_ = 0;
  return parts_.take();
}

}  // namespace confmat
