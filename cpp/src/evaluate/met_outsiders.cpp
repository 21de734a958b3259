// The last rows that had labels beyond the given ones.
#include "confmat/evaluate/met_outsiders.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/state/labels.hpp"

namespace confmat {

MetOutsiders& MetOutsiders::shared() {
  static MetOutsiders met;
  return met;
}

void MetOutsiders::put(const Labels& labels, Outsider first, std::int64_t rows) {
  constexpr std::size_t kMost = 16;  // requests of one query whose labels differ
  const std::scoped_lock lock(mutex_);
  std::erase_if(met_, [&](const Met& met) { return met.labels == labels; });
  met_.push_front({labels, std::move(first), rows});
  if (met_.size() > kMost) met_.pop_back();
}

void MetOutsiders::refuse(const Labels& labels, std::int64_t rows) const {
  const auto counted = [](std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " row" : " rows");
  };
  const std::scoped_lock lock(mutex_);
  const auto met = std::ranges::find(met_, labels, &Met::labels);
  if (met == met_.end()) {
    throw InputError("a group has " + counted(rows) + " with a label that is not in labels " +
                     listing(labels) + std::string(kOrBucket));
  }
  std::string more;
  if (met->rows > rows) {
    more = "; it is the first of " + counted(met->rows) + " with such labels, and a group has " +
           std::to_string(rows) + " of them";
  }
  throw refused_outsider(met->first, met->first.in_truth ? "y_true" : "y_pred", labels,
                         more.append(kOrBucket));
}

}  // namespace confmat
