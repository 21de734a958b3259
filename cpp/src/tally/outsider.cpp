// The sentence about a label that is not among those given.
#include "confmat/tally/outsider.hpp"

#include "confmat/state/labels.hpp"

namespace confmat {

InputError refused_outsider(const Outsider& outsider, std::string_view argument,
                            const Labels& labels, std::string_view more) {
  return {"label " + in_quotes(outsider.label, labels.kind), outsider.row,
          std::string(" of `")
              .append(argument)
              .append("` is not in labels ")
              .append(listing(labels))
              .append(more)};
}

}  // namespace confmat
