#include "confmat/evaluate/partial.hpp"

#include <algorithm>
#include <string>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/tally/count.hpp"

namespace confmat {
namespace {

struct Part {
  Labels labels;
  std::vector<std::int64_t> cells;
};

void write_labels(ByteWriter& out, const Labels& labels) {
  out.put(static_cast<std::uint8_t>(labels.kind));
  out.put(static_cast<std::uint32_t>(labels.size()));
  for (const auto label : labels.ints) out.put(label);
  for (const auto& label : labels.texts) out.text(label);
}

// Adds a count of rows. Totals below 2^62 leave room for every margin.
void add_rows(std::int64_t& total, std::int64_t rows) {
  constexpr std::int64_t kMostRows = std::int64_t{1} << 62;
  if (rows < 0) throw StateError("a negative count");
  if (rows > kMostRows - total) throw StateError("more than 2^62 rows");
  total += rows;
}

Part read_part(ByteReader& in, GroupTotals& totals, std::int64_t& n) {
  Part part;
  const auto kind = in.get<std::uint8_t>();
  if (kind > 2) throw StateError("unknown kind of labels");
  part.labels.kind = static_cast<Labels::Kind>(kind);
  const bool text = part.labels.kind == Labels::Kind::kText;
  const auto k = in.count(text ? sizeof(std::uint32_t) : sizeof(std::int64_t));
  for (std::uint32_t i = 0; i < k; ++i) {
    if (text) {
      part.labels.texts.emplace_back(in.text());
    } else {
      part.labels.ints.push_back(in.get<std::int64_t>());
    }
  }
  add_rows(totals.n_dropped, in.get<std::int64_t>());
  add_rows(totals.n_other, in.get<std::int64_t>());
  const auto cells = std::uint64_t{k} * k;
  if (in.left() % sizeof(std::int64_t) != 0 || in.left() / sizeof(std::int64_t) != cells) {
    throw StateError("a part of the wrong length");
  }
  part.cells.resize(cells);
  for (auto& cell : part.cells) {
    cell = in.get<std::int64_t>();
    add_rows(n, cell);
  }
  return part;
}

template <class T>
void add_cells(const Part& part, const std::vector<T>& own, const std::vector<T>& all,
               std::vector<std::int64_t>& cells) {
  std::vector<std::size_t> at;
  at.reserve(own.size());
  for (const auto& label : own) {
    at.push_back(static_cast<std::size_t>(std::ranges::find(all, label) - all.begin()));
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = 0; j < own.size(); ++j) {
      cells[at[i] * all.size() + at[j]] += part.cells[i * own.size() + j];
    }
  }
}

template <class T>
void unite(std::vector<T>& all, const std::vector<T>& more) {
  if (all == more) return;
  for (const auto& label : more) {
    if (std::ranges::find(all, label) == all.end()) all.push_back(label);
  }
  std::ranges::sort(all);
}

}  // namespace

std::vector<std::uint8_t> partial_counts(Chunks y_true, Chunks y_pred, const Spec& spec,
                                         int threads) {
  const Counted counted = count(
      y_true, y_pred, {}, {.labels = spec.labels ? &*spec.labels : nullptr, .threads = threads});
  if (counted.n_other > 0 && !spec.bucket_other) {
    const auto& [in_truth, row, label] = counted.outsider;
    throw InputError("label " + label + " of `" + (in_truth ? "y_true" : "y_pred") +
                     "` is not in labels " + shown(counted.labels) +
                     "; give every label, or other=\"bucket\" to count such rows apart");
  }
  ByteWriter out;
  write_labels(out, counted.labels);
  out.put(counted.n_dropped);
  out.put(counted.n_other);
  out.append(counted.cells.data(), counted.cells.size() * sizeof(std::int64_t));
  return out.bytes();
}

GroupTable merge_partials(std::span<const std::string_view> parts) {
  GroupTable out;
  std::vector<Part> read;
  std::int64_t n = 0;
  for (const auto bytes : parts) {
    ByteReader in({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    Part part = read_part(in, out.totals, n);
    if (part.labels.size() == 0) continue;
    if (read.empty()) out.labels = part.labels;
    const bool text = part.labels.kind == Labels::Kind::kText;
    if (text != (out.labels.kind == Labels::Kind::kText)) {
      throw StateError("parts with text labels and with integer labels");
    }
    // Booleans are 0 and 1 among integers, whichever part comes first.
    if (part.labels.kind != out.labels.kind) out.labels.kind = Labels::Kind::kInt;
    unite(out.labels.ints, part.labels.ints);
    unite(out.labels.texts, part.labels.texts);
    require_table_fits(static_cast<std::size_t>(out.labels.size()));
    read.push_back(std::move(part));
  }
  out.totals.n = static_cast<double>(n);
  const auto k = static_cast<std::size_t>(out.labels.size());
  out.counts.resize(k * k);
  for (const auto& part : read) {
    if (out.labels.kind == Labels::Kind::kText) {
      add_cells(part, part.labels.texts, out.labels.texts, out.counts);
    } else {
      add_cells(part, part.labels.ints, out.labels.ints, out.counts);
    }
  }
  return out;
}

}  // namespace confmat
