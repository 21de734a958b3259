// Numbers labels as they are met, each thread its own; then these are sorted together.
#include "confmat/tally/label_codes.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/state/labels.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/outsider.hpp"
#include "label_union.hpp"

namespace confmat {
namespace {

// A part of a column.
class ListedPart {
 public:
  // `fixed`: the classes of the known labels, or null.
  ListedPart(const ListedLabels& column, Labels::Kind kind, const ClassSet* fixed,
             const Labels* known)
      : met_(growing_classes(kind)),
        column_(column),
        set_(fixed != nullptr ? *fixed : met_),
        known_(known) {}
  ListedPart(const ListedPart&) = delete;
  ListedPart& operator=(const ListedPart&) = delete;
  ~ListedPart() = default;

  void read(std::int64_t first, std::int64_t last, std::uint32_t* codes) {
    Scratch scratch;
    ClassReader reader(column_.argument, scratch);
    Cursor cursor(column_.labels, first);
    const Column* chunk = nullptr;
    std::int64_t step = 64;  // a block of labels that are all new is read twice
    for (std::int64_t at = first; at < last;) {
      if (std::exchange(chunk, &cursor.chunk()) != &cursor.chunk()) {
        reader.start(*chunk, set_, at - cursor.at());
      }
      const auto n = std::min({step, last - at, cursor.left()});
      block(reader, cursor.at(), at, static_cast<std::size_t>(n), codes + at);
      at += n;
      cursor.advance(n);
      step = std::min(2 * step, static_cast<std::int64_t>(kBlock));
    }
  }
  [[nodiscard]] const ClassSet& met() const noexcept { return met_; }

 private:
  void block(ClassReader& reader, std::int64_t in_chunk, std::int64_t at, std::size_t n,
             std::uint32_t* codes) {
    const bool others = reader.read(in_chunk, n, kClass32, codes);
    // What is beyond the labels, another one or a null, is beyond all others.
    if (!others && *std::max_element(codes, codes + n) < set_.other()) return;
    for (std::size_t i = 0; i < n; ++i) {
      const auto here = static_cast<std::int64_t>(i);
      if (codes[i] == set_.null()) {
        throw InputError("`" + std::string(column_.argument) + "` holds a null inside the list",
                         at + here, "");
      }
      if (!others || codes[i] != set_.other()) continue;
      if (known_ != nullptr) {
        throw refused_outsider({.row = at + here, .label = reader.display(in_chunk + here)},
                               column_.argument, *known_);
      }
      codes[i] = met_.form == ClassSet::Form::kTexts
                     ? met_.texts.add(reader.text_label(in_chunk + here))
                     : met_.ints.add(reader.int_label(in_chunk + here));
    }
  }

  ClassSet met_;
  const ListedLabels& column_;
  const ClassSet& set_;
  const Labels* known_;
};

// Errors tell the label's place among all; wanted is its row.
template <class Read>
void by_rows(const ListedLabels& column, const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    if (!error.row()) throw;
    const auto row = std::ranges::upper_bound(column.ends, *error.row()) - column.ends.begin();
    throw InputError(error.before(), row, error.after());
  }
}

}  // namespace

LabelCodes label_codes(std::span<const ListedLabels> columns, const Labels* known, int threads) {
  const ListedLabels& one = columns.front();
  const ListedLabels& last = columns.back();
  const Labels::Kind kind =
      known != nullptr ? known->kind : joint_kind(one.labels, last.labels, last.argument);
  std::optional<ClassSet> fixed;
  if (known != nullptr) {
    for (const ListedLabels& column : columns) require_kind(column.labels, column.argument, kind);
    fixed = fixed_classes(*known, kMostWideClasses);
  }
  struct Task {
    std::size_t column;
    std::int64_t first, last;
  };
  LabelCodes out;
  std::deque<ListedPart> parts;
  std::vector<Task> tasks;
  int most = 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::int64_t n = total_length(columns[i].labels);
    out.codes.emplace_back(static_cast<std::size_t>(n));
    const int of_column = thread_count(threads, n);
    most = std::max(most, of_column);
    for (int part = 0; part < of_column; ++part) {
      parts.emplace_back(columns[i], kind, fixed ? &*fixed : nullptr, known);
      tasks.push_back({i, n * part / of_column, n * (part + 1) / of_column});
    }
  }
  const auto n_tasks = static_cast<int>(tasks.size());
  for_each_part(n_tasks, most, [&](int number) {
    const auto at = static_cast<std::size_t>(number);
    const Task& task = tasks[at];
    by_rows(columns[task.column],
            [&] { parts[at].read(task.first, task.last, out.codes[task.column].data()); });
  });
  if (known != nullptr) return out;
  std::deque<std::vector<std::uint8_t>> present;
  std::vector<LabelsOf> sets;
  sets.reserve(parts.size());
  for (const ListedPart& part : parts) {
    sets.push_back({&part.met(), &present.emplace_back(part.met().size(), std::uint8_t{1})});
  }
  LabelUnion labels = unite(kind, sets);
  for_each_part(n_tasks, most, [&](int number) {
    const auto at = static_cast<std::size_t>(number);
    const Task& task = tasks[at];
    std::uint32_t* const codes = out.codes[task.column].data();
    const std::vector<std::uint32_t>& ranks = labels.ranks[at];
    for (std::int64_t i = task.first; i < task.last; ++i) codes[i] = ranks[codes[i]];
  });
  out.labels = std::move(labels.labels);
  return out;
}

}  // namespace confmat
