// Reads weights block by block beside a class that says which rows do not count.
#include "confmat/tally/row_weights.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "confmat/base/threads.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/weight_reader.hpp"

namespace confmat {
namespace {

constexpr std::uint16_t kNull = 1;

template <class Weight>
Pages<Weight> read(Chunks sample_weight, std::int64_t rows, const RowWeightOptions& options,
                   std::vector<std::uint8_t>& missing) {
  const auto none = [](const Column& chunk) {
    return !any_null(chunk, 0, static_cast<std::size_t>(chunk.length));
  };
  if (!std::ranges::all_of(sample_weight, none)) missing.resize(static_cast<std::size_t>(rows));
  Pages<Weight> weights(static_cast<std::size_t>(rows));
  over_ranges(
      thread_count(options.threads, rows), rows, [&](int, std::int64_t first, std::int64_t last) {
        std::array<std::uint16_t, kBlock> classes{};
        Scratch scratch;
        WeightReader reader(scratch);
        Cursor cursor(sample_weight, first);
        const Column* chunk = nullptr;
        for (std::int64_t row = first; row < last;) {
          if (std::exchange(chunk, &cursor.chunk()) != &cursor.chunk()) {
            reader.start(*chunk, row - cursor.at());
          }
          const std::int64_t n = std::min({std::int64_t{kBlock}, last - row, cursor.left()});
          const auto at = static_cast<std::size_t>(row);
          const auto size = static_cast<std::size_t>(n);
          if (options.passed_over.empty()) {
            std::fill_n(classes.begin(), size, std::uint16_t{0});
          } else {
            std::copy_n(options.passed_over.begin() + row, size, classes.begin());
          }
          Weight* const out = weights.data() + at;
          reader.read(cursor.at(), size, out, classes.data(), classes.data(), kNull);
          for (std::size_t i = 0; i < size; ++i) {
            if (classes[i] == kNull) out[i] = 0;
            if (!missing.empty())
              missing[at + i] = chunk->valid(cursor.at() + static_cast<std::int64_t>(i)) ? 0 : 1;
          }
          row += n;
          cursor.advance(n);
        }
      });
  return weights;
}

}  // namespace

RowWeights row_weights(Chunks sample_weight, std::int64_t rows, const RowWeightOptions& options) {
  RowWeights out;
  const WeightKind kind = weight_kind(sample_weight);
  require_equal_lengths(rows, "y_true", total_length(sample_weight), "sample_weight");
  out.are_integers = kind != WeightKind::kFloat && !options.as_floats;
  if (out.are_integers) {
    out.integers = read<std::uint64_t>(sample_weight, rows, options, out.missing);
    std::int64_t total = 0;
    add_counts(out.integers.span(), total);
  } else {
    out.floats = read<double>(sample_weight, rows, options, out.missing);
    const std::span all = out.floats.span();
    require_weight_sum(std::accumulate(all.begin(), all.end(), 0.0), "");
  }
  return out;
}

}  // namespace confmat
