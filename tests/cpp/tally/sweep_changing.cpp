// Rows that change between the passes of a sweep are an error, and nothing worse.
#include <doctest/doctest.h>

#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/scores/score_key.hpp"
#include "src/tally/sweep_partition.hpp"

using namespace confmat;

namespace {

// In the pass that deals the rows, each score of `from` has become `to`.
template <class Score>
struct Changing {
  using Key = KeyOf<Score>;

  std::vector<Score> scores;
  Score from;
  Score to;

  template <class Visit>
  void keys(std::int64_t first, std::int64_t last, Visit&& visit) const {
    for (auto i = first; i < last; ++i) {
      const Key key = score_key(scores[static_cast<std::size_t>(i)]);
      visit(&key, std::size_t{1});
    }
  }
  template <class Visit>
  void rows(std::int64_t first, std::int64_t last, bool again, Visit&& visit) const {
    for (auto i = first; i < last; ++i) {
      const Score score = scores[static_cast<std::size_t>(i)];
      const Key key = score_key(again && score == from ? to : score);
      const auto positive = static_cast<std::uint8_t>(i & 1);
      RowBlock<Key, Unweighted> block;
      block.n = 1;
      block.keys = &key;
      block.positive = &positive;
      visit(block);
    }
  }
};

template <class Score>
void check() {
  Changing<Score> source{std::vector<Score>(200'000, Score{0.5}), Score{0.5}, Score{0.5}};
  source.scores.front() = Score{0.25};
  source.scores.back() = Score{1};
  const auto rows = static_cast<std::int64_t>(source.scores.size());
  const auto run = [&](int threads) {
    return Partition<KeyOf<Score>, Unweighted, Changing<Score>>(source, rows, threads).run();
  };
  for (const int threads : {1, 3}) {
    source.to = source.from;
    CHECK(run(threads).scores.size() == 3);
    // Into bins that were empty: between the others, above and below all.
    for (const double to : {0.75, 0.26, 0.9999999, 2.0, 0.1, -1.0}) {
      source.to = static_cast<Score>(to);
      CHECK_THROWS_AS(run(threads), InputError);
    }
  }
}

}  // namespace

TEST_CASE("scores that move into empty bins meanwhile are noticed") {
  check<float>();
  check<double>();
}
