// Brings the tables of all workers together, by label.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/pages.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/labels.hpp"
#include "worker.hpp"

namespace confmat {

template <class Cell>
struct Merged {
  Labels labels;
  std::vector<Cell> cells;  // K * K
};

// Adds the K * K cells of every part; all parts have the classes of the fixed labels.
template <class Cell>
std::vector<Cell> merge_fixed(std::deque<Worker<Cell>>& workers, std::size_t k, const Job& job) {
  std::vector<Cell> cells = large_zeros<Cell>(k * k);
  Budget budget{job.max_bytes};
  for (Worker<Cell>& worker : workers) {
    for (Part<Cell>& part : worker.parts) {
      for (std::size_t i = 0; i < k; ++i) {
        obey_between_rows(k);
        for (std::size_t j = 0; j < k; ++j) {
          merge(cells[i * k + j], part.cells[i * (k + 2) + j], budget);
        }
      }
    }
  }
  return cells;
}

// Whether a class of the part has a row or a column with something in it.
template <class Cell>
std::vector<std::uint8_t> present_classes(const Part<Cell>& part) {
  const std::size_t k = part.classes;
  std::vector<std::uint8_t> rows(k);
  std::vector<std::uint8_t> columns(k);
  for (std::size_t i = 0; i < k; ++i) {
    obey_between_rows(k);
    std::uint8_t in_row = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const std::uint8_t there = is_empty(part.cells[i * (k + 2) + j]) ? 0 : 1;
      in_row |= there;
      columns[j] |= there;
    }
    rows[i] = in_row;
  }
  for (std::size_t c = 0; c < k; ++c) rows[c] |= columns[c];
  return rows;
}

inline std::int64_t label_of(bool is_window, std::int64_t base, std::size_t c,
                             const std::vector<std::int64_t>& values) {
  return is_window ? base + static_cast<std::int64_t>(c) : values[c];
}
inline const std::string& label_of(bool, std::int64_t, std::size_t c,
                                   const std::vector<std::string>& values) {
  return values[c];
}
inline const std::vector<std::int64_t>& values_of(const ClassSet& set, std::int64_t) {
  return set.ints.values();
}
inline const std::vector<std::string>& values_of(const ClassSet& set, const std::string&) {
  return set.texts.texts();
}

// `labels`: those to keep in any case; becomes the sorted labels present.
template <class Label, class Cell>
std::vector<Cell> merge_by_label(std::deque<Worker<Cell>>& workers, std::vector<Label>& labels,
                                 const Job& job) {
  std::vector<std::vector<std::uint8_t>> presences;
  for (const Worker<Cell>& worker : workers) {
    const auto& values = values_of(worker.set, Label{});
    for (const Part<Cell>& part : worker.parts) {
      const std::vector<std::uint8_t>& present = presences.emplace_back(present_classes(part));
      for (std::size_t c = 0; c < part.classes; ++c) {
        if (present[c] != 0) labels.push_back(label_of(part.is_window, part.base, c, values));
      }
    }
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const std::size_t k = labels.size();
  if (static_cast<std::int64_t>(k) > job.most_classes) throw TooManyClasses{};
  std::vector<Cell> cells = large_zeros<Cell>(k * k);
  const auto slices = k < kLargeTable ? std::size_t{1} : static_cast<std::size_t>(job.threads);
  auto presence = presences.begin();
  for (Worker<Cell>& worker : workers) {
    const auto& values = values_of(worker.set, Label{});
    for (Part<Cell>& part : worker.parts) {
      const std::size_t side = std::size_t{part.classes} + 2;
      std::vector<std::pair<std::size_t, std::size_t>> places;  // class, index of its label
      for (std::size_t c = 0; c < part.classes; ++c) {
        if ((*presence)[c] == 0) continue;
        const auto at = std::lower_bound(labels.begin(), labels.end(),
                                         label_of(part.is_window, part.base, c, values));
        places.emplace_back(c, static_cast<std::size_t>(at - labels.begin()));
      }
      const auto merge_slice = [&](int slice) {
        Budget budget{job.max_bytes / static_cast<std::int64_t>(slices)};
        const std::size_t at = places.size() * static_cast<std::size_t>(slice) / slices;
        const std::size_t end = places.size() * (static_cast<std::size_t>(slice) + 1) / slices;
        for (const auto& [i, row] : std::span(places).subspan(at, end - at)) {
          obey_between_rows(places.size());
          for (const auto& [j, column] : places) {
            merge(cells[row * k + column], part.cells[i * side + j], budget);
          }
        }
      };
      for_each_part(static_cast<int>(slices), static_cast<int>(slices), merge_slice);
      part.cells = std::vector<Cell>();
      ++presence;
    }
  }
  return cells;
}

template <class Cell>
Merged<Cell> merge_found(std::deque<Worker<Cell>>& workers, const Job& job) {
  Merged<Cell> merged;
  merged.labels.kind = job.kind;
  if (job.kind == Labels::Kind::kText) {
    merged.cells = merge_by_label(workers, merged.labels.texts, job);
  } else {
    if (job.kind == Labels::Kind::kBool) merged.labels.ints = {0, 1};
    merged.cells = merge_by_label(workers, merged.labels.ints, job);
  }
  return merged;
}

}  // namespace confmat
