// Rows of label pairs become codes, which say that a label is beyond those given, not which one it
// is; and only the groups, which have the codes alone, tell whether such a row counts. So who makes
// codes of rows leaves word of the first such row here, for the process, and bounded.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "confmat/batch/labels.hpp"
#include "confmat/tally/outsider.hpp"

namespace confmat {

class MetOutsiders {
 public:
  static MetOutsiders& shared();

  // `first` of `rows` rows read together have labels beyond `labels`.
  void put(const Labels& labels, Outsider first, std::int64_t rows);
  // Throws InputError: `rows` rows of a group have labels beyond `labels`. It names the one met
  // last, and where more were read than the group has, says so: it need not be of the group.
  [[noreturn]] void refuse(const Labels& labels, std::int64_t rows) const;

 private:
  struct Met {
    Labels labels;
    Outsider first;
    std::int64_t rows;
  };
  mutable std::mutex mutex_;
  std::deque<Met> met_;  // the newest first, one of each labels
};

}  // namespace confmat
