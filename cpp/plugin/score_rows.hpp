// Labels and scores of a block of rows, read from columns of any of their types.
#pragma once

#include <cstdint>
#include <vector>

#include "confmat/batch/gather.hpp"
#include "confmat/evaluate/score_code.hpp"
#include "confmat/evaluate/score_values.hpp"
#include "plugin/encode_pairs.hpp"

namespace confmat::plugin {

// The dtype of scores that is read as 16-bit words (Arrow "e").
enum class ScoreWords : std::uint8_t { kNumbers, kHalves };

// What labels of one run of rows stand for: for dictionaries, found once for each entry.
class ScoredLabels {
 public:
  explicit ScoredLabels(const Spec& spec) : spec_(spec) {}
  // For another thread.
  ScoredLabels(const ScoredLabels& other) : spec_(other.spec_), entries_(other.entries_) {}
  ScoredLabels& operator=(const ScoredLabels&) = delete;
  ScoredLabels(ScoredLabels&&) = default;
  ScoredLabels& operator=(ScoredLabels&&) = delete;
  ~ScoredLabels() = default;
  void start_run(const Column& column);
  // Fills in kind, label and, of labels that are neither 0 nor 1, key. `first_row` is that of the
  // call. Needs: column.length == rows.size(), or 1.
  void read(const Column& column, std::int64_t first_row, std::span<ScoredRow> rows);
  // The codes of Booleans or integers and Float32 scores, at once; false, and nothing of use, where
  // one of the rows has a null, a nan or a label that is none, or a column is of another type.
  // Needs: out has room for 4096 rows, and no column is longer.
  bool pack_plain(const Column& labels, const Column& scores, NarrowScore::Bits* out);

 private:
  ScoredRow of_int(std::int64_t label) const;
  ScoredRow of_text(std::string_view text) const;

  const Spec& spec_;
  std::vector<ScoredRow> entries_;
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> keys_;
  Scratch scratch_;
};

// Drops the rows in which the column is null.
void drop_nulls(const Column& column, std::span<ScoredRow> rows);

// Fills in the keys of rows that were not dropped; a nan changes their kind.
// Needs: rows with a null were dropped.
void read_scores(const Column& column, ScoreWords words, std::int64_t first_row,
                 std::span<ScoredRow> rows);

// Fills in the weights of rows that were not set aside. Needs: rows with a null were dropped.
void read_score_weights(const Column& column, std::int64_t first_row, std::span<ScoredRow> rows);

}  // namespace confmat::plugin
