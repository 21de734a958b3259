// Walks a part of the rows, and makes a new table when classes change.
#include "worker.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/tally/look_ahead.hpp"

namespace confmat {

template <class Cell>
void Worker<Cell>::run(std::int64_t first, std::int64_t last) {
  buffers_ = std::make_unique_for_overwrite<Buffers>();
  budget_.left = job_.max_bytes / job_.threads;
  Side truth{&truth_, Cursor(job_.y_true, first)};
  Side prediction{&prediction_, Cursor(job_.y_pred, first)};
  Cursor weight(job_.sample_weight, kWeighted ? first : 0);
  const Column* weight_chunk = nullptr;
  if (job_.fixed == nullptr) {
    discovery_ = std::make_unique<Discovery>(
        job_.kind, last - first, job_.most_classes,
        std::min(job_.most_classes, most_classes(job_.max_bytes / job_.threads, kCellBytes)));
  }
  first_ = first;
  last_ = last;
  // Wider rows arrive no faster than they are counted one by one.
  is_narrow_ = width_of(stored_type(truth.cursor.chunk())) <= 4 &&
               width_of(stored_type(prediction.cursor.chunk())) <= 4;
  // Texts that are not known yet are looked up one by one: so the first blocks are short.
  constexpr std::int64_t kFirstRows = 64;
  constexpr std::int64_t kMostRows = kBlock;
  const bool learns_texts = discovery_ != nullptr && job_.kind == Labels::Kind::kText;
  std::int64_t most = learns_texts ? kFirstRows : kMostRows;
  for (row_ = first; row_ < last; most = std::min(4 * most, kMostRows)) {
    std::int64_t n = std::min({most, last - row_, truth.cursor.left(), prediction.cursor.left()});
    if constexpr (kWeighted) n = std::min(n, weight.left());
    const auto size = static_cast<std::size_t>(n);
    follow(truth);
    follow(prediction);
    if (discovery_ != nullptr && classes().classes == 0) learn(truth, prediction, size);
    bool other = false;
    do {
      other = truth_.read(truth.cursor.at(), size, width(), buffers_->truth);
      other |= prediction_.read(prediction.cursor.at(), size, width(), buffers_->prediction);
      if (other && discovery_ != nullptr) learn(truth, prediction, size);
    } while (other && discovery_ != nullptr);
    if constexpr (kWeighted) {
      if (weight_chunk != &weight.chunk()) {
        weight_chunk = &weight.chunk();
        weight_.start(*weight_chunk, row_ - weight.at());
      }
      weight_.read(weight.at(), size, buffers_->weights, buffers_->truth, buffers_->prediction,
                   static_cast<std::uint16_t>(classes().null()));
    }
    if (other && outsider.row < 0) note_outsider(truth, prediction, size);
    if (!has_part_) begin_part();  // now that the classes have all labels of the block
    if constexpr (kWeighted) {
      count_weights(truth, prediction, weight, size);
      weight.advance(n);
    } else {
      count_rows(truth, prediction, size);
    }
    truth.cursor.advance(n);
    prediction.cursor.advance(n);
    row_ += n;
  }
  finish_part();
  if (discovery_ != nullptr) set = discovery_->set();
}

template <class Cell>
void Worker<Cell>::restart(Side& side) {
  side.chunk = &side.cursor.chunk();
  side.reader->start(*side.chunk, classes(), row_ - side.cursor.at());
}

template <class Cell>
void Worker<Cell>::follow(Side& side) {
  if (side.chunk != &side.cursor.chunk()) restart(side);
}

// Makes the classes cover the labels of this block.
template <class Cell>
void Worker<Cell>::learn(Side& truth, Side& prediction, std::size_t n) {
  if (classes().form == ClassSet::Form::kWindow) {
    Extremes seen;
    truth_.widen(truth.cursor.at(), n, seen);
    prediction_.widen(prediction.cursor.at(), n, seen);
    finish_part();
    discovery_->cover(seen);
  } else {
    learned_ = 0;
    if (learn_labels(truth, n, buffers_->truth) &&
        learn_labels(prediction, n, buffers_->prediction)) {
      return;
    }
    finish_part();
    if (!discovery_->enlarge(2 * (row_ - first_) + learned_)) throw TooManyClasses{};
  }
  restart(truth);
  restart(prediction);
}

// False: there is no room for all labels of the block.
template <class Cell>
bool Worker<Cell>::learn_labels(const Side& side, std::size_t n, const std::uint16_t* buffer) {
  const std::uint32_t other = classes().other();
  for (std::size_t i = 0; i < n; ++i) {
    if (class_at(buffer, i) != other) continue;
    const std::int64_t at = side.cursor.at() + static_cast<std::int64_t>(i);
    const bool known = job_.kind == Labels::Kind::kText
                           ? discovery_->add(side.reader->text_label(at))
                           : discovery_->add(side.reader->int_label(at));
    if (!known) {
      learned_ += static_cast<std::int64_t>(i);
      return false;
    }
  }
  learned_ += static_cast<std::int64_t>(n);
  return true;
}

template <class Cell>
void Worker<Cell>::note_outsider(const Side& truth, const Side& prediction, std::size_t n) {
  const std::uint32_t other = classes().other();
  const std::uint32_t null = classes().null();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t t = class_at(buffers_->truth, i);
    const std::uint32_t p = class_at(buffers_->prediction, i);
    if (t == null || p == null || (t != other && p != other)) continue;
    const Side& side = t == other ? truth : prediction;
    outsider.in_truth = t == other;
    outsider.row = row_ + static_cast<std::int64_t>(i);
    outsider.label = side.reader->display(side.cursor.at() + static_cast<std::int64_t>(i));
    return;
  }
}

