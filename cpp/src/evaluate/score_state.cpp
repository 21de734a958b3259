#include "confmat/evaluate/score_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "confmat/base/bytes.hpp"
#include "confmat/base/sum2.hpp"
#include "confmat/base/weight_sum.hpp"
#include "confmat/tally/score_key.hpp"

namespace confmat {
namespace {

constexpr std::uint8_t kVersion = 'C';
constexpr std::uint8_t kWeighted = 1;  // bits of the kind
constexpr std::uint8_t kExact = 2;
constexpr unsigned kTypeShift = 2;
constexpr std::uint8_t kType = 3;
constexpr std::uint8_t kWide = 16;  // amounts of 64 bits
constexpr std::uint8_t kMostKind = 31;
constexpr const char* kTypeNames[] = {"no", "Float64", "Float32", "Float16"};
constexpr auto kMostCount = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// Whether some score lies in it.
template <class Bins>
bool is_bin(const Bins& bins, std::size_t bin) noexcept {
  if (bin >= bins.size()) return false;
  if constexpr (std::is_same_v<Bins, UnitBins<std::uint64_t>>) return true;
  return bins.bin(score_key(bins.lower(bin))) == bin;
}

// Of an infinite amount, a nan, or one that is negative, no sum is known.
bool is_amount(std::uint64_t bits, bool weighted) {
  if (!weighted) return bits <= kMostCount;
  const auto weight = std::bit_cast<double>(bits);
  return weight >= 0 && std::isfinite(weight);
}

}  // namespace

void BinnedScores::clear() noexcept {
  n_dropped_ = 0;
  exact_ = true;
  type_ = ScoreType::kNone;
  entries_.clear();
}

void BinnedScores::assign(const metrics::SweepView& sweep, std::int64_t n_dropped, BinMap map) {
  clear();
  weighted_ = std::holds_alternative<metrics::Amounts<double>>(sweep.amounts);
  map_ = map;
  n_dropped_ = n_dropped;
  if (sweep.size > 0) {
    type_ = sweep.clip > 0              ? ScoreType::kFloat16
            : sweep.scores.index() == 0 ? ScoreType::kFloat32
                                        : ScoreType::kFloat64;
  }
  const auto bits_of = [](auto amount) {
    if constexpr (std::is_same_v<decltype(amount), double>) {
      return std::bit_cast<std::uint64_t>(amount);
    } else {
      return static_cast<std::uint64_t>(amount);
    }
  };
  map.bins<std::uint64_t>([&](const auto& bins) {
    std::visit(
        [&](const auto* scores, const auto& amounts) {
          for (std::size_t i = 0; i < sweep.size; ++i) {
            const double score = static_cast<double>(scores[i]) + 0.0;
            entries_.push_back({static_cast<std::uint32_t>(bins.bin(score_key(score))),
                                score,
                                {bits_of(amounts.positives[i]), bits_of(amounts.negatives[i])}});
          }
        },
        sweep.scores, sweep.amounts);
  });
  collapse();
}

void BinnedScores::add_state(std::string_view state, bool first) {
  ByteReader reader({reinterpret_cast<const std::uint8_t*>(state.data()), state.size()});
  if (reader.get<std::uint8_t>() != kVersion) throw StateError("the bytes are no binned sweep");
  const auto kind = reader.get<std::uint8_t>();
  const auto map = BinMap::of_code(reader.get<std::uint8_t>());
  if (kind > kMostKind || !map) throw StateError("a damaged binned sweep");
  const bool weighted = (kind & kWeighted) != 0;
  const bool exact = (kind & kExact) != 0;
  const bool wide = (kind & kWide) != 0;
  if (weighted && !wide) throw StateError("a damaged binned sweep");
  exact_ &= exact;
  const auto type = static_cast<ScoreType>((kind >> kTypeShift) & kType);
  if (type_ == ScoreType::kNone) {
    type_ = type;
  } else if (type != ScoreType::kNone && type != type_) {
    throw InputError("binned sweeps of " + std::string(kTypeNames[static_cast<int>(type_)]) +
                     " and of " + kTypeNames[static_cast<int>(type)] +
                     " scores cannot be merged: log loss clips them differently");
  }
  if (first) {
    weighted_ = weighted;
    map_ = *map;
  } else if (*map != map_) {
    throw InputError("binned sweeps of " + map_.name() + " and of " + map->name() +
                     " bins cannot be merged: make both with the same `bins`");
  } else if (weighted_ != weighted) {
    throw InputError("binned sweeps with and without weights cannot be merged");
  }
  const auto dropped = reader.get<std::uint64_t>();
  if (dropped > kMostCount) throw StateError("a damaged binned sweep");
  if (dropped > kMostCount - static_cast<std::uint64_t>(n_dropped_)) {
    throw InputError("binned sweeps that together dropped more than 2^63 - 1 rows");
  }
  n_dropped_ += static_cast<std::int64_t>(dropped);
  add_entries(reader, exact, wide);
  if (reader.left() != 0) throw StateError("a binned sweep is longer than it claims");
}

void BinnedScores::add_entries(ByteReader& reader, bool exact, bool wide) {
  const std::size_t amount_bytes = wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  const auto n =
      reader.count(sizeof(std::uint32_t) + (exact ? sizeof(double) : 0) + 2 * amount_bytes);
  map_.bins<std::uint64_t>([&](const auto& bins) {
    for (std::uint32_t i = 0; i < n; ++i) {
      Entry entry{};
      entry.bin = reader.get<std::uint32_t>();
      if (exact) entry.score = reader.get<double>();
      for (std::uint64_t& amount : entry.amounts) {
        amount = wide ? reader.get<std::uint64_t>() : reader.get<std::uint32_t>();
        if (!is_amount(amount, weighted_)) throw StateError("a damaged binned sweep");
      }
      const bool inside =
          !exact || (!std::isnan(entry.score) && bins.bin(score_key(entry.score)) == entry.bin &&
                     !(entry.score == 0 && std::signbit(entry.score)));
      if (!is_bin(bins, entry.bin) || !inside) throw StateError("a damaged binned sweep");
      entries_.push_back(entry);
    }
  });
}

void BinnedScores::merge(std::vector<std::string_view>& states) {
  clear();
  std::sort(states.begin(), states.end());
  for (std::size_t i = 0; i < states.size(); ++i) add_state(states[i], i == 0);
  collapse();
}

void BinnedScores::read(std::string_view state) {
  clear();
  add_state(state, true);
  collapse();
}

// One entry a bin, descending; entries of one bin are added in their order.
void BinnedScores::collapse() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& one, const Entry& two) { return one.bin > two.bin; });
  bins_.clear();
  scores_.clear();
  for (int side = 0; side < 2; ++side) {
    counts_[side].clear();
    weights_[side].clear();
  }
  std::uint64_t left = kMostCount;  // of all counts together
  for (std::size_t i = 0; i < entries_.size();) {
    const std::uint32_t bin = entries_[i].bin;
    const double score = entries_[i].score;
    std::uint64_t counts[2] = {};
    Sum2 weights[2];
    for (; i < entries_.size() && entries_[i].bin == bin; ++i) {
      exact_ &= entries_[i].score == score;
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint64_t amount = entries_[i].amounts[side];
        if (weighted_) {
          weights[side].add(std::bit_cast<double>(amount));
        } else {
          if (amount > left) throw InputError("binned sweeps of more than 2^63 - 1 rows");
          left -= amount;
          counts[side] += amount;
        }
      }
    }
    bins_.push_back(bin);
    scores_.push_back(score);
    for (std::size_t side = 0; side < 2; ++side) {
      if (weighted_) {
        weights_[side].push_back(weights[side].value());
      } else {
        counts_[side].push_back(counts[side]);
      }
    }
  }
  for (const auto& side : weights_) {
    Sum2 total;
    for (const double weight : side) total.add(weight);
    require_weight_sum(total.value());
  }
  set_lower();
}

