// Reads a column as classes, on every core, into bytes.
#include "confmat/tally/class_codes.hpp"

#include <algorithm>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/batch/cursor.hpp"
#include "confmat/batch/label_kind.hpp"
#include "confmat/tally/class_reader.hpp"
#include "confmat/tally/outsider.hpp"

namespace confmat {
Pages<std::uint16_t> class_codes(Chunks y_true, const Labels& labels, int threads) {
  require_kind(y_true, "y_true", labels.kind);
  const ClassSet set = fixed_classes(labels);
  const std::int64_t rows = total_length(y_true);
  Pages<std::uint16_t> codes(static_cast<std::size_t>(rows));
  over_ranges(thread_count(threads, rows), rows, [&](int, std::int64_t first, std::int64_t last) {
    Scratch scratch;
    ClassReader reader("y_true", scratch);
    Cursor cursor(y_true, first);
    const Column* chunk = nullptr;
    for (std::int64_t row = first; row < last;) {
      if (chunk != &cursor.chunk()) {
        chunk = &cursor.chunk();
        reader.start(*chunk, set, row - cursor.at());
      }
      const std::int64_t at = cursor.at();
      const auto n = std::min({std::int64_t{kBlock}, last - row, cursor.left()});
      std::uint16_t* out = codes.data() + row;
      if (reader.read(at, static_cast<std::size_t>(n), kClass16, out)) {
        const auto bad = std::find(out, out + n, set.other()) - out;
        throw refused_outsider({true, row + bad, reader.display(at + bad)}, "y_true", labels);
      }
      row += n;
      cursor.advance(n);
    }
  });
  return codes;
}

}  // namespace confmat