template <class Cell>
void Worker<Cell>::count_rows(const Side& truth, const Side& prediction, std::size_t n) {
  Ahead ahead;
  look_ahead(truth.cursor.chunk(), truth.cursor.at() + static_cast<std::int64_t>(n), n, ahead, 0);
  look_ahead(prediction.cursor.chunk(), prediction.cursor.at() + static_cast<std::int64_t>(n), n,
             ahead, 1);
  histogram_->add(buffers_->truth, buffers_->prediction, n, buffers_->codes, ahead);
}

// Adds the block, and meanwhile asks for the memory of the next one.
template <class Cell>
void Worker<Cell>::add_to_table(const Side& truth, const Side& prediction, const Cursor& weight,
                                std::size_t n) {
  if constexpr (kFloats) {
    kernels().combine32(buffers_->truth, buffers_->prediction, n, classes().classes + 2,
                        buffers_->codes);
    Ahead next[3];
    const Cursor* const columns[3] = {&truth.cursor, &prediction.cursor, &weight};
    for (std::size_t i = 0; i < 3; ++i) {
      const Cursor& at = *columns[i];
      look_ahead(at.chunk(), at.at() + static_cast<std::int64_t>(n), n, next[i], 0);
    }
    table_->add(buffers_->codes, buffers_->weights, n, budget_,
                [&](std::size_t first, std::size_t size) {
                  for (const Ahead& of : next) request(of, first, size);
                });
    if (table_->is_scattered()) throw TooManyClasses{};
  }
}

template <class Cell>
void Worker<Cell>::count_weights(const Side& truth, const Side& prediction, const Cursor& weight,
                                 std::size_t n) {
  if constexpr (kFloats) {
    add_to_table(truth, prediction, weight, n);
  } else if constexpr (kWeighted) {
    const std::uint32_t other = classes().other();
    const std::size_t side = std::size_t{other} + 2;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t t = buffers_->truth[i];
      const std::uint32_t p = buffers_->prediction[i];
      if (t < other && p < other) {
        cells_[t * side + p].add(buffers_->weights[i], budget_);
      } else if (t <= other && p <= other) {
        ++n_other;
      } else {
        ++n_dropped;
      }
    }
  }
}

template <class Cell>
void Worker<Cell>::begin_part() {
  const std::int64_t k = classes().classes;
  const std::int64_t bytes = k * k * kCellBytes;
  // Small tables do not matter; large ones must fit beside those of the other threads.
  if (k > 254 && bytes > job_.max_bytes / job_.threads) throw Budget::Exceeded{};
  const auto cells = static_cast<std::size_t>((k + 2) * (k + 2));
  if constexpr (kFloats) {
    table_ = std::make_unique<WeightTable>(cells, job_.window);
  } else if constexpr (kWeighted) {
    cells_ = large_zeros<Cell>(cells);
  } else {
    const std::int64_t rows = is_narrow_ ? last_ - row_ : 0;
    histogram_ = std::make_unique<CodeHistogram>(classes().classes, false, rows);
  }
  has_part_ = true;
}

template <class Cell>
void Worker<Cell>::finish_part() {
  if (!has_part_) return;
  has_part_ = false;
  const std::uint32_t k = classes().classes;
  Part<Cell>& part = parts.emplace_back();
  part.is_window = classes().form == ClassSet::Form::kWindow;
  part.base = classes().base;
  part.classes = k;
  if constexpr (!kWeighted) {
    histogram_->take(part.cells);
    add_rows_apart(part.cells.data(), k);
  } else if constexpr (kFloats) {
    part.cells = table_->take(budget_);
    add_rows_apart(table_->rows().data(), k);
    table_.reset();
  } else {
    part.cells = std::move(cells_);
  }
}

// Those of the last two rows and columns of a table with k classes.
template <class Cell>
void Worker<Cell>::add_rows_apart(const std::int64_t* cells, std::uint32_t k) {
  const std::size_t side = std::size_t{k} + 2;
  const auto rows = [&](std::size_t i, std::size_t j) { return cells[i * side + j]; };
  for (std::size_t i = 0; i < k; ++i) {
    n_other += rows(i, k) + rows(k, i);
    n_dropped += rows(i, k + 1) + rows(k + 1, i);
  }
  n_other += rows(k, k);
  n_dropped += rows(k, k + 1) + rows(k + 1, k) + rows(k + 1, k + 1);
}

template class Worker<RowCell>;
template class Worker<IntWeightCell>;
template class Worker<FloatWeightCell>;

}  // namespace confmat
