// Names a class for each row of probabilities, where several guesses are allowed.
#include <algorithm>

#include "confmat/base/interrupt.hpp"
#include "confmat/tally/probabilities.hpp"
#include "probability_block.hpp"
#include "probability_row.hpp"
#include "row_parts.hpp"

namespace confmat {

Pages<std::uint16_t> predict_top_k(const ProbabilityTable& table, std::int64_t k, Ties ties,
                                   int threads) {
  const auto rows = static_cast<std::int64_t>(table.classes.size());
  const std::size_t columns = table.columns.size();
  Pages<std::uint16_t> out(table.classes.size());
  const int most = threads_of_cells(threads, rows, static_cast<std::int64_t>(columns));
  over_parts(most, most, rows, [&](int, std::int64_t first, std::int64_t last) {
    ProbabilityBlock block(table.columns);
    const StopSign sign;
    for (std::int64_t row = first; row < last;) {
      sign.obey();
      const std::int64_t n = std::min(block.most_rows(), last - row);
      const double* p = block.rows(row, static_cast<std::size_t>(n));
      for (std::int64_t r = 0; r < n; ++r, p += columns) {
        const auto at = static_cast<std::size_t>(row + r);
        std::uint16_t& truth = out[at];
        truth = table.classes[at];
        if (truth >= columns) continue;
        if (k > 1 && static_cast<std::int64_t>(rank_of(p, columns, truth).of(ties)) < k) continue;
        std::size_t top = 0;
        for (std::size_t j = 1; j < columns; ++j) {
          if (p[j] > p[top] || (ties == Ties::kLast && p[j] == p[top])) top = j;
        }
        truth = static_cast<std::uint16_t>(top);
      }
      row += n;
    }
  });
  return out;
}

}  // namespace confmat
