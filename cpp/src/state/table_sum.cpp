// Adds the cells of saved matrices into one table, by the places of their labels.
#include "table_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "confmat/base/error.hpp"
#include "counts_form.hpp"

namespace confmat {
namespace {

constexpr std::array kMatrices{StateKind::kCounts};
constexpr std::size_t kMostKnown = 4096;
constexpr std::size_t kMostKnownBytes = std::size_t{1} << 22;

std::string_view text_of(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void read_numbers(ByteReader& reader, std::size_t n, unsigned width,
                  std::vector<std::uint32_t>& into) {
  const std::uint8_t* const from = reader.take(n * width).data();
  into.resize(n);
  with_unsigned(width, [&]<class Number>(Number) {
    for (std::size_t i = 0; i < n; ++i) {
      into[i] = static_cast<std::uint32_t>(load<Number>(from, static_cast<std::int64_t>(i)));
    }
  });
}

}  // namespace

bool TableSum::add(Bytes bytes) {
  const Bytes leading = leading_of(bytes);
  if (leading.empty()) return false;
  const Alike* const of = alike(leading, bytes);
  if (of == nullptr || !(is_empty() || goes(*of))) return false;
  Body body;
  if (!open_alike(bytes, leading, body) || !read(*of, body.payload, body.rows)) return false;
  const std::int64_t before = is_empty() ? 0 : rows_.counted;
  if (body.rows.counted > std::numeric_limits<std::int64_t>::max() - before) {
    throw InputError("cannot add: the total is beyond 64-bit integers");
  }
  if (is_empty()) start(*of);
  rows_ = added(rows_, body.rows);
  const std::uint32_t k = of->labels.size();
  if (!of->may_grow) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      cells_[places_.empty() ? i : places_[i]] += values_[i];
    }
    return true;
  }
  for (const std::uint32_t at : of->at) {
    if (is_there_[at]) continue;
    is_there_[at] = true;
    there_.push_back(at);
  }
  if (places_.empty()) {
    for (std::size_t i = 0; i * k < values_.size(); ++i) {
      std::int64_t* const row = cells_.data() + of->at[i] * side_;
      for (std::size_t j = 0; j < k; ++j) row[of->at[j]] += values_[i * k + j];
    }
  } else {
    // As k < 2^11 and places < k^2, this multiplication divides exactly.
    const std::uint64_t inverse = (std::uint64_t{1} << 32U) / k + 1;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::uint32_t place = places_[i];
      const auto row = static_cast<std::uint32_t>((place * inverse) >> 32U);
      cells_[of->at[row] * side_ + of->at[place - row * k]] += values_[i];
    }
  }
  return true;
}

// Those that begin with these bytes; null where they cannot be told.
const TableSum::Alike* TableSum::alike(Bytes leading, Bytes bytes) {
  const std::string_view text = text_of(leading);
  if (last_ != nullptr && last_->leading == text) return last_;
  if (const auto found = known_.find(text); found != known_.end()) return last_ = &found->second;
  Alike fresh;
  try {
    const Envelope state = open_state(bytes, kMatrices);
    if (state.compatible.size() != 1 || state.compatible[0] != 0) return nullptr;
    fresh.labels = state.labels;
  } catch (const StateError&) {
    return nullptr;  // the reader of all forms says so, with its words
  }
  fresh.leading = text;
  const Labels& labels = fresh.labels.labels;
  fresh.may_grow = fresh.labels.origin == Origin::kFound && fresh.labels.positive == 0 &&
                   (labels.kind == Labels::Kind::kInt ||
                    (labels.kind == Labels::Kind::kText && labels.size() > 0));
  const bool is_full = known_.size() >= kMostKnown || known_bytes_ > kMostKnownBytes;
  if (is_full && is_empty()) forget();
  if (!place(fresh)) return nullptr;
  if (is_full && !is_empty()) {
    if (!fresh.may_grow) return nullptr;
    spare_ = std::move(fresh);
    return last_ = &spare_;
  }
  known_bytes_ += text.size();
  // The key is a view of what the node keeps: it is set once the text has its place there.
  auto node = known_.extract(known_.emplace(text, std::move(fresh)).first);
  node.key() = node.mapped().leading;
  return last_ = &known_.insert(std::move(node)).position->second;
}

// Finds the places of found labels, new ones at the end. False: they do not go with those known.
bool TableSum::place(Alike& fresh) {
  const Labels& labels = fresh.labels.labels;
  const auto k = static_cast<std::size_t>(labels.size());
  if (!fresh.may_grow || k == 0) return true;
  const auto place = [&](auto& places, const auto& values) {
    const auto known = [&](const auto& value) { return places.contains(value); };
    const auto more = k - static_cast<std::size_t>(std::ranges::count_if(values, known));
    const bool is_other = labels_.size() > 0 && labels_.kind != labels.kind;
    if (is_other || static_cast<std::size_t>(labels_.size()) + more > kAlwaysTable) {
      if (!is_empty() || k > kAlwaysTable) return false;
      forget();
    }
    labels_.kind = labels.kind;
    for (std::size_t i = 0; i < k; ++i) {
      const auto next = static_cast<std::uint32_t>(labels_.size());
      const auto [found, is_new] = places.try_emplace(values[i], next);
      if (is_new) labels_.add(labels, i);
      fresh.at.push_back(found->second);
    }
    return true;
  };
  const bool is_placed =
      labels.kind == Labels::Kind::kText ? place(texts_, labels.texts) : place(ints_, labels.ints);
  if (is_placed) spread(static_cast<std::size_t>(labels_.size()));
  return is_placed;
}

