// Many saved confusion matrices as one: those of rows in a table, those of weights as exact sums.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "confmat/base/error.hpp"
#include "table_sum.hpp"

namespace confmat {
namespace {

bool fits_beside(std::int64_t one, std::int64_t other) noexcept {
  return other <= std::numeric_limits<std::int64_t>::max() - one;
}

// Of no rows: what is added to it is checked as every sum.
Counts nothing_like(const Counts& counts) {
  Counts out;
  out.rows.counted = 0;
  out.has_floats = counts.has_floats;
  out.has_squares = counts.has_squares;
  return out;
}

// A sum of 584 bytes a cell.
constexpr std::size_t kMostSums = 4096;

}  // namespace

// Matrices of weights with the same labels, each cell as an exact sum.
class CountsSum::Weighted {
 public:
  // False: it does not go with what is there, or not at all; nothing was added.
  bool add(const Counts& counts, Bytes leading) {
    if (!goes(counts)) return false;
    if (leading_.empty()) {
      start(counts, leading);
    } else if (!std::ranges::equal(leading, leading_)) {
      return false;
    }
    const std::int64_t more = counts.has_floats ? 0 : sum_of(counts);
    if (!fits_beside(total_, more)) return false;
    total_ += more;
    rows_ = added(rows_, counts.rows);
    if (counts.has_floats) {
      add_sums(counts, counts.weights, weights_);
    } else {
      for (std::size_t i = 0; i < counts.held(); ++i) {
        cells_[static_cast<std::size_t>(counts.place(i))] += counts.cells[i];
      }
    }
    if (counts.has_squares) add_sums(counts, counts.squares, squares_);
    return true;
  }

  // Then it is empty. Needs: there is something.
  Counts take() {
    Counts out;
    out.labels = std::move(labels_);
    out.rows = std::exchange(rows_, {});
    out.has_floats = !weights_.empty();
    out.has_squares = !squares_.empty();
    if (out.has_floats) {
      out.weights = rounded(weights_);
    } else {
      out.cells = std::exchange(cells_, {});
    }
    if (out.has_squares) out.squares = rounded(squares_);
    leading_.clear();
    total_ = 0;
    return out;
  }
  [[nodiscard]] bool is_empty() const noexcept { return leading_.empty(); }

 private:
  static bool goes(const Counts& counts) {
    const auto are_finite = [](const ExactSums& of) {
      return std::ranges::all_of(of.leads.view(), [](double x) { return std::isfinite(x); });
    };
    return (counts.has_floats || counts.has_squares) && counts.k() > 0 &&
           counts.k() <= kMostSums / counts.k() && counts.rows.counted != RowTotals::kUnknown &&
           are_finite(counts.weights) && are_finite(counts.squares);
  }

  static std::int64_t sum_of(const Counts& counts) {
    std::int64_t out = 0;  // fits, as of every state
    for (const std::int64_t cell : counts.cells.view()) out += cell;
    return out;
  }

  void start(const Counts& counts, Bytes leading) {
    const std::size_t n = counts.k() * counts.k();
    leading_.assign(leading.begin(), leading.end());
    labels_ = counts.labels;
    rows_.counted = 0;
    if (counts.has_floats) {
      weights_.resize(n);
    } else {
      cells_.assign(n, 0);
    }
    if (counts.has_squares) squares_.resize(n);
  }

  static void add_sums(const Counts& counts, const ExactSums& from, std::vector<ExactSum>& to) {
    for (std::size_t i = 0; i < from.leads.size(); ++i) {
      if (from.leads[i] != 0) to[static_cast<std::size_t>(counts.place(i))].add(from.leads[i]);
    }
    for (const Tail& tail : from.tails.view()) {
      to[static_cast<std::size_t>(counts.place(static_cast<std::size_t>(tail.at)))].add(tail.part);
    }
  }

  static ExactSums rounded(std::vector<ExactSum>& sums) {
    ExactSumsBuilder out;
    out.reserve(sums.size());
    for (const ExactSum& sum : sums) out.add(sum);
    sums.clear();
    return out.take();
  }

  std::vector<std::uint8_t> leading_;
  SharedLabels labels_;
  RowTotals rows_;
  std::int64_t total_ = 0;  // of whole weights
  std::vector<std::int64_t> cells_;
  std::vector<ExactSum> weights_, squares_;
};

CountsSum::CountsSum()
    : table_(std::make_unique<TableSum>()), weighted_(std::make_unique<Weighted>()) {}
CountsSum::~CountsSum() = default;

void CountsSum::add(Bytes bytes) {
  if (table_->add(bytes)) return;
  Bytes leading;
  const Counts counts = decode_counts(bytes, &leading);
  if (!weighted_->add(counts, leading)) add(counts);
}

void CountsSum::add(const Counts& counts) {
  settle();
  total_.add(counts);
}

void CountsSum::settle() {
  if (!table_->is_empty()) total_.add(table_->take());
  if (weighted_->is_empty()) return;
  const Counts weighted = weighted_->take();
  total_.add(total_.is_empty() ? added(nothing_like(weighted), weighted) : weighted);
}

Counts CountsSum::take() {
  settle();
  return total_.take();
}

}  // namespace confmat
