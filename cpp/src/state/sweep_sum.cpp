// Many sweeps as one. Counts of the bins of a map are added in a table of all its bins, in 32 bits:
// what is there becomes a part before more rows than these hold are added. Parts, and anything
// else, are added in pairs of about the same size, so that each entry is moved log(sweeps) times.
#include "confmat/state/sweep_sum.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/kernels/cell_lists.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

constexpr std::size_t kFewEntries = 4096;  // which are added faster than a table is cleared

bool fits_table(const Sweep& sweep) {
  return sweep.grid.kind == Grid::Kind::kMap && !sweep.has_weights();
}

// Those of one sweep are below 2^63 together. Needs: they are counts.
std::uint64_t total_of(const Sweep& sweep) {
  std::uint64_t total = 0;
  for (const AmountArray* const side : {&sweep.positives, &sweep.negatives}) {
    std::visit(
        [&]<class Array>(const Array& amounts) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            for (const auto [first, last] : Strides(amounts.size())) {
              for (std::size_t i = first; i < last; ++i) total += amounts[i];
            }
          }
        },
        *side);
  }
  return total;
}

// Memory of the system, which is zero and free until it is used.
template <class T>
class Zeros {
 public:
  void resize(std::size_t size) {
    values_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (values_ == nullptr) throw std::bad_alloc();
  }
  void clear() noexcept { values_.reset(); }
  [[nodiscard]] T* get() const noexcept { return values_.get(); }

 private:
  struct Free {
    void operator()(T* values) const noexcept { std::free(values); }
  };
  std::unique_ptr<T, Free> values_;
};

}  // namespace

