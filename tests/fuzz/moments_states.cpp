// Saved moments of regressions: read alone, added, taken away, their metrics.
#include <cmath>

#include "confmat/base/error.hpp"
#include "confmat/metrics/regression.hpp"
#include "confmat/state/moments.hpp"
#include "mutate.hpp"
#include "sealed.hpp"
#include "support/numbers.hpp"
#include "target.hpp"

namespace confmat::fuzz {
namespace {

Bytes moments(const std::vector<double>& y, const std::vector<double>& p,
              const std::vector<double>& w, std::vector<TermAsk> terms) {
  return encode(host::moments_of_numbers(y, p, w, std::move(terms)));
}

// More pairs than cells.
Bytes many_cells() {
  std::vector<double> y, p;
  for (int i = 0; i < 5000; ++i) {
    y.push_back(i * 0.001);
    p.push_back((i * 37 % 5000) * 0.001);
  }
  return moments(y, p, {}, {{MomentTerm::kErrors, 7}, {MomentTerm::kDensity}});
}

// More truths than few bins.
Bytes many_truths() {
  std::vector<double> y;
  for (int i = 0; i < 1200; ++i) y.push_back(200 + i * 0.01);
  return moments(y, y, {}, {{MomentTerm::kTruths, 7}});
}

std::vector<Bytes> seeds() {
  const std::vector<TermAsk> few = {{MomentTerm::kPercentage}};
  const std::vector<TermAsk> many = {{MomentTerm::kPercentage}, {MomentTerm::kSymmetric},
                                     {MomentTerm::kLogarithms}, {MomentTerm::kPoisson},
                                     {MomentTerm::kGamma},      {MomentTerm::kHuber, 0.5},
                                     {MomentTerm::kHuber, 2.0}};
  return {moments({}, {}, {}, {}),
          moments({1, 2, 3}, {1, 2, 4}, {}, {}),
          moments({1e9, 1e9 + 1}, {1e9 + 0.1, 1e9}, {}, few),
          moments({1, 2, 0.1}, {0.3, 2, 4}, {}, many),
          moments({1, 2, -3}, {1e-60, 2, 1e60}, {0.1, 1e60, 0}, few),
          moments({5, 2, 3}, {1, 2, 4}, {0.1, 0.2, 0.3}, many),
          moments({5, 2, 3}, {1, 2, 4}, {0.1, 0.2, 0.3}, {{MomentTerm::kPowers}}),
          moments({5, 2, 3}, {1, 2, 4}, {}, {{MomentTerm::kPowers}, {MomentTerm::kErrors, 7}}),
          moments({5, 2, 3}, {1, 2, 4}, {0.1, 0, 0.3}, {{MomentTerm::kErrors, 52}}),
          moments({5, 2, 2}, {1, 4, 4}, {0.1, 0, 0.3}, {{MomentTerm::kDensity}}),
          moments({5, 2, -3}, {1, 2, 4}, {}, {{MomentTerm::kTruths, 7}, {MomentTerm::kHuber, 1}}),
          moments({5, 2, 2.001}, {1, 2, 4}, {0.1, 0.7, 0.3},
                  {{MomentTerm::kTruths, 7}, {MomentTerm::kDensity}}),
          moments({5, 2, 2, 0}, {1, 2, 4, 1}, {}, {{MomentTerm::kTruths, 52}}),
          many_cells(),
          many_truths()};
}

void run(std::span<const std::uint8_t> input) {
  static const std::vector<Bytes> others = seeds();
  static const std::vector<metrics::RegressionAsk> asks = [] {
    std::vector<metrics::RegressionAsk> out;
    for (const auto& fact : metrics::regression_facts()) {
      const bool takes_one = !fact.params.empty() && std::isnan(fact.params.front().value);
      out.push_back(metrics::parse_regression(fact.name + (takes_one ? "(2)" : "")));
    }
    return out;
  }();
  const Bytes bytes = mended(input);
  try {
    const Moments read = decode_moments(bytes);
    require(encode(read) == bytes, "what is read is written as it was");
    require(are_same(read, read), "moments are the same as themselves");
    for (const auto& ask : asks) {
      try {
        double value = 0;
        std::string why;
        metrics::regression_values({&ask, 1}, read, &value, &why);
        require((value != value) == !why.empty(), "what is undefined has a reason");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): sums that were not kept
      }
    }
    for (const Bytes& other : others) {
      try {
        const Moments all = added(read, decode_moments(other));
        require(are_same(decode_moments(encode(all)), all), "a sum is read as it was");
        const Moments rest = taken_away(all, read);
        require(are_same(decode_moments(encode(rest)), rest), "a difference is read as it was");
      } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): of other sums
      }
    }
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what wrong bytes deserve
  } catch (const StateError&) {  // NOLINT(bugprone-empty-catch)
  }
}

const Target kMoments("moments_states", run, seeds);

}  // namespace
}  // namespace confmat::fuzz
