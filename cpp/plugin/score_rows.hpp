// Labels and scores of a block of rows, read from columns of any of their types.
#pragma once

#include <cstdint>
#include <vector>

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
  void start_run(const Column& column);
  // Fills in kind, label and, of labels that are neither 0 nor 1, key. `first_row` is that of the
  // call. Needs: column.length == rows.size(), or 1.
  void read(const Column& column, std::int64_t first_row, std::span<ScoredRow> rows);

 private:
  ScoredRow of_int(std::int64_t label) const;
  ScoredRow of_text(std::string_view text) const;

  const Spec& spec_;
  std::vector<ScoredRow> entries_;
  std::vector<std::int64_t> values_;
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