// The counts of all bins of a map, the highest first.
class SweepSum::Table {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return is_empty_; }
  // Of the unit bins that it has counts of.
  [[nodiscard]] std::optional<unsigned> level() const {
    return is_empty_ ? std::nullopt : unit_level_of(about_.grid);
  }
  // Whether so many more rows could be counted if it were empty, and cannot be now.
  [[nodiscard]] bool is_full_for(std::uint64_t rows) const noexcept {
    return rows <= kMostRows && rows > kMostRows - total_;
  }

  // False: it does not go with what is there, or in a table; nothing was added.
  bool add(const Sweep& sweep, std::uint64_t total) {
    if (!begin(sweep, total)) return false;
    if (sweep.size() > 0) use(sweep.bins[0], sweep.bins[sweep.size() - 1]);
    std::visit(
        [&]<class Array>(const Array& positives) {
          if constexpr (!std::is_same_v<Array, ExactSums>) {
            const Array& negatives = std::get<Array>(sweep.negatives);
            about_.is_exact = about_.is_exact && sweep.is_exact;
            if (!about_.is_exact) return add_counts(sweep, positives, negatives);
            std::visit([&](const auto& scores) { add_scored(sweep, scores, positives, negatives); },
                       sweep.scores);
          }
        },
        sweep.positives);
    return true;
  }

  bool add(const SavedBins& saved) {
    if (!begin(saved.about(), saved.total())) return false;
    use(saved.highest(), saved.lowest());
    about_.is_exact = false;
    std::uint64_t* const cells = cells_.get();
    const auto last = static_cast<std::uint32_t>(size_ - 1);
    saved.each([&](std::uint32_t bin, std::uint64_t positives, std::uint64_t negatives) {
      cells[last - bin] += cell_of(positives, negatives);
    });
    return true;
  }

  // The sum; then it is empty.
  Sweep take() {
    return drained([](std::span<const std::uint32_t> of) {
      return SharedArray<std::uint32_t>(std::vector<std::uint32_t>(of.begin(), of.end()));
    });
  }
  // The same, saved.
  std::vector<std::uint8_t> saved() {
    return encode(drained(
        [](std::span<const std::uint32_t> of) { return SharedArray<std::uint32_t>(nullptr, of); }));
  }

 private:
  static constexpr std::uint64_t kMostRows = UINT32_MAX;
  static constexpr std::size_t kBlock = 4096;

  static constexpr std::uint64_t cell_of(std::uint64_t positives,
                                         std::uint64_t negatives) noexcept {
    return positives | negatives << 32U;
  }

  // `held` makes arrays of lists that stay until the next call.
  template <class Held>
  Sweep drained(const Held& held) {
    entries_.clear();
    for (std::size_t at = first_; at < end_; at += kBlock) {
      entries_.take(cells_.get() + at, std::min(kBlock, end_ - at),
                    static_cast<std::uint32_t>(size_ - 1 - at));
    }
    is_empty_ = true;
    total_ = 0;
    Sweep out = std::exchange(about_, {});
    out.bins = held(entries_.places());
    out.positives = held(entries_.low());
    out.negatives = held(entries_.high());
    if (out.is_exact && out.type != ScoreType::kFloat64) {
      out.scores = scores_at<float>(entries_.places());
    } else if (out.is_exact) {
      out.scores = scores_at<double>(entries_.places());
    }
    return canonical(std::move(out));
  }

  // Whether a sweep goes with what is there, and in a table; if so counts its rows.
  bool begin(const Sweep& sweep, std::uint64_t total) {
    const bool goes = fits_table(sweep) && (is_empty_ || is_like(sweep));
    if (!goes || total > kMostRows - total_) return false;
    if (is_empty_) start(sweep);
    about_.rows = added(about_.rows, sweep.rows);
    total_ += total;
    return true;
  }

  void start(const Sweep& sweep) {
    const std::size_t size = sweep.grid.size();
    if (size != size_) {
      cells_.resize(size);
      scores_.clear();
      size_ = size;
    }
    is_empty_ = false;
    first_ = size;
    end_ = 0;
    about_.labels = sweep.labels;
    about_.grid = sweep.grid;
    about_.type = sweep.type;
    about_.rows.counted = 0;
  }

  [[nodiscard]] bool is_like(const Sweep& sweep) const {
    return sweep.grid == about_.grid && sweep.type == about_.type &&
           (sweep.labels == about_.labels || *sweep.labels == *about_.labels);
  }

  [[nodiscard]] std::size_t place_of(std::uint32_t bin) const noexcept { return size_ - 1 - bin; }

  void use(std::uint32_t highest, std::uint32_t lowest) {
    first_ = std::min(first_, place_of(highest));
    end_ = std::max(end_, place_of(lowest) + 1);
  }

  template <class Array>
  void add_counts(const Sweep& sweep, const Array& positives, const Array& negatives) {
    std::uint64_t* const cells = cells_.get();
    for (const auto [first, last] : Strides(sweep.bins.size())) {
      for (std::size_t i = first; i < last; ++i) {
        cells[place_of(sweep.bins[i])] += cell_of(positives[i], negatives[i]);
      }
    }
  }

  template <class Scores, class Array>
  void add_scored(const Sweep& sweep, const Scores& scores, const Array& positives,
                  const Array& negatives) {
    if (scores_.get() == nullptr) scores_.resize(size_);
    bool differs = false;
    for (const auto [first, last] : Strides(sweep.bins.size())) {
      for (std::size_t i = first; i < last; ++i) {
        const std::size_t place = place_of(sweep.bins[i]);
        const auto score = static_cast<double>(scores[i]);
        double& held = scores_.get()[place];
        if (cells_.get()[place] == 0) held = score;
        differs = differs || score != held;
      }
    }
    about_.is_exact = !differs;
    add_counts(sweep, positives, negatives);
  }

  template <class Score>
  [[nodiscard]] SharedArray<Score> scores_at(std::span<const std::uint32_t> bins) const {
    std::vector<Score> out;
    out.reserve(bins.size());
    for (const std::uint32_t bin : bins) {
      out.push_back(static_cast<Score>(scores_.get()[place_of(bin)]));
    }
    return out;
  }

  Zeros<std::uint64_t> cells_;  // positives in the lower half, negatives in the upper one
  Zeros<double> scores_;        // of all rows of a cell, while the sum is exact
  std::size_t size_ = 0;
  std::size_t first_ = 0, end_ = 0;  // of the cells that are used
  std::uint64_t total_ = 0;          // rows
  Sweep about_;                      // all but its entries
  CellLists entries_;                // of the last that was drained
  bool is_empty_ = true;
};

SweepSum::SweepSum() : table_(std::make_unique<Table>()) {}
SweepSum::~SweepSum() = default;

void SweepSum::add(Sweep sweep) {
  n_entries_ += sweep.size();
  if (n_entries_ > kFewEntries && fits_table(sweep)) {
    const std::optional<unsigned> level = unit_level_of(sweep.grid);
    const std::optional<unsigned> held = table_->level();
    const std::uint64_t total = total_of(sweep);
    if (level && held && *level < *held) {
      sweep = coarser(sweep, *held);
    } else if ((level && held && *level > *held) || table_->is_full_for(total)) {
      parts_.add(table_->take());
    }
    if (table_->add(sweep, total)) return;
  }
  parts_.add(std::move(sweep));
}

void SweepSum::add(const SavedBins& saved) {
  if (n_entries_ + saved.size() <= kFewEntries) return add(saved.decoded());
  if (table_->is_full_for(saved.total())) parts_.add(table_->take());
  if (!table_->add(saved)) return add(saved.decoded());
  n_entries_ += saved.size();
}

void SweepSum::add(AnySweep sweep) {
  std::visit([this](auto& of) { add(std::move(of)); }, sweep);
}

Sweep SweepSum::take() {
  if (!table_->is_empty()) parts_.add(table_->take());
  n_entries_ = 0;
  return parts_.take();
}

std::vector<std::uint8_t> SweepSum::saved() {
  if (table_->is_empty() || !parts_.is_empty()) return encode(take());
  n_entries_ = 0;
  return table_->saved();
}

}  // namespace confmat