void BinnedScores::set_lower() {
  lower_.clear();
  map_.bins<std::uint64_t>([&](const auto& bins) {
    for (const std::uint32_t bin : bins_) lower_.push_back(bins.lower(bin));
  });
}

bool BinnedScores::wide() const noexcept {
  const auto is_large = [](std::uint64_t count) { return count >> 32U != 0; };
  return weighted_ || std::ranges::any_of(counts_[0], is_large) ||
         std::ranges::any_of(counts_[1], is_large);
}

std::vector<std::uint8_t> BinnedScores::bytes() const {
  const bool wide = this->wide();
  ByteWriter out;
  out.put(kVersion);
  out.put(static_cast<std::uint8_t>((weighted_ ? kWeighted : 0) | (exact_ ? kExact : 0) |
                                    (wide ? kWide : 0) |
                                    (static_cast<unsigned>(type_) << kTypeShift)));
  out.put(map_.code());
  out.put(static_cast<std::uint64_t>(n_dropped_));
  out.put(static_cast<std::uint32_t>(bins_.size()));
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    out.put(bins_[i]);
    if (exact_) out.put(scores_[i]);
    for (std::size_t side = 0; side < 2; ++side) {
      if (weighted_) {
        out.put(weights_[side][i]);
      } else if (wide) {
        out.put(counts_[side][i]);
      } else {
        out.put(static_cast<std::uint32_t>(counts_[side][i]));
      }
    }
  }
  return out.bytes();
}

metrics::SweepView BinnedScores::view() const noexcept {
  metrics::SweepView out;
  out.size = bins_.size();
  if (exact_) {
    out.scores = scores_.data();
  } else {
    out.scores = lower_.data();
  }
  if (weighted_) {
    out.amounts = metrics::Amounts<double>{weights_[0].data(), weights_[1].data()};
  } else {
    out.amounts = metrics::Amounts<std::uint64_t>{counts_[0].data(), counts_[1].data()};
  }
  return out;
}

double BinnedScores::n() const noexcept {
  Sum2 total;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const double weight : weights_[side]) total.add(weight);
    for (const std::uint64_t count : counts_[side]) total.add(static_cast<double>(count));
  }
  return total.value();
}

double BinnedScores::auc_error() const noexcept {
  if (exact_) return 0.0;
  Sum2 pairs, totals[2];
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    double amounts[2];
    for (std::size_t side = 0; side < 2; ++side) {
      amounts[side] = weighted_ ? weights_[side][i] : static_cast<double>(counts_[side][i]);
      totals[side].add(amounts[side]);
    }
    pairs.add(amounts[0] * amounts[1]);
  }
  return pairs.value() / 2 / totals[0].value() / totals[1].value();
}

}  // namespace confmat
