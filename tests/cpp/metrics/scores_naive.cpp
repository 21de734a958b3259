// Score metrics against plain loops over the distinct scores, at sizes of one block and of a few.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "confmat/metrics/score.hpp"
#include "support/fake_host.hpp"

namespace confmat::metrics {
namespace {

using host::Random;

struct Rows {
  std::vector<double> scores, positives, negatives;

  void add(double score, double positive, double negative) {
    scores.push_back(score);
    positives.push_back(positive);
    negatives.push_back(negative);
  }
  [[nodiscard]] SweepView view() const {
    SweepView out;
    out.size = scores.size();
    out.scores = scores.data();
    out.amounts = Amounts<double>{positives.data(), negatives.data()};
    return out;
  }
};

double value(const std::string& name, const Rows& rows) {
  const ScoreAsk ask = parse_score(name);
  double out = 0;
  score_values({&ask, 1}, rows.view(), 1, &out);
  return out;
}

using Values = std::map<std::string, double>;

// Areas and the largest distance. Needs: both classes.
Values naive_areas(const Rows& rows) {
  double all[2] = {};
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    all[0] += rows.positives[i];
    all[1] += rows.negatives[i];
  }
  Values out = {{"roc_auc", 0}, {"average_precision", 0}, {"pr_auc_trapezoid", 0}, {"ks", 0}};
  double tp = 0;
  double fp = 0;
  double before = 1;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    const double p = rows.positives[i];
    const double n = rows.negatives[i];
    out["roc_auc"] += n * (tp + p / 2) / all[0] / all[1];
    tp += p;
    fp += n;
    const double now = tp + fp > 0 ? tp / (tp + fp) : before;
    out["average_precision"] += p / all[0] * now;
    out["pr_auc_trapezoid"] += p / all[0] * (before + now) / 2;
    out["ks"] = std::max(out["ks"], std::fabs(tp / all[0] - fp / all[1]));
    before = now;
  }
  return out;
}

double naive_ece(const Rows& rows, int bins) {
  std::map<int, std::pair<double, double>> sums;  // of each bin: positives, scores
  double n = 0;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    int bin = 0;
    while (rows.scores[i] > static_cast<double>(bin + 1) / bins) ++bin;
    const double here = rows.positives[i] + rows.negatives[i];
    sums[bin].first += rows.positives[i];
    sums[bin].second += here * rows.scores[i];
    n += here;
  }
  double total = 0;
  for (const auto& [bin, sum] : sums) total += std::fabs(sum.first - sum.second);
  return total / n;
}

}  // namespace

TEST_CASE("scores: areas and distances of plain loops, whichever class comes first") {
  Random random(71);
  for (const std::size_t n : {2UL, 2049UL, 5000UL}) {
    for (const double unit : {1.0, 0.3}) {       // counts, and weights
      for (int first = 0; first < 3; ++first) {  // one class alone above, or both
        Rows rows;
        for (std::size_t i = 0; i < n; ++i) {
          const bool above = i < std::min<std::size_t>(n - 1, 2048);  // to the end of a block
          double amounts[2];
          for (double& amount : amounts) amount = unit * static_cast<double>(random.below(4));
          if (first < 2 && above) amounts[1 - first] = 0;
          if (i < 2) amounts[first == 2 ? i : static_cast<std::size_t>(first)] = unit;
          if (i + 1 == n) amounts[0] = amounts[1] = unit;
          rows.add(1.0 - static_cast<double>(i) / static_cast<double>(n), amounts[0], amounts[1]);
        }
        for (const auto& [name, wanted] : naive_areas(rows)) {
          CAPTURE(name);
          CAPTURE(n);
          CAPTURE(first);
          CHECK(value(name, rows) == doctest::Approx(wanted).epsilon(1e-10));
        }
      }
    }
  }
}

TEST_CASE("scores: bins of many scores, and of scores beside their edges") {
  Random random(72);
  Rows many;
  for (int i = 9000; i > 0; --i) {
    many.add(i / 9000.0, static_cast<double>(random.below(3)), static_cast<double>(i % 5));
  }
  for (const int bins : {1, 2, 7}) {
    CHECK(value("ece(" + std::to_string(bins) + ")", many) ==
          doctest::Approx(naive_ece(many, bins)).epsilon(1e-12));
  }
  for (const int bins : {3, 10, 15, 25, 49, 100, 1000}) {
    // Every other edge has scores on both sides, so that each of these is the highest of a bin.
    for (const int both : {0, 1}) {
      Rows rows;
      for (int b = bins - 1; b > 0; --b) {
        const double edge = static_cast<double>(b) / bins;
        rows.add(std::nextafter(edge, 1.0), 1, 0);
        if (b % 2 != both) continue;
        rows.add(edge, 0, 1);
        rows.add(std::nextafter(edge, 0.0), 2, 0);
      }
      CAPTURE(bins);
      CHECK(value("ece(" + std::to_string(bins) + ")", rows) ==
            doctest::Approx(naive_ece(rows, bins)).epsilon(1e-12));
    }
  }
}

}  // namespace confmat::metrics
