// Many saved confusion matrices as one. Those of the same labels, whose cells are all there, are
// added where they lie.
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

}  // namespace

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
  if (static_cast<std::uint64_t>(body.rows.counted) != found.total ||
      head.form != form_of(labels_->size(), found.filled, found.bits, false, false)) {
    return false;  // refused by the reader of all forms, with its words
  }
  if (rows_.counted == RowTotals::kUnknown) {  // the first one
    cells_.assign(head.held, 0);
    rows_.counted = 0;
  }
  if (!fits_beside(rows_.counted, body.rows.counted) ||
      !fits_beside(rows_.dropped, body.rows.dropped) ||
      !fits_beside(rows_.other, body.rows.other) || !fits_beside(rows_.nan, body.rows.nan)) {
    throw InputError("cannot add: the total is beyond 64-bit integers");
  }
  if (head.form.cell_bytes == 1) add_cells<std::uint8_t>(cells, cells_);
  if (head.form.cell_bytes == 2) add_cells<std::uint16_t>(cells, cells_);
  if (head.form.cell_bytes == 4) add_cells<std::uint32_t>(cells, cells_);
  rows_.counted += body.rows.counted;
  rows_.dropped += body.rows.dropped;
  rows_.other += body.rows.other;
  rows_.nan += body.rows.nan;
  return true;
}

void CountsSum::add(Bytes bytes) {
  if (add_alike(bytes)) return;
  Bytes leading;
  const Counts counts = decode_counts(bytes, &leading);
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
  leading_.clear();
  if (rows_.counted == RowTotals::kUnknown) return;
  Counts alike;
  alike.labels = labels_;
  alike.rows = std::exchange(rows_, {});
  alike.cells = std::exchange(cells_, {});
  total_ = std::make_unique<Counts>(added(*total_, alike));
}

Counts CountsSum::take() {
  settle();
  if (total_ == nullptr) throw InputError("nothing to merge: wanted at least one state");
  return std::move(*std::exchange(total_, nullptr));
}

}  // namespace confmat
