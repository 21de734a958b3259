// Cuts codes by their highest bits, sorts each part, and counts what is equal.
#include "sparse_count.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/radix_sort.hpp"
#include "confmat/base/threads.hpp"
#include "label_union.hpp"
#include "pair_rows.hpp"
#include "weight_totals.hpp"

namespace confmat {
namespace {

// What a part of the codes comes to.
struct CellRun {
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> cells;  // rows, or sums of integer weights; kBeyond: more than fits
  ExactSumsBuilder weights;
  ExactSumsBuilder squares;

  static constexpr std::int64_t kBeyond = -1;
};

// How codes below `codes` are cut into parts, of which a sort stays in the second-level cache.
struct Cut {
  Cut(std::uint64_t codes, std::size_t rows) {
    constexpr std::size_t kPartRows = 8192;
    constexpr unsigned kMostBits = 11;
    const auto wanted = static_cast<unsigned>(std::bit_width(rows / kPartRows));
    const auto width = static_cast<unsigned>(std::bit_width(codes));
    shift = width - std::min({wanted, kMostBits, width});
    parts = static_cast<std::size_t>(codes >> shift) + 1;
  }
  unsigned shift;
  std::size_t parts;
};

template <class Row>
struct Parts {
  Pages<Row> rows;
  std::vector<std::size_t> bounds;  // of the parts
};

// Turns the pairs of numbers of all threads into codes of cells, in parts that ascend. Without
// ranks labels have their numbers.
template <class Weight>
Parts<PairRow<Weight>> cut_codes(std::deque<PairRows<Weight>>& workers, const LabelUnion& labels) {
  const auto k = static_cast<std::uint64_t>(labels.labels.size());
  std::size_t rows = 0;
  for (const auto& worker : workers) rows += worker.size;
  const Cut cut(k * k, rows);
  const auto threads = static_cast<int>(workers.size());
  std::vector<std::vector<std::size_t>> at(workers.size());
  for_each_part(threads, threads, [&](int thread) {
    const auto w = static_cast<std::size_t>(thread);
    PairRow<Weight>* const of = workers[w].rows.data();
    at[w].assign(cut.parts, 0);
    const auto turn = [&](const auto& place) {
      for (const auto [first, last] : Strides(workers[w].size)) {
        for (std::size_t i = first; i < last; ++i) {
          const std::uint64_t pair = of[i].code;
          of[i].code = place(pair >> 32U) * k + place(pair & UINT32_MAX);
          ++at[w][of[i].code >> cut.shift];
        }
      }
    };
    if (labels.ranks.empty()) return turn([](std::uint64_t number) { return number; });
    turn([rank = labels.ranks[w].data()](std::uint64_t number) -> std::uint64_t {
      return rank[number];
    });
  });
  Parts<PairRow<Weight>> out{Pages<PairRow<Weight>>(rows), {}};
  std::size_t before = 0;
  for (std::size_t part = 0; part < cut.parts; ++part) {
    out.bounds.push_back(before);
    for (auto& starts : at) before += std::exchange(starts[part], before);
  }
  out.bounds.push_back(before);
  for_each_part(threads, threads, [&](int thread) {
    const auto w = static_cast<std::size_t>(thread);
    const PairRow<Weight>* const of = workers[w].rows.data();
    for (const auto [first, last] : Strides(workers[w].size)) {
      for (std::size_t i = first; i < last; ++i) out.rows[at[w][of[i].code >> cut.shift]++] = of[i];
    }
    workers[w].rows = {};
  });
  return out;
}

void add_cell(CellRun& out, const PairRow<NoWeight>*, std::size_t rows, RowCell) {
  out.cells.push_back(static_cast<std::int64_t>(rows));
}

// These take the place back where all rows weigh 0.
void add_cell(CellRun& out, const PairRow<std::uint64_t>* from, std::size_t rows, IntWeightCell) {
  Budget budget{INT64_MAX};
  IntWeightCell cell;
  for (std::size_t i = 0; i < rows; ++i) cell.add(from[i].weight, budget);
  if (cell.sum() == 0) return out.places.pop_back();
  out.cells.push_back(cell.sum() > INT64_MAX ? CellRun::kBeyond
                                             : static_cast<std::int64_t>(cell.sum()));
  cell.put_squares(out.squares);
}

void add_cell(CellRun& out, const PairRow<double>* from, std::size_t rows, const FloatWeightCell&) {
  FloatWeightCell cell;
  for (std::size_t i = 0; i < rows; ++i) cell.add(from[i].weight);
  cell.put(out.weights, out.squares);
  if (out.weights.last() != 0) return;
  out.places.pop_back();
  out.weights.drop_last();
  out.squares.drop_last();
}

// The cells of rows with these codes, in ascending order.
template <class Cell, class Row>
CellRun sum_up(std::vector<Row>& rows, std::vector<Row>& scratch) {
  sort_records(rows, scratch, [](const Row& row) { return row.code; });
  CellRun out;
  std::size_t distinct = rows.empty() ? 0 : 1;
  for (std::size_t i = 1; i < rows.size(); ++i) distinct += rows[i].code != rows[i - 1].code;
  out.places.reserve(distinct);
  const StopSign sign;
  for (std::size_t first = 0; first < rows.size();) {
    if ((out.places.size() & 0xFFFU) == 0) sign.obey();
    std::size_t last = first + 1;
    while (last < rows.size() && rows[last].code == rows[first].code) ++last;
    out.places.push_back(static_cast<std::int64_t>(rows[first].code));
    add_cell(out, rows.data() + first, last - first, Cell{});
    first = last;
  }
  return out;
}

template <class T, class From>
void put(std::vector<T>& to, std::size_t at, const From& from) {
  std::ranges::copy(from, to.begin() + static_cast<std::ptrdiff_t>(at));
}

std::size_t filled(const std::vector<CellRun>& runs) {
  std::size_t cells = 0;
  for (const CellRun& run : runs) cells += run.places.size();
  return cells;
}

// All runs, one behind the other, with their places; or as a table of k x k.
void gather_runs(std::vector<CellRun>& runs, int threads, bool weighted, bool floats,
                 std::size_t table, Counted& counted) {
  std::vector<std::size_t> starts{0};
  for (const CellRun& run : runs) starts.push_back(starts.back() + run.places.size());
  const std::size_t size = table > 0 ? table : starts.back();
  if (table == 0) counted.places = large_zeros<std::int64_t>(size);
  if (!floats) counted.cells = large_zeros<std::int64_t>(size);
  if (floats) counted.weights = large_zeros<double>(size);
  if (weighted) counted.weights_sq = large_zeros<double>(size);
  for_each_part(static_cast<int>(runs.size()), threads, [&](int part) {
    CellRun& run = runs[static_cast<std::size_t>(part)];
    if (table == 0) {
      const std::size_t at = starts[static_cast<std::size_t>(part)];
      put(counted.places, at, run.places);
      if (!run.cells.empty()) put(counted.cells, at, run.cells);
      if (floats) put(counted.weights, at, run.weights.leads());
      if (weighted) put(counted.weights_sq, at, run.squares.leads());
    } else {
      for (std::size_t i = 0; i < run.places.size(); ++i) {
        const auto at = static_cast<std::size_t>(run.places[i]);
        if (floats) {
          counted.weights[at] = run.weights.leads()[i];
        } else {
          counted.cells[at] = run.cells[i];
        }
        if (weighted) counted.weights_sq[at] = run.squares.leads()[i];
      }
    }
  });
  // Runs and their places ascend.
  for (std::size_t part = 0; part < runs.size(); ++part) {
    const auto at = [&](const Tail& tail) {
      return table == 0 ? starts[part] + tail.at
                        : static_cast<std::uint64_t>(runs[part].places[tail.at]);
    };
    for (const Tail& tail : runs[part].weights.tails()) {
      counted.weight_tails.push_back({at(tail), tail.part});
    }
    for (const Tail& tail : runs[part].squares.tails()) {
      counted.square_tails.push_back({at(tail), tail.part});
    }
    runs[part] = {};
  }
}

void check_totals(const std::vector<CellRun>& runs, const Labels& labels) {
  std::int64_t total = 0;
  ExactSum weights;
  for (const CellRun& run : runs) {
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
      if (run.cells[i] == CellRun::kBeyond) refuse_cell(labels, run.places[i]);
      if (run.cells[i] > INT64_MAX - total) refuse_total();
      total += run.cells[i];
    }
    for (const double weight : run.weights.leads()) weights.add(weight);
    StopSign().obey();
  }
  if (!std::isfinite(weights.value())) refuse_infinite_total();
}

}  // namespace