bool TableSum::goes(const Alike& of) const noexcept {
  return of.may_grow ? of_ == nullptr : of_ == &of;
}

// Reads places and cells. False: they are not those of a small matrix of rows as it is saved.
bool TableSum::read(const Alike& of, Bytes payload, const RowTotals& rows) {
  ByteReader reader(payload);
  const std::size_t k = of.labels.size();
  const CountsHead head = take_head(reader, k, false);
  const auto [is_sparse, cell_bytes, place_bytes] = head.form;
  // The total of fewer than 2^32 cells of 4 bytes fits 64 bits.
  if (cell_bytes > 4 || place_bytes > 4 || head.held > UINT32_MAX) return false;
  if ((is_sparse || of.may_grow) && k > kAlwaysTable) return false;
  if (k > 0 && k > kMostTableBytes / sizeof(std::int64_t) / k) return false;
  if (reader.left() != head.held * (cell_bytes + place_bytes)) return false;
  places_.clear();
  if (is_sparse) {
    read_numbers(reader, head.held, place_bytes, places_);
    const bool ascend =
        std::ranges::adjacent_find(places_, std::greater_equal<>()) == places_.end();
    if (!ascend || (!places_.empty() && places_.back() >= k * k)) return false;
  }
  read_numbers(reader, head.held, cell_bytes, values_);
  std::uint64_t total = 0, bits = 0, filled = 0;
  for (const std::uint32_t value : values_) {
    total += value;
    bits |= value;
    filled += value != 0 ? 1U : 0U;
  }
  return static_cast<std::uint64_t>(rows.counted) == total && rows.nan == 0 &&
         (!is_sparse || filled == head.held) && head.form == form_of(k, filled, bits, false, false);
}

void TableSum::start(const Alike& of) {
  if (of.may_grow) {
    spread(static_cast<std::size_t>(labels_.size()));
  } else {
    of_ = &of;
    cells_.assign(std::size_t{of.labels.size()} * of.labels.size(), 0);
  }
  rows_ = {.counted = 0, .dropped = 0, .other = 0, .nan = 0};
}

// Makes the table wide enough for so many labels. Needs: it is of found ones, or empty.
void TableSum::spread(std::size_t labels) {
  if (!is_empty() && of_ != nullptr) return;
  if (is_there_.size() < labels) is_there_.resize(labels);
  const std::size_t side = std::max(side_, std::bit_ceil(labels));
  if (side * side == cells_.size()) return;
  std::vector<std::int64_t> wide(side * side);
  for (std::size_t i = 0; !is_empty() && i < side_; ++i) {
    std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(i * side_), side_,
                wide.begin() + static_cast<std::ptrdiff_t>(i * side));
  }
  side_ = side;
  cells_ = std::move(wide);
}

Counts TableSum::take() {
  if (of_ == nullptr) return take_found();
  Counts out;
  out.labels = std::make_shared<const LabelSet>(std::exchange(of_, nullptr)->labels);
  out.rows = std::exchange(rows_, {});
  out.cells = std::exchange(cells_, {});
  side_ = 0;
  return out;
}

// The labels at hand, sorted, and their part of the table, which is zeros again.
Counts TableSum::take_found() {
  const auto sort = [&](const auto& values) {
    std::ranges::sort(there_, {}, [&](std::uint32_t at) -> const auto& { return values[at]; });
  };
  if (labels_.kind == Labels::Kind::kText) {
    sort(labels_.texts);
  } else {
    sort(labels_.ints);
  }
  LabelSet set;
  if (!there_.empty()) set.labels.kind = labels_.kind;
  std::vector<std::int64_t> cells;
  cells.reserve(there_.size() * there_.size());
  for (const std::uint32_t i : there_) {
    set.labels.add(labels_, i);
    for (const std::uint32_t j : there_) cells.push_back(std::exchange(cells_[i * side_ + j], 0));
  }
  for (const std::uint32_t i : there_) is_there_[i] = false;
  there_.clear();
  Counts out;
  out.labels = std::make_shared<const LabelSet>(std::move(set));
  out.rows = std::exchange(rows_, {});
  out.cells = std::move(cells);
  return out;
}

// Needs: it is empty.
void TableSum::forget() {
  known_.clear();
  known_bytes_ = 0;
  last_ = nullptr;
  labels_ = {};
  ints_.clear();
  texts_.clear();
  is_there_.clear();
}

}  // namespace confmat
