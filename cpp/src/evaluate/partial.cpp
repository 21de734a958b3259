#include "confmat/evaluate/partial.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/tally/count.hpp"
#include "confmat/tally/discovery.hpp"

namespace confmat {
namespace {

// Behind labels and totals: this byte, then K*K counts, or the number of cells that are not 0 and
// of each of them its index (4 bytes) and its count, by ascending index; whichever is shorter.
enum class Form : std::uint8_t { kAll, kNonZero };

void write_labels(ByteWriter& out, const Labels& labels) {
  out.put(static_cast<std::uint8_t>(labels.kind));
  out.put(static_cast<std::uint32_t>(labels.size()));
  for (const auto label : labels.ints) out.put(label);
  for (const auto& label : labels.texts) out.text(label);
}

void write_cells(ByteWriter& out, const Counted& counted) {
  constexpr std::size_t kCount = sizeof(std::int64_t);
  constexpr std::size_t kIndex = sizeof(std::uint32_t);
  const std::vector<std::int64_t>& cells = counted.cells;
  const auto filled = cells.size() - static_cast<std::size_t>(std::ranges::count(cells, 0));
  if (!counted.is_sparse && kIndex + filled * (kIndex + kCount) >= cells.size() * kCount) {
    out.put(Form::kAll);
    out.append(cells.data(), cells.size() * kCount);
    return;
  }
  out.put(Form::kNonZero);
  out.put(static_cast<std::uint32_t>(filled));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == 0) continue;
    out.put(static_cast<std::uint32_t>(
        counted.is_sparse ? static_cast<std::size_t>(counted.places[i]) : i));
    out.put(cells[i]);
  }
}

Labels read_labels(ByteReader& in) {
  Labels labels;
  const auto kind = in.get<std::uint8_t>();
  if (kind > 2) throw StateError("unknown kind of labels");
  labels.kind = static_cast<Labels::Kind>(kind);
  const bool text = labels.kind == Labels::Kind::kText;
  const auto k = in.count(text ? sizeof(std::uint32_t) : sizeof(std::int64_t));
  for (std::uint32_t i = 0; i < k; ++i) {
    if (text) {
      labels.texts.emplace_back(in.text());
    } else {
      labels.ints.push_back(in.get<std::int64_t>());
    }
  }
  return labels;
}

// Adds a count of rows. Totals below 2^62 leave room for every margin.
void add_rows(std::int64_t& total, std::int64_t rows) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 62;
  if (rows < 0) throw StateError("a negative count");
  if (rows > kMostRows - total) throw StateError("more than 2^62 rows");
  total += rows;
}

// Calls add(index, count) for the cells of a part with K labels, to the end of its bytes.
template <class Add>
void read_cells(ByteReader& in, std::uint64_t k, const Add& add) {
  const auto wanted = [&in](std::uint64_t n, std::size_t bytes) {
    if (in.left() % bytes != 0 || in.left() / bytes != n) {
      throw StateError("a part of the wrong length");
    }
  };
  const auto form = in.get<std::uint8_t>();
  if (form == static_cast<std::uint8_t>(Form::kAll)) {
    wanted(k * k, sizeof(std::int64_t));
    for (std::uint64_t i = 0; i < k * k; ++i) add(i, in.get<std::int64_t>());
    return;
  }
  if (form != static_cast<std::uint8_t>(Form::kNonZero)) throw StateError("unknown kind of part");
  const auto n = in.get<std::uint32_t>();
  wanted(n, sizeof(std::uint32_t) + sizeof(std::int64_t));
  std::uint64_t least = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto at = in.get<std::uint32_t>();
    if (at < least || at >= k * k) throw StateError("a count for no cell");
    least = std::uint64_t{at} + 1;
    add(std::uint64_t{at}, in.get<std::int64_t>());
  }
}

ByteReader reader_of(std::string_view bytes) {
  return ByteReader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

template <class T>
void unite(std::vector<T>& all, const std::vector<T>& more) {
  if (all == more) return;
  std::ranges::sort(all);
  for (const auto& label : more) {
    const auto at = std::ranges::lower_bound(all, label);
    if (at == all.end() || *at != label) all.insert(at, label);
  }
}

// The union of the labels of all parts. They stay in their order where all parts have the same
// ones, else they are sorted.
Labels unite_labels(std::span<const std::string_view> parts) {
  Labels all;
  bool first = true;
  for (const auto bytes : parts) {
    ByteReader in = reader_of(bytes);
    const Labels labels = read_labels(in);
    if (labels.size() == 0) continue;
    if (std::exchange(first, false)) all = labels;
    const bool text = labels.kind == Labels::Kind::kText;
    if (text != (all.kind == Labels::Kind::kText)) {
      throw StateError("parts with text labels and with integer labels");
    }
    // Booleans are 0 and 1 among integers, whichever part comes first.
    if (labels.kind != all.kind) all.kind = Labels::Kind::kInt;
    unite(all.ints, labels.ints);
    unite(all.texts, labels.texts);
    require_table_fits(static_cast<std::size_t>(all.size()));
  }
  return all;
}

// Where the labels of a part stand among all; empty where they are the same.
template <class T>
std::vector<std::size_t> positions(const std::vector<T>& own, const std::vector<T>& all) {
  std::vector<std::size_t> at;
  if (own == all) return at;
  for (const auto& label : own) {
    at.push_back(static_cast<std::size_t>(std::ranges::lower_bound(all, label) - all.begin()));
  }
  return at;
}

}  // namespace

std::vector<std::uint8_t> partial_counts(Chunks y_true, Chunks y_pred, const Spec& spec,
                                         int threads) {
  const CountOptions options{.labels = spec.labels ? &*spec.labels : nullptr, .threads = threads};
  const Counted counted = count(y_true, y_pred, {}, options);
  if (counted.n_other > 0 && !spec.bucket_other) {
    const auto& [in_truth, row, label] = counted.outsider;
    throw InputError("label " + label + " of `" + (in_truth ? "y_true" : "y_pred") +
                     "` is not in labels " + shown(counted.labels) +
                     "; give every label, or other=\"bucket\" to count such rows apart");
  }
  if (counted.labels.size() > most_classes(options.max_bytes, sizeof(std::int64_t))) {
    throw InputError(
        too_many_labels(counted.labels.size(), options.max_bytes, sizeof(std::int64_t)));
  }
  ByteWriter out;
  write_labels(out, counted.labels);
  out.put(counted.n_dropped);
  out.put(counted.n_other);
  write_cells(out, counted);
  return out.bytes();
}

GroupTable merge_partials(std::span<const std::string_view> parts) {
  GroupTable out;
  out.labels = unite_labels(parts);
  const auto size = static_cast<std::size_t>(out.labels.size());
  out.counts.resize(size * size);
  for (const auto bytes : parts) {
    ByteReader in = reader_of(bytes);
    const Labels labels = read_labels(in);
    const auto k = static_cast<std::uint64_t>(labels.size());
    add_rows(out.totals.n_dropped, in.get<std::int64_t>());
    add_rows(out.totals.n_other, in.get<std::int64_t>());
    const auto at = labels.kind == Labels::Kind::kText ? positions(labels.texts, out.labels.texts)
                                                       : positions(labels.ints, out.labels.ints);
    read_cells(in, k, [&](std::uint64_t cell, std::int64_t rows) {
      add_rows(out.totals.n, rows);
      out.counts[at.empty() ? cell : at[cell / k] * size + at[cell % k]] += rows;
    });
  }
  return out;
}

}  // namespace confmat
