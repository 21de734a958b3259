// Many saved confusion matrices as one. Those of the same labels, whose cells are all there, are
// added where they lie.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "confmat/base/error.hpp"
#include "counts_form.hpp"

namespace confmat {
namespace {

struct Looked {
  std::uint64_t bits = 0;
  std::uint64_t total = 0;
  std::uint64_t filled = 0;
};

// Needs: the total fits. Two passes, as nothing may be added before all of it is known to be right.
template <class Cell>
Looked look(const std::uint8_t* cells, std::size_t n) noexcept {
  Looked out;
  for (std::size_t i = 0; i < n; ++i) {
    const auto cell = std::uint64_t{load<Cell>(cells, static_cast<std::int64_t>(i))};
    out.bits |= cell;
    out.total += cell;
    out.filled += cell != 0 ? 1U : 0U;
  }
  return out;
}

template <class Cell>
void add_cells(const std::uint8_t* cells, std::vector<std::int64_t>& to) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += static_cast<std::int64_t>(load<Cell>(cells, static_cast<std::int64_t>(i)));
  }
}

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

CountsSum::CountsSum() : weighted_(std::make_unique<Weighted>()) {}
CountsSum::~CountsSum() = default;

bool CountsSum::add_alike(Bytes bytes) {
  Body body;
  if (leading_.empty() || !open_alike(bytes, leading_, body)) return false;
  ByteReader reader(body.payload);
  const CountsHead head = take_head(reader, labels_->size(), false);
  // The total of fewer than 2^32 cells of 4 bytes fits 64 bits; cells of 8 bytes may not.
  if (head.form.is_sparse || head.form.cell_bytes > 4 || head.held > UINT32_MAX) return false;
  if (reader.left() != head.held * head.form.cell_bytes) return false;
  const std::uint8_t* const cells = reader.take(reader.left()).data();
  Looked found;
  if (head.form.cell_bytes == 1) found = look<std::uint8_t>(cells, head.held);
  if (head.form.cell_bytes == 2) found = look<std::uint16_t>(cells, head.held);
  if (head.form.cell_bytes == 4) found = look<std::uint32_t>(cells, head.held);
  if (static_cast<std::uint64_t>(body.rows.counted) != found.total || body.rows.nan != 0 ||
      head.form != form_of(labels_->size(), found.filled, found.bits, false, false)) {
    return false;  // refused by the reader of all forms, with its words
  }
  if (rows_.counted == RowTotals::kUnknown) {  // the first one
    cells_.assign(head.held, 0);
    rows_.counted = 0;
  }
  if (!fits_beside(rows_.counted, body.rows.counted)) {
    throw InputError("cannot add: the total is beyond 64-bit integers");
  }
  rows_ = added(rows_, body.rows);
  if (head.form.cell_bytes == 1) add_cells<std::uint8_t>(cells, cells_);
  if (head.form.cell_bytes == 2) add_cells<std::uint16_t>(cells, cells_);
  if (head.form.cell_bytes == 4) add_cells<std::uint32_t>(cells, cells_);
  return true;
}

void CountsSum::add(Bytes bytes) {
  if (add_alike(bytes)) return;
  Bytes leading;
  const Counts counts = decode_counts(bytes, &leading);
  if (weighted_->add(counts, leading)) return;
  add(counts);
  if (counts.has_floats || counts.has_squares || counts.is_sparse) return;
  leading_.assign(leading.begin(), leading.end());
  labels_ = counts.labels;
}

void CountsSum::add(const Counts& counts) {
  settle();
  total_ = std::make_unique<Counts>(total_ == nullptr ? counts : added(*total_, counts));
}

void CountsSum::settle() {
  if (!weighted_->is_empty()) {
    const Counts weighted = weighted_->take();
    total_ = std::make_unique<Counts>(total_ == nullptr ? added(nothing_like(weighted), weighted)
                                                        : added(*total_, weighted));
  }
  if (rows_.counted == RowTotals::kUnknown) return;
  Counts alike;
  alike.labels = labels_;
  alike.rows = std::exchange(rows_, {});
  alike.cells = std::exchange(cells_, {});
  total_ = std::make_unique<Counts>(total_ == nullptr ? std::move(alike) : added(*total_, alike));
}

Counts CountsSum::take() {
  settle();
  if (total_ == nullptr) throw InputError("nothing to merge: wanted at least one state");
  // A sum of larger tables alone might be one that is kept sparse.
  if (labels_ != nullptr && labels_->size() > kAlwaysTable) leading_.clear();
  return std::move(*std::exchange(total_, nullptr));
}

bool CountsSum::are_all_alike() const noexcept {
  return total_ == nullptr && weighted_->is_empty() && rows_.counted != RowTotals::kUnknown;
}

std::vector<std::uint8_t> CountsSum::take_bytes() {
  if (!are_all_alike()) return encode(take());
  std::uint64_t bits = 0;
  std::size_t filled = 0;
  for (const std::int64_t cell : cells_) {
    bits |= static_cast<std::uint64_t>(cell);
    filled += cell != 0 ? 1U : 0U;
  }
  const CountsForm form = form_of(labels_->size(), filled, bits, false, false);
  if (form.is_sparse) return encode(take());
  StateWriter writer(leading_, std::exchange(rows_, {}),
                     kHeadBytes + cells_.size() * form.cell_bytes);
  put_head(writer.payload(), form, cells_.size());
  put_numbers(writer.payload(), std::span<const std::int64_t>(cells_), form.cell_bytes);
  return writer.seal();
}

}  // namespace confmat
