// Counts the codes of a group, and makes of them a table of its sorted labels.
#include "confmat/evaluate/pair_tally.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/tally/weight_cells.hpp"
#include "distinct.hpp"
#include "pair_places.hpp"
#include "pair_window.hpp"

namespace confmat {
namespace {

struct CodeHash {
  std::uint64_t operator()(std::uint32_t code) const noexcept {
    const std::uint64_t mixed = code * 0x9E3779B97F4A7C15U;
    return mixed >> 32;
  }
};

}  // namespace

struct PairTally::Impl {
  explicit Impl(const PairReading& all) : pairs(&all) {}

  const PairReading* pairs;
  Distinct<std::uint32_t, CodeHash> codes;
  std::vector<std::int64_t> rows;  // by distinct code
  std::vector<std::pair<std::uint32_t, double>> weights;
  PairWindow window{.truth = static_cast<std::uint32_t>(-PairCode::kLeast),
                    .prediction = static_cast<std::uint32_t>(-PairCode::kLeast)};
  bool missed = false;  // many rows of the last group
  std::vector<std::uint32_t> table;
  std::vector<PairLabels> labels;
  PairPlaces places_of;

  std::uint32_t count(std::uint32_t code, std::int64_t more = 1) {
    const std::uint32_t index = codes.index_of(code);
    if (index == rows.size()) rows.push_back(0);
    rows[index] += more;
    return index;
  }

  // Counts so many codes, no two of which are the same. Needs not look up the first ones.
  void count_each(std::size_t size, const auto& code_at, const auto& rows_at) {
    const bool are_first = codes.keys().empty();
    for (std::size_t at = 0; at < size; ++at) {
      const std::int64_t n = rows_at(at);
      if (n == 0) continue;
      if (are_first) {
        codes.append(code_at(at));
        rows.push_back(n);
      } else {
        count(code_at(at), n);
      }
    }
  }

  // Adds the rows of another, where the codes of both ascend, as those of tables do: no code is
  // looked up. False: nothing is done.
  bool merge(const Impl& other) {
    const std::vector<std::uint32_t>& more = other.codes.keys();
    if (!std::ranges::is_sorted(codes.keys()) || !std::ranges::is_sorted(more)) return false;
    const std::vector<std::uint32_t> mine = codes.keys();
    const std::vector<std::int64_t> of_mine = std::exchange(rows, {});
    codes.clear();
    rows.reserve(mine.size() + more.size());
    for (std::size_t i = 0, j = 0; i < mine.size() || j < more.size();) {
      const bool first = j == more.size() || (i < mine.size() && mine[i] <= more[j]);
      const bool second = i == mine.size() || (j < more.size() && more[j] <= mine[i]);
      codes.append(first ? mine[i] : more[j]);
      rows.push_back((first ? of_mine[i] : 0) + (second ? other.rows[j] : 0));
      i += first ? 1 : 0;
      j += second ? 1 : 0;
    }
    return true;
  }

  // Counts the codes that `place` gives one of so many places; says how many have none.
  template <class Place, class CodeAt>
  std::size_t count_in_table(std::span<const std::uint32_t> run, std::size_t places,
                             const Place& place, const CodeAt& code_at) {
    // Two tables in turn: a row need not wait for the one before it.
    table.assign(2 * (places + 1), 0);
    std::uint32_t* one = table.data();
    std::uint32_t* two = one + places + 1;
    std::size_t i = 0;
    for (; i + 1 < run.size(); i += 2) {
      ++one[place(run[i])];
      ++two[place(run[i + 1])];
    }
    if (i < run.size()) ++one[place(run[i])];
    count_each(places, code_at, [=](std::size_t at) { return std::int64_t{one[at]} + two[at]; });
    return std::size_t{one[places]} + two[places];
  }

  // Moves the window to the integers of these rows, where most lie outside or it is too large.
  void choose_window(std::span<const std::uint32_t> run) {
    const std::size_t most_places = std::max<std::size_t>(run.size(), 256);
    const auto outside = [this](std::uint32_t code) {
      return code < PairCode::kNull && window.place(code) == window.places();
    };
    if (!missed && window.places() <= most_places && std::ranges::none_of(run.first(64), outside)) {
      return;
    }
    std::uint32_t least[2] = {PairCode::kSpan, PairCode::kSpan};
    std::uint32_t most[2] = {0, 0};
    for (const auto code : run) {
      if (code >= PairCode::kNull) continue;
      const std::uint32_t halves[2] = {code / PairCode::kSpan, code % PairCode::kSpan};
      for (std::size_t side = 0; side < 2; ++side) {
        least[side] = std::min(least[side], halves[side]);
        most[side] = std::max(most[side], halves[side]);
      }
    }
    if (least[0] > most[0]) return;
    const std::uint32_t span = std::max(most[0] - least[0], most[1] - least[1]);
    window.bits = std::max(4U, static_cast<unsigned>(std::bit_width(span)));
    if (window.places() > most_places) window.bits = 4;  // the others are searched for
    // Within the integers that codes have: the code of nulls follows the last of them.
    const std::uint32_t last = PairCode::kSpan - (std::uint32_t{1} << window.bits);
    window.truth = std::min(least[0], last);
    window.prediction = std::min(least[1], last);
  }

