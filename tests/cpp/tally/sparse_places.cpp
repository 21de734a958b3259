#include "confmat/tally/sparse_places.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace confmat;
using Places = std::vector<std::int64_t>;

TEST_CASE("places of two matrices: each once, in order, and where those of either are") {
  const SparsePlaces found = unite_places(Places{1, 4, 9}, Places{0, 4, 5, 12});
  CHECK(found.both == Places{0, 1, 4, 5, 9, 12});
  CHECK(found.of_one == Places{1, 2, 4});
  CHECK(found.of_other == Places{0, 2, 3, 5});
  CHECK(unite_places(Places{}, Places{}).both.empty());
  CHECK(unite_places(Places{3}, Places{}).of_one == Places{0});
  CHECK(unite_places(Places{}, Places{3}).both == Places{3});
  CHECK(unite_places(Places{}, Places{3}).of_one.empty());
}
