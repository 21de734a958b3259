// Sums of the terms that are asked for, each once, added up and taken.
#include "moment_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "confmat/state/exact_sums.hpp"

namespace confmat {
namespace {

std::vector<TermAsk> sorted_terms(std::vector<TermAsk> terms) {
  std::ranges::sort(terms);
  // Of bins alone the finer ones, which come last.
  const auto is_coarser = [](const TermAsk& one, const TermAsk& next) {
    return one == next || (one.term == next.term && is_in_bins(one.term));
  };
  const auto last =
      std::unique(terms.rbegin(), terms.rend(),
                  [&](const auto& next, const auto& one) { return is_coarser(one, next); });
  terms.erase(terms.begin(), last.base());
  return terms;
}

}  // namespace

MomentSums::MomentSums(const MomentOptions& options, bool has_weights)
    : head(no_moments(sorted_terms(options.terms), has_weights)),
      sums(head.size()),
      errors(head.bits_of(MomentTerm::kErrors)),
      each_truth(head.has_few_bins(MomentTerm::kTruths) ? -1 : head.bits_of(MomentTerm::kTruths)) {}

void MomentSums::add(const MomentSums& other) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(other.sums[i]);
  errors.add(other.errors);
  each_truth.add(other.each_truth);
  truths.add(other.truths);
  density.add(other.density);
  head.rows = added(head.rows, other.head.rows);
  head.least_truth = std::min(head.least_truth, other.head.least_truth);
  head.largest_truth = std::max(head.largest_truth, other.head.largest_truth);
  head.largest_error = std::max(head.largest_error, other.head.largest_error);
}

void MomentSums::clear() {
  for (ExactSum& sum : sums) sum.clear();
  head = no_moments(head.terms, head.has_weights);
  errors.clear();
  each_truth.clear();
  truths.clear();
  density = {};
}

Moments MomentSums::take() {
  Moments out = no_moments(head.terms, head.has_weights);
  std::swap(out, head);
  ExactSumsBuilder builder;
  builder.reserve(sums.size());
  const auto counted = static_cast<std::uint64_t>(out.rows.counted);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!out.has_weights && (i == kSumWeight || i == kSumSquared)) {
      builder.add_whole(counted);
    } else {
      builder.add(sums[i]);
    }
    sums[i].clear();
  }
  out.errors = errors.take(builder);
  density.take(builder, out);
  if (out.has_few_bins(MomentTerm::kTruths)) {
    truths.take(builder, out);
  } else {
    out.truths = each_truth.take(builder);
  }
  out.sums = builder.take();
  out.least_truth += 0.0;  // of zeros with signs whichever came first
  out.largest_truth += 0.0;
  return out;
}

}  // namespace confmat