  // Needs: fewer than 2^31 rows.
  void add_run(std::span<const std::uint32_t> run, std::int64_t& nulls) {
    constexpr std::size_t kWorthTable = 1024;
    const auto rest = [&](const auto& place, std::size_t places) {
      for (const auto code : run) {
        if (place(code) < places) continue;
        if (code == PairCode::kNull) {
          ++nulls;
        } else {
          count(code);
        }
      }
    };
    const auto known = std::ranges::find_if(run, [](auto c) { return c != PairCode::kNull; });
    if (run.size() < kWorthTable || known == run.end()) {
      return rest([](std::uint32_t) { return std::size_t{0}; }, 0);
    }
    if (*known >= PairCode::kNumbered) {
      const std::size_t places =
          std::min<std::size_t>(pairs->places(), std::max<std::size_t>(run.size(), 4096));
      const auto place = [this, places](std::uint32_t code) {
        const std::size_t at = pairs->place(code);
        return code >= PairCode::kNumbered && at < places ? at : places;
      };
      const auto code_at = [this](std::size_t at) {
        return pairs->code_at(static_cast<std::uint32_t>(at));
      };
      if (count_in_table(run, places, place, code_at) > 0) rest(place, places);
      return;
    }
    choose_window(run);
    const auto place = [at = window](std::uint32_t code) { return at.place(code); };
    const auto code_at = [at = window](std::size_t i) { return at.code_at(i); };
    const std::size_t others = count_in_table(run, window.places(), place, code_at);
    missed = others > run.size() / 16;
    if (others > 0) rest(place, window.places());
  }

  // The cells of the table of the labels that were found. One pair may have several codes.
  void fill(bool weighted, bool squares, GroupTable& out) {
    const PairPlaces::Places places = places_of.in(labels, out.labels);
    const auto k = static_cast<std::size_t>(out.labels.size());
    std::vector<std::size_t> cells;
    cells.reserve(places.size());
    for (const auto& [i, j] : places) cells.push_back(i * k + j);
    out.is_sparse = are_worth_a_list(k, cells.size());
    if (!weighted && !out.is_sparse) {
      out.counts.resize(k * k);
      for (std::size_t i = 0; i < cells.size(); ++i) out.counts[cells[i]] += rows[i];
      return;
    }
    if (!out.is_sparse) {
      out.weights.resize(k * k);
      if (squares) out.squares.resize(k * k);
    }
    std::vector<FloatWeightCell> sums(weighted ? cells.size() : 0);
    for (const auto& [index, weight] : weights) sums[index].add(weight);
    std::vector<std::size_t> order(cells.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return cells[i]; });
    ExactSum total;
    for (auto at = order.begin(); at != order.end();) {
      const std::size_t cell = cells[*at];
      const auto put = [&](auto& to, auto value) {
        if (out.is_sparse) {
          to.push_back(value);
        } else {
          to[cell] = value;
        }
      };
      const auto list = [&] {
        if (out.is_sparse) out.places.push_back(static_cast<std::int64_t>(cell));
      };
      if (!weighted) {
        std::int64_t n = 0;
        for (; at != order.end() && cells[*at] == cell; ++at) n += rows[*at];
        list();
        put(out.counts, n);
        continue;
      }
      FloatWeightCell sum;
      for (; at != order.end() && cells[*at] == cell; ++at) {
        Budget enough{INT64_MAX};
        sum.merge(std::move(sums[*at]), enough);
      }
      if (out.is_sparse && sum.weight() == 0) continue;  // in a list no cell is 0
      list();
      put(out.weights, sum.weight());
      total.add(sum.weight());
      if (squares) put(out.squares, sum.square());
    }
    out.totals.weight = total.value();
  }
};

PairTally::PairTally(const PairReading& pairs) : impl_(std::make_unique<Impl>(pairs)) {}
PairTally::~PairTally() = default;

