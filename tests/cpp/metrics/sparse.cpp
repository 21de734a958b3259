// Sparse tables: every value, reason and column of classes is that of the same table in full.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "confmat/base/error.hpp"
#include "confmat/metrics/registry.hpp"

namespace confmat::metrics {
namespace {

template <class T>
struct Both {
  std::int64_t k;
  std::vector<T> cells;
  std::vector<std::int64_t> places;
  std::vector<T> held;

  Both(std::int64_t classes, std::vector<T> table) : k(classes), cells(std::move(table)) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] == T{}) continue;
      places.push_back(static_cast<std::int64_t>(i));
      held.push_back(cells[i]);
    }
  }
  [[nodiscard]] Table full() const { return table_of(cells); }
  [[nodiscard]] Table sparse() const {
    Table out = table_of(held);
    out.places = places.data();
    out.filled = static_cast<std::int64_t>(places.size());
    out.is_sparse = true;
    return out;
  }

 private:
  [[nodiscard]] Table table_of(const std::vector<T>& of) const {
    Table out{.k = k};
    if constexpr (std::is_same_v<T, double>) {
      out.weights = of.data();
    } else {
      out.counts = of.data();
    }
    return out;
  }
};

bool close(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  // Both round differences of what is about 1, and the full table sums k^2 products one by one.
  return std::fabs(a - b) <= 1e-13 * std::max(std::fabs(a), std::fabs(b)) + 1e-14;
}

template <class T>
void check_same(const Both<T>& both) {
  std::vector<Ask> of_all, of_class;
  for (const Fact& fact : facts()) {
    (fact.level == "class" ? of_class : of_all).push_back(parse(fact.name));
  }
  std::vector<std::string> labels;
  for (std::int64_t i = 0; i < both.k; ++i) labels.push_back(std::to_string(i));
  std::vector<std::int64_t> some;
  for (std::int64_t i = 0; i < both.k; i += 2) some.push_back(i);
  std::vector<Options> ways(4);
  ways[1].undefined = 0.5;
  ways[2].keep_empty = true;
  ways[3].classes = some;
  for (const Options& options : ways) {
    std::vector<double> wanted(of_all.size()), found(of_all.size());
    std::vector<std::string> why(of_all.size()), why_found(of_all.size());
    explained(of_all, both.full(), options, labels, wanted.data(), why.data());
    explained(of_all, both.sparse(), options, labels, found.data(), why_found.data());
    for (std::size_t i = 0; i < of_all.size(); ++i) {
      CAPTURE(of_all[i].name);
      CAPTURE(both.k);
      CHECK_MESSAGE(close(wanted[i], found[i]), wanted[i], " ", found[i]);
      CHECK(why[i] == why_found[i]);
      CHECK(n_used(of_all[i], both.full(), options) == n_used(of_all[i], both.sparse(), options));
      CHECK(left_out(of_all[i], both.full(), options) ==
            left_out(of_all[i], both.sparse(), options));
      CHECK(refusal(of_all[i], both.sparse(), options).empty());
    }
    const auto size = static_cast<std::size_t>(both.k) * of_class.size();
    std::vector<double> rows(size), rows_found(size);
    per_class(of_class, both.full(), options, rows.data());
    per_class(of_class, both.sparse(), options, rows_found.data());
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(of_class[i % of_class.size()].name);
      CHECK_MESSAGE(close(rows[i], rows_found[i]), rows[i], " ", rows_found[i]);
    }
  }
  CHECK(eve_eigenvalues(both.full()) == eve_eigenvalues(both.sparse()));
  CHECK(singular_values(both.full()) == singular_values(both.sparse()));
  const auto [low, high] = eve_bounds(both.full());
  const auto [low_sparse, high_sparse] = eve_bounds(both.sparse());
  CHECK((close(low, low_sparse) && close(high, high_sparse)));
  const auto scaled = balanced(both.full()), scaled_sparse = balanced(both.sparse());
  for (std::size_t i = 0; i < both.places.size(); ++i) {
    CHECK(scaled[static_cast<std::size_t>(both.places[i])] == scaled_sparse[i]);
  }
}

}  // namespace

