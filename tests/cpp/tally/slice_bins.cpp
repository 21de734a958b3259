// States of many slices: those of the rows of each slice, whatever the batches and threads, at the
// finest level that fits.
#include "confmat/tally/slice_bins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/sweep.hpp"
#include "confmat/tally/sweep_binned.hpp"
#include "support/bytes_in.hpp"
#include "sweep.hpp"

using namespace test;
using confmat::InputError;
using confmat::SliceBins;
using confmat::SliceBinsOptions;

namespace {

using States = std::vector<std::vector<std::uint8_t>>;

Column slices_column(const std::vector<std::uint32_t>& values) {
  Column column;
  column.type = DType::kUInt32;
  column.length = static_cast<std::int64_t>(values.size());
  column.data = reinterpret_cast<const std::byte*>(values.data());
  column.stride = sizeof(std::uint32_t);
  return column;
}

template <class Score>
struct Log {
  std::size_t n_slices;
  std::vector<std::uint32_t> slices;
  std::vector<std::uint8_t> classes;
  std::vector<Score> scores;
};

// `steps`: of that many equal parts of [0, 1]; 0: any score in it.
template <class Score>
Log<Score> drawn(std::size_t rows, std::size_t n_slices, int steps, unsigned seed) {
  std::mt19937 random(seed);
  Log<Score> log{n_slices, {}, {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    // Few rows in the last slices.
    log.slices.push_back(
        static_cast<std::uint32_t>(std::min(random() % n_slices, random() % n_slices)));
    log.classes.push_back(random() % 3 == 0);
    const double score = std::uniform_real_distribution(0.0, 1.0)(random);
    log.scores.push_back(static_cast<Score>(steps > 0 ? std::floor(score * steps) / steps : score));
  }
  return log;
}

template <class Score>
void add(SliceBins& bins, const Log<Score>& log, std::size_t first, std::size_t last) {
  const std::vector<std::uint32_t> slices(log.slices.data() + first, log.slices.data() + last);
  const std::vector<std::uint8_t> classes(log.classes.data() + first, log.classes.data() + last);
  const std::vector<Score> scores(log.scores.data() + first, log.scores.data() + last);
  const Column of = slices_column(slices);
  const Column truth = classes_column(classes);
  const Column score = scores_column(scores);
  bins.add({{&of, 1}, {&truth, 1}, {&score, 1}, log.n_slices});
}

template <class Score>
States states_of(SliceBins& bins, const Log<Score>& log, std::size_t batch) {
  for (std::size_t first = 0; first < log.slices.size(); first += batch) {
    add(bins, log, first, std::min(first + batch, log.slices.size()));
  }
  return bytes_in(bins.states());
}

// Each slice swept for itself.
template <class Score>
States wanted(const Log<Score>& log, unsigned level) {
  States out;
  for (std::uint32_t slice = 0; slice < log.n_slices; ++slice) {
    std::vector<std::uint8_t> classes;
    std::vector<Score> scores;
    for (std::size_t i = 0; i < log.slices.size(); ++i) {
      if (log.slices[i] != slice) continue;
      classes.push_back(log.classes[i]);
      scores.push_back(log.scores[i]);
    }
    const Column truth = classes_column(classes);
    const Column score = scores_column(scores);
    const confmat::Binning binning{.map = confmat::BinMap::unit(level), .edges = {}};
    out.push_back(confmat::encode(confmat::state_of(
        confmat::sweep_binned({&truth, 1}, {&score, 1}, {}, binning, {}), binning.map, {}, false)));
  }
  return out;
}

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

template <class Score>
void check_at_all_levels(const Log<Score>& log) {
  std::vector<bool> seen(confmat::kMostUnitLevel + 1);
  for (std::size_t max_bytes = std::size_t{1} << 24U; max_bytes > 4'000;
       max_bytes -= max_bytes / 3) {
    CAPTURE(max_bytes);
    std::optional<unsigned> level;
    for (const auto& [batch, threads, most_narrow] :
         {std::tuple{log.slices.size(), 1, std::uint64_t{UINT32_MAX}},
          std::tuple{std::size_t{997}, 2, std::uint64_t{UINT32_MAX}},
          std::tuple{log.slices.size() / 3 + 1, 4, std::uint64_t{300}}}) {
      SliceBinsOptions options;
      options.max_bytes = max_bytes;
      options.threads = threads;
      options.most_narrow = most_narrow;
      SliceBins bins(options);
      try {
        const States states = states_of(bins, log, batch);
        CHECK(bins.bytes() <= max_bytes);
        if (!level) level = bins.level();
        CHECK(bins.level() == *level);
        CHECK(states == wanted(log, *level));
        CHECK(bytes_in(bins.states()) == states);
        seen[*level] = true;
      } catch (const InputError& error) {
        CHECK(!level);
        CHECK(std::string(error.what()).find("in the coarsest bins") != std::string::npos);
        CHECK_THROWS_AS(static_cast<void>(bins.states()), InputError);
      }
    }
  }
  CHECK(seen.front());
  CHECK(seen.back());
  CHECK(std::count(seen.begin(), seen.end(), true) >= 4);
}

}  // namespace

TEST_CASE("slice bins: the states of each slice at every level, in any batches") {
  check_at_all_levels(drawn<float>(60'000, 7, 0, 1));
  check_at_all_levels(drawn<double>(60'000, 7, 0, 2));
}

TEST_CASE("slice bins: scores are known while each bin has one") {
  check_at_all_levels(drawn<float>(60'000, 5, 255, 3));
  check_at_all_levels(drawn<double>(60'000, 5, 100, 4));
  check_at_all_levels(drawn<float>(60'000, 5, 12, 5));
}

TEST_CASE("slice bins: many slices of few rows stay in the finest bins") {
  const auto log = drawn<float>(90'000, 3'000, 0, 6);
  SliceBinsOptions options;
  options.max_bytes = std::size_t{1} << 20U;
  SliceBins bins(options);
  CHECK(states_of(bins, log, 10'000) == wanted(log, 0));
  CHECK(bins.level() == 0);
}

TEST_CASE("slice bins: more rows than are read at once") {
  const auto log = drawn<float>(2'300'000, 3, 0, 7);
  SliceBins bins(SliceBinsOptions{});
  CHECK(states_of(bins, log, log.slices.size()) == wanted(log, 0));
}

TEST_CASE("slice bins: counts beyond a byte call for coarser bins, too") {
  const auto log = drawn<float>(700'000, 1, 0, 10);
  const std::uint64_t positives =
      static_cast<std::uint64_t>(std::count(log.classes.begin(), log.classes.end(), 1));
  const std::uint64_t negatives = log.classes.size() - positives;
  const auto level_of = [&](std::uint64_t times, std::size_t max_bytes) {
    const std::uint64_t rows[] = {negatives * times, positives * times};
    return SliceBins::level_of({rows, 1}, {rows + 1, 1}, false, max_bytes);
  };
  std::size_t least = 700'000;  // bytes at the finest level
  while (level_of(1, least) > 0) ++least;
  CHECK(level_of(1, least - 1) == 1);
  CHECK(level_of(2, least) == 1);
  CHECK(level_of(1'000'000, 3 * least) == level_of(1'000'000'000, 3 * least));
  for (const std::size_t max_bytes : {least - 1, least}) {
    for (const std::size_t batch : {log.slices.size(), std::size_t{90'000}}) {
      SliceBins bins({.max_bytes = max_bytes});
      CHECK(states_of(bins, log, batch) == wanted(log, max_bytes < least ? 1 : 0));
    }
  }
}

TEST_CASE("slice bins: no rows and no slices") {
  SliceBins bins(SliceBinsOptions{});
  CHECK(bins.states().size() == 0);
  const auto log = drawn<double>(0, 4, 0, 8);
  add(bins, log, 0, 0);
  CHECK(bytes_in(bins.states()) == wanted(log, 0));
  CHECK(bins.n_slices() == 4);
}

TEST_CASE("slice bins: what is wrong is named, and adds nothing") {
  auto log = drawn<float>(1'000, 4, 0, 9);
  SliceBins bins(SliceBinsOptions{});
  add(bins, log, 0, 500);
  const States before = bytes_in(bins.states());
  auto bad = log;
  bad.slices[700] = 4;
  CHECK(message([&] { add(bins, bad, 500, 1'000); }) ==
        "slice 4 at row 200 of `slices`; wanted less than 4, the number of slices");
  bad = log;
  bad.scores[502] = std::numeric_limits<float>::quiet_NaN();
  CHECK(
      message([&] { add(bins, bad, 500, 1'000); }).starts_with("score nan at row 2 of `y_score`"));
  bad = log;
  bad.n_slices = 3;
  CHECK(message([&] { add(bins, bad, 500, 1'000); }) ==
        "`n_slices` is 3 after 4; wanted at least as many");
  CHECK(bytes_in(bins.states()) == before);
  const auto doubles = drawn<double>(10, 4, 0, 10);
  CHECK(message([&] { add(bins, doubles, 0, 10); }) ==
        "`y_score` holds float64 after batches of float32; wanted one dtype");
  add(bins, log, 500, 1'000);
  CHECK(bytes_in(bins.states()) == wanted(log, 0));
}

TEST_CASE("slice bins: an error amid the rows of a call ends all") {
  auto log = drawn<float>((std::size_t{1} << 20U) + 5, 4, 0, 11);
  log.scores.back() = std::numeric_limits<float>::quiet_NaN();
  SliceBins bins(SliceBinsOptions{});
  CHECK_THROWS_AS(add(bins, log, 0, log.slices.size()), InputError);
  CHECK(message([&] { static_cast<void>(bins.states()); }) ==
        "an error ended an earlier call amid its rows; begin again");
}