void PairTally::add(std::span<const std::uint32_t> codes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  for (; !codes.empty(); codes = codes.subspan(std::min(kMost, codes.size()))) {
    impl_->add_run(codes.first(std::min(kMost, codes.size())), n_dropped_);
  }
}

void PairTally::add(std::span<const WeightedCode> rows) {
  for (const auto& [weight, code] : rows) {
    if (code == PairCode::kNull) {
      ++n_dropped_;
      continue;
    }
    if (code > UINT32_MAX) throw InputError("a code that no label pair has");
    require_weight(weight);
    impl_->weights.emplace_back(impl_->count(static_cast<std::uint32_t>(code)), weight);
  }
}

void PairTally::add(const PairTally& other) {
  const Impl& more = *other.impl_;
  if (impl_->merge(more)) {
    n_dropped_ += other.n_dropped_;
    return;
  }
  impl_->count_each(
      more.rows.size(), [&](std::size_t i) { return more.codes.keys()[i]; },
      [&](std::size_t i) { return more.rows[i]; });
  n_dropped_ += other.n_dropped_;
}

const Categories* PairTally::resolve() {
  Impl& all = *impl_;
  all.labels.clear();
  all.labels.reserve(all.codes.keys().size());
  for (const auto code : all.codes.keys()) all.labels.push_back(all.pairs->labels(code));
  if (all.labels.empty()) return nullptr;
  const auto& first = all.labels.front();
  const auto is_like = [&first](const PairLabels& other) {
    if (other.is_text != first.is_text) return false;
    if (other.categories == first.categories) return true;
    return other.categories != nullptr && first.categories != nullptr &&
           *other.categories == *first.categories;  // of two editions
  };
  if (!std::ranges::all_of(all.labels, is_like)) {
    throw InputError("label pairs of two kinds in one group");
  }
  return first.categories;
}

std::int64_t PairTally::rows() const {
  const Impl& all = *impl_;
  return std::reduce(all.rows.begin(), all.rows.end());
}

GroupTable PairTally::take(bool weighted, bool squares) {
  Impl& all = *impl_;
  GroupTable out;
  all.fill(weighted, squares, out);
  out.is_weighted = weighted;
  if (!weighted) {
    out.totals.n = std::accumulate(all.rows.begin(), all.rows.end(), std::int64_t{0});
  }
  out.totals.n_dropped = n_dropped_;
  start_anew();
  return out;
}

Labels PairTally::take_found(std::vector<WeightedCode>& rows) {
  Impl& all = *impl_;
  Labels found;
  const PairPlaces::Places places = all.places_of.in(all.labels, found);
  const std::uint64_t side = static_cast<std::uint64_t>(found.size()) + 2;
  rows.clear();
  for (const auto& [index, weight] : all.weights) {
    rows.push_back({weight, places[index].first * side + places[index].second});
  }
  rows.insert(rows.end(), static_cast<std::size_t>(n_dropped_), {0.0, side * side - 1});
  start_anew();
  return found;
}

void PairTally::take_known(std::span<std::int64_t> cells) {
  const Impl& all = *impl_;
  std::ranges::fill(cells, 0);
  const std::size_t side = all.labels.front().categories->size() + 2;
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    const auto& [categories, is_text, y_true, y_pred, t, p] = all.labels[i];
    cells[static_cast<std::size_t>(y_true) * side + static_cast<std::size_t>(y_pred)] +=
        all.rows[i];
  }
  cells.back() += n_dropped_;
  start_anew();
}

void PairTally::take_known(std::vector<WeightedCode>& rows) {
  const Impl& all = *impl_;
  rows.clear();
  const std::uint64_t side = all.labels.front().categories->size() + 2;
  const auto code = [&](std::size_t i) {
    const PairLabels& pair = all.labels[i];
    return static_cast<std::uint64_t>(pair.y_true) * side + static_cast<std::uint64_t>(pair.y_pred);
  };
  for (const auto& [index, weight] : all.weights) rows.push_back({weight, code(index)});
  for (std::size_t i = 0; i < all.labels.size() && all.weights.empty(); ++i) {
    rows.insert(rows.end(), static_cast<std::size_t>(all.rows[i]), {0.0, code(i)});
  }
  rows.insert(rows.end(), static_cast<std::size_t>(n_dropped_), {0.0, side * side - 1});
  start_anew();
}

void PairTally::start_anew() {
  impl_->codes.clear();
  impl_->rows.clear();
  impl_->weights.clear();
  impl_->labels.clear();
  n_dropped_ = 0;
}

}  // namespace confmat
