// Makes sums and what rounding leaves of them, and writes both.
#include "confmat/state/exact_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "confmat/base/interrupt.hpp"

namespace confmat {
namespace {

std::span<const Tail> tails_at(std::span<const Tail> tails, std::size_t i) noexcept {
  if (tails.empty()) return {};
  const auto first = std::ranges::lower_bound(tails, i, {}, &Tail::at);
  auto last = first;  // of one, two or three
  while (last != tails.end() && last->at == i) ++last;
  return {first, last};
}

// A sum, rounded, and what that leaves, which is a double (Knuth).
std::pair<double, double> parted(double x, double y) noexcept {
  const double sum = x + y, of_y = sum - x;
  return {sum, (x - (sum - of_y)) + (y - of_y)};
}

}  // namespace

std::span<const Tail> ExactSums::tails_of(std::size_t i) const noexcept {
  return tails_at(tails.view(), i);
}

void ExactTotal::add(const ExactSums& of, std::size_t i, double sign) {
  if (!std::isfinite(of.leads[i])) {
    ++endless_;
    return;
  }
  sum_.add(sign * of.leads[i]);
  for (const Tail& tail : of.tails_of(i)) sum_.add(sign * tail.part);
}

void ExactTotal::take_away(const ExactTotal& other) {
  other.sum_.each_part([this](double part) { sum_.add(-part); });
  endless_ -= other.endless_;
}

void ExactSumsBuilder::add(const ExactTotal& total) {
  if (total.endless_ > 0) return add(std::numeric_limits<double>::infinity());
  add(total.sum_);
}

void ExactSumsBuilder::add(const ExactSum& sum) {
  const std::size_t at = leads_.size();
  sum.each_part([&](double part) {
    if (leads_.size() == at) {
      leads_.push_back(part);
    } else {
      tails_.push_back({at, part});
    }
  });
}

// What has more than 53 bits is no subnormal number, so that nothing is rounded twice.
double rounded(UInt128 units, std::uint64_t window) noexcept {
  return std::ldexp(static_cast<double>(units), static_cast<int>(window) - 1075);
}

void ExactSumsBuilder::add(UInt128 units, std::uint64_t window) {
  if (units == 0) return leads_.push_back(0.0);
  const double unit = std::ldexp(1.0, static_cast<int>(window) - 1075);
  const auto lead = static_cast<double>(units);
  const std::size_t at = leads_.size();
  leads_.push_back(lead * unit);
  if (!std::isfinite(leads_.back())) return;
  for (auto rest = static_cast<Int128>(units - static_cast<UInt128>(lead)); rest != 0;) {
    const double part = to_double(rest);
    tails_.push_back({at, part * unit});
    rest -= static_cast<Int128>(part);
  }
}

void ExactSumsBuilder::add_whole(std::uint64_t number) {
  constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53U;  // up to here doubles hold integers
  if (number <= kMostExact) return add(static_cast<double>(number));
  ExactSum sum;
  sum.add(std::ldexp(static_cast<double>(number >> 32U), 32));
  sum.add(static_cast<double>(number & UINT32_MAX));
  add(sum);
}

void ExactSumsBuilder::add(const ExactSums& one, std::size_t i, const ExactSums& other,
                           std::size_t j, double sign) {
  const double x = i == kNone ? 0.0 : one.leads[i];
  const double y = j == kNone ? 0.0 : sign * other.leads[j];
  const auto [both, error] = parted(x, y);
  if (!std::isfinite(both)) return leads_.push_back(std::numeric_limits<double>::infinity());
  const auto of_one = one.tails_of(i), of_other = other.tails_of(j);
  if (of_one.size() <= 1 && of_other.size() <= 1) {
    const double tail = of_one.empty() ? 0.0 : of_one[0].part;
    const auto [tails, third] = parted(tail, of_other.empty() ? 0.0 : sign * of_other[0].part);
    const auto [low, fourth] = parted(error, tails);
    const auto [lead, part] = parted(both, low);
    if (third == 0 && fourth == 0 && std::isfinite(lead)) {  // as nearly always
      if (part != 0) tails_.push_back({leads_.size(), part});
      return leads_.push_back(lead);
    }
  }
  ExactTotal sum;
  if (i != kNone) sum.add(one, i);
  if (j != kNone) sum.add(other, j, sign);
  add(sum);
}

void ExactSumsBuilder::set_last(double value) {
  while (!tails_.empty() && tails_.back().at == leads_.size() - 1) tails_.pop_back();
  leads_.back() = value;
}

void ExactSumsBuilder::drop_last() {
  set_last(0.0);
  leads_.pop_back();
}

void ExactSumsBuilder::spread(std::span<const std::int64_t> places, std::size_t size) {
  std::vector<double> all(size);
  for (std::size_t i = 0; i < leads_.size(); ++i)
    all[static_cast<std::size_t>(places[i])] = leads_[i];
  for (Tail& tail : tails_) tail.at = static_cast<std::uint64_t>(places[tail.at]);
  leads_ = std::move(all);
}

ExactSums ExactSumsBuilder::take() { return {std::move(leads_), std::move(tails_)}; }

void ExactSumsBuilder::take(std::vector<double>& leads, std::vector<Tail>& tails) {
  leads = std::move(leads_);
  tails = std::move(tails_);
}

bool are_rounded_parts(std::span<const double> leads, std::span<const Tail> tails) {
  const StopSign sign;
  for (std::size_t first = 0, n = 0; first < tails.size(); ++n) {
    if ((n & 0xFFFFU) == 0) sign.obey();
    const std::uint64_t at = tails[first].at;
    if (at >= leads.size() || !std::isfinite(leads[at])) return false;
    if (first > 0 && tails[first - 1].at > at) return false;
    if (first + 1 == tails.size() || tails[first + 1].at != at) {  // one, as almost always
      const double part = tails[first].part;
      if (part == 0 || !std::isfinite(part) || leads[at] == 0 || leads[at] + part != leads[at]) {
        return false;
      }
      ++first;
      continue;
    }
    std::vector<double> parts{leads[at]};
    for (; first < tails.size() && tails[first].at == at; ++first) {
      if (!std::isfinite(tails[first].part)) return false;
      parts.push_back(tails[first].part);
    }
    ExactSum sum;
    for (const double part : parts) sum.add(part);
    std::size_t same = 0;
    bool differs = false;
    sum.each_part([&](double part) {
      differs = differs || same == parts.size() || parts[same] != part;
      ++same;
    });
    if (differs || same != parts.size()) return false;
  }
  return true;
}

}  // namespace confmat
