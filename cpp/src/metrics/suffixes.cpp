// The list of averages.
#include "confmat/metrics/suffixes.hpp"

#include <algorithm>
#include <array>

namespace confmat::metrics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::string_view kMean = "\\frac{1}{K} \\sum_k \\left(";
constexpr std::string_view kPowers = "\\left(\\frac{1}{K} \\sum_k \\left(";

constexpr std::array<Suffix, 10> kSuffixes{{
    {Average::kMacro, "macro", true, false, kMean, "\\right)", "", "arithmetic", 1.0},
    {Average::kMicro, "micro", true, false, "", ",\\ \\text{cells summed over the classes}"},
    {Average::kWeighted, "weighted", true, false, "\\frac{1}{N} \\sum_k r_k\\, \\left(",
     "\\right)"},
    {Average::kOvo, "ovo", true, false, "\\frac{1}{K (K - 1)} \\sum_{i \\ne j} \\left(",
     "\\right)"},
    {Average::kHarmonic, "harmonic", false, true, kPowers, "\\right)^{-1}\\right)^{-1}",
     "harmonic mean", "harmonic", -1.0},
    {Average::kGeometric, "geometric", false, true, "\\left(\\prod_k \\left(",
     "\\right)\\right)^{1/K}", "geometric mean", "geometric", 0.0},
    {Average::kQuadratic, "quadratic", false, true, "\\sqrt{\\frac{1}{K} \\sum_k \\left(",
     "\\right)^2}", "quadratic mean", "quadratic", 2.0},
    {Average::kMin, "min", false, false, "\\min_k \\left(", "\\right)", "smallest", "min",
     -kInfinity},
    {Average::kMax, "max", false, false, "\\max_k \\left(", "\\right)", "largest", "max",
     kInfinity},
    {Average::kPower, "power", false, true, kPowers, "\\right)^p\\right)^{1/p}", "power mean"},
}};

}  // namespace

std::span<const Suffix> suffixes() { return kSuffixes; }

const Suffix& suffix_of(Average average) {
  return *std::ranges::find(kSuffixes, average, &Suffix::average);
}

std::optional<double> exponent_named(std::string_view mean) {
  const auto at = std::ranges::find(kSuffixes, mean, &Suffix::mean);
  if (mean.empty() || at == kSuffixes.end()) return std::nullopt;
  return at->exponent;
}

}  // namespace confmat::metrics