TEST_CASE("metrics of sparse tables are those of full ones") {
  std::mt19937_64 random(81);
  for (const std::int64_t k : {0, 1, 2, 3, 7, 70}) {
    for (const std::uint64_t most : {2ULL, 1000ULL, 1ULL << 50U, 1ULL << 62U}) {
      for (const std::uint64_t one_in : {1ULL, 3ULL, 30ULL}) {
        // The exact sums and spectra of large ones take long.
        if (k > 7 && (most != 1000 || one_in == 1)) continue;
        std::vector<std::int64_t> counts(static_cast<std::size_t>(k * k));
        for (auto& cell : counts) {
          const std::uint64_t value = random() % most;
          if (random() % one_in == 0) cell = static_cast<std::int64_t>(value);
        }
        check_same(Both<std::int64_t>(k, counts));
        std::vector<double> weights(counts.begin(), counts.end());
        for (double& weight : weights) weight *= std::ldexp(1.0 + 1e-3, most == 2 ? -900 : -7);
        check_same(Both<double>(k, weights));
      }
    }
  }
}

TEST_CASE("metrics of more classes than a table has") {
  const std::int64_t k = 100'000;
  std::vector<std::int64_t> places, counts;
  for (std::int64_t i = 0; i < k; ++i) {
    places.push_back(i * k + i);
    counts.push_back(3);
    if (i % 2 == 0) {
      places.push_back(i * k + i + 1);
      counts.push_back(1);
    }
  }
  const Table table{.k = k,
                    .counts = counts.data(),
                    .places = places.data(),
                    .filled = static_cast<std::int64_t>(places.size()),
                    .is_sparse = true};
  const auto value = [&](const char* name, const Options& options = {}) {
    const Ask ask = parse(name);
    double out = 0;
    values({&ask, 1}, table, options, &out);
    return out;
  };
  Options smoothed, replaced;
  smoothed.smoothing = 1;
  replaced.undefined = 0.0;
  CHECK(value("accuracy") == doctest::Approx(6.0 / 7));
  CHECK(value("recall_macro") == doctest::Approx(7.0 / 8));
  // One of gap 1 in seven, and gaps of margins as of two uniform classes.
  CHECK(value("kappa_linear") == doctest::Approx(1 - (1.0 / 7) / (k / 3.0)).epsilon(1e-9));
  CHECK(value("entropy_true") == doctest::Approx(std::log2(double(k))).epsilon(0.01));
  for (const char* name : {"gmcc", "eve", "canonical_correlation", "precision_ovo"}) {
    CHECK(std::isnan(value(name)));
    CHECK(std::isnan(value(name, replaced)));
    const Ask ask = parse(name);
    CHECK(reason(ask, table, {}, {}).find("over 11585 classes") != std::string::npos);
    CHECK(refusal(ask, table, {}).find("80 GB and about") != std::string::npos);
  }
  CHECK_THROWS_AS(singular_values(table), InputError);
  CHECK_THROWS_AS(eve_bounds(table), InputError);
  CHECK_THROWS_WITH_AS(value("mcc", smoothed), doctest::Contains("adds to each of"), InputError);
}

TEST_CASE("places that do not ascend within the table are refused") {
  const std::vector<std::int64_t> counts{1, 1, 1};
  const auto check = [&](std::int64_t k, const std::vector<std::int64_t>& places) {
    check_places({.k = k, .counts = counts.data(), .places = places.data(), .filled = 3});
  };
  CHECK_NOTHROW(check(2, {0, 1, 3}));
  CHECK_THROWS_AS(check(2, {0, 1, 4}), InputError);
  CHECK_THROWS_AS(check(2, {-1, 1, 3}), InputError);
  CHECK_THROWS_AS(check(2, {0, 1, 1}), InputError);
  CHECK_THROWS_AS(check(2, {1, 0, 3}), InputError);
  CHECK_THROWS_AS(check(std::int64_t{1} << 31, {0, 1, 2}), InputError);
}

}  // namespace confmat::metrics