template <class Cell>
Counted count_sparse(const Job& job, const Labels* fixed, std::int64_t rows) {
  using Weight = typename WeightOf<Cell>::Type;
  constexpr bool kWeighted = !std::is_same_v<Cell, RowCell>;
  constexpr bool kFloats = std::is_same_v<Cell, FloatWeightCell>;
  LabelUnion labels;
  std::optional<ClassSet> known;
  if (fixed != nullptr || job.kind == Labels::Kind::kBool) {
    labels.labels = fixed != nullptr ? *fixed : Labels{job.kind, {0, 1}, {}};
    known = fixed_classes(labels.labels, kMostWideClasses);
  }
  std::deque<PairRows<Weight>> workers;
  for (std::int64_t i = 0; i < job.threads; ++i)
    workers.emplace_back(job, known ? &*known : nullptr);
  over_ranges(static_cast<int>(job.threads), rows,
              [&](int part, std::int64_t first, std::int64_t last) {
                if (first < last) workers[static_cast<std::size_t>(part)].run(first, last);
              });
  Counted counted;
  counted.n_rows = rows;
  for (PairRows<Weight>& worker : workers) {
    counted.n_dropped += worker.n_dropped;
    counted.n_other += worker.n_other;
    if (counted.outsider.row < 0) counted.outsider = std::move(worker.outsider);
  }
  if (!known) {
    std::vector<std::vector<std::uint8_t>> present;
    std::vector<LabelsOf> sets;
    present.reserve(workers.size());
    sets.reserve(workers.size());
    for (PairRows<Weight>& worker : workers) {
      sets.push_back({&worker.met, &present.emplace_back(worker.present())});
    }
    labels = unite(job.kind, sets);
  }
  known.reset();
  for (PairRows<Weight>& worker : workers) worker.met = {};
  auto parts = cut_codes(workers, labels);
  labels.ranks.clear();
  counted.labels = std::move(labels.labels);
  const std::size_t count = parts.bounds.size() - 1;
  std::vector<CellRun> runs(count);
  for_each_part(static_cast<int>(count), static_cast<int>(job.threads), [&](int part) {
    thread_local std::vector<PairRow<Weight>> here, scratch;
    const auto p = static_cast<std::size_t>(part);
    here.assign(parts.rows.data() + parts.bounds[p], parts.rows.data() + parts.bounds[p + 1]);
    runs[p] = sum_up<Cell>(here, scratch);
    constexpr std::size_t kKept = std::size_t{1} << 16U;
    for (auto* of : {&here, &scratch}) {
      if (of->capacity() > kKept) *of = {};
    }
  });
  parts.rows = {};
  check_totals(runs, counted.labels);
  const auto k = static_cast<std::size_t>(counted.labels.size());
  const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(job.max_bytes, 0));
  const bool table = is_table(k, filled(runs), limit);
  gather_runs(runs, static_cast<int>(job.threads), kWeighted, kFloats, table ? k * k : 0, counted);
  counted.is_sparse = !table;
  counted.has_floats = kFloats && !table;
  return counted;
}

template Counted count_sparse<RowCell>(const Job&, const Labels*, std::int64_t);
template Counted count_sparse<IntWeightCell>(const Job&, const Labels*, std::int64_t);
template Counted count_sparse<FloatWeightCell>(const Job&, const Labels*, std::int64_t);

}  // namespace confmat
