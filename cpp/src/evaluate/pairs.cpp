#include "confmat/evaluate/pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

#include "confmat/base/bytes.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/exact_sum.hpp"
#include "distinct.hpp"

namespace confmat {
namespace {

struct IntPair {
  std::int64_t y_true;
  std::int64_t y_pred;
  bool operator==(const IntPair&) const = default;
};

struct IntPairHash {
  std::uint64_t operator()(const IntPair& pair) const noexcept {
    auto h = static_cast<std::uint64_t>(pair.y_true) * 0x9E3779B97F4A7C15U +
             static_cast<std::uint64_t>(pair.y_pred);
    h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93U;
    return h ^ (h >> 32);
  }
};

struct TextPair {
  std::string_view y_true;
  std::string_view y_pred;
  bool operator==(const TextPair&) const = default;
};

struct TextPairHash {
  std::uint64_t operator()(const TextPair& pair) const noexcept {
    const std::hash<std::string_view> hash;
    return hash(pair.y_true) * 0x9E3779B97F4A7C15U ^ hash(pair.y_pred);
  }
};

// The two halves of a pair as they lie there: a negative label is a large number.
std::pair<std::uint64_t, std::uint64_t> halves(std::uint32_t pair) {
  return {pair >> 16, pair & 0xFFFF};
}
std::pair<std::uint64_t, std::uint64_t> halves(std::uint64_t pair) {
  return {pair >> 32, pair & 0xFFFFFFFF};
}
std::pair<std::uint64_t, std::uint64_t> halves(Int128Bits pair) { return {pair.high, pair.low}; }

template <class Label>
std::size_t position(const std::vector<Label>& sorted, const auto& label) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, label) - sorted.begin());
}

}  // namespace

struct PairTally::Impl {
  bool weighted;
  bool boolean = false;
  Distinct<IntPair, IntPairHash> ints;
  Distinct<TextPair, TextPairHash> texts;
  std::vector<std::int64_t> rows;  // by distinct pair
  std::vector<std::pair<std::uint32_t, double>> weights;

  void count(std::uint32_t index, std::int64_t more = 1) {
    if (index == rows.size()) rows.push_back(0);
    rows[index] += more;
  }

  template <class Pair, class Label>
  void fill(const std::vector<Pair>& pairs, std::vector<Label>& labels, GroupTable& out) {
    if constexpr (std::is_same_v<Label, std::int64_t>) {
      if (boolean) labels = {0, 1};
    }
    for (const auto& pair : pairs) {
      labels.emplace_back(pair.y_true);
      labels.emplace_back(pair.y_pred);
    }
    std::ranges::sort(labels);
    labels.erase(std::ranges::unique(labels).begin(), labels.end());
    const auto k = labels.size();
    require_table_fits(k);
    const auto cell = [&](const Pair& pair) {
      return position(labels, pair.y_true) * k + position(labels, pair.y_pred);
    };
    if (!weighted) {
      out.counts.resize(k * k);
      for (std::size_t i = 0; i < pairs.size(); ++i) out.counts[cell(pairs[i])] = rows[i];
      return;
    }
    out.weights.resize(k * k);
    std::ranges::stable_sort(weights, {}, &std::pair<std::uint32_t, double>::first);
    ExactSum sum;
    for (auto at = weights.begin(); at != weights.end();) {
      sum = ExactSum();
      const auto index = at->first;
      for (; at != weights.end() && at->first == index; ++at) sum.add(at->second);
      out.weights[cell(pairs[index])] = sum.value();
    }
  }
};

PairTally::PairTally(bool weighted) : impl_(std::make_unique<Impl>()) {
  impl_->weighted = weighted;
}
PairTally::~PairTally() = default;

void PairTally::set_boolean() noexcept { impl_->boolean = true; }

void PairTally::add_ints(std::int64_t y_true, std::int64_t y_pred, std::int64_t rows) {
  impl_->count(impl_->ints.index_of({y_true, y_pred}), rows);
}

template <class Word>
void PairTally::add_run(std::span<const Word> pairs) {
  // Small labels are counted in a dense table first, where there are enough rows to pay for it.
  constexpr std::uint64_t kSmall = 16;
  constexpr std::size_t kWorthTable = 1024;
  if (pairs.size() < kWorthTable) {
    for (const auto pair : pairs) add(pair);
    return;
  }
  std::array<std::int64_t, kSmall * kSmall> small{};
  for (const auto pair : pairs) {
    const auto [y_true, y_pred] = halves(pair);
    if ((y_true | y_pred) < kSmall) {
      ++small[y_true * kSmall + y_pred];
    } else {
      add(pair);
    }
  }
  for (std::uint64_t i = 0; i < small.size(); ++i) {
    if (small[i] == 0) continue;
    add_ints(static_cast<std::int64_t>(i / kSmall), static_cast<std::int64_t>(i % kSmall),
             small[i]);
  }
}

template void PairTally::add_run(std::span<const std::uint32_t>);
template void PairTally::add_run(std::span<const std::uint64_t>);
template void PairTally::add_run(std::span<const Int128Bits>);

void PairTally::add_binary(std::string_view pair) {
  ByteReader reader({reinterpret_cast<const std::uint8_t*>(pair.data()), pair.size()});
  const auto form = reader.get<LabelForm>();
  if (form > LabelForm::kBoolean) throw StateError("unknown kind of label pair");
  const double weight = impl_->weighted ? reader.get<double>() : 0.0;
  if (!std::isfinite(weight) || weight < 0) throw StateError("a weight that is not one");
  std::uint32_t index = 0;
  if (form != LabelForm::kText) {
    const auto y_true = reader.get<std::int64_t>();
    const auto y_pred = reader.get<std::int64_t>();
    if (reader.left() != 0) throw StateError("a label pair of the wrong length");
    if (form == LabelForm::kBoolean) set_boolean();
    index = impl_->ints.index_of({y_true, y_pred});
  } else {
    const auto y_true = reader.text();
    const auto rest = reader.take(reader.left());
    index =
        impl_->texts.index_of({y_true, {reinterpret_cast<const char*>(rest.data()), rest.size()}});
  }
  impl_->count(index);
  if (impl_->weighted) impl_->weights.emplace_back(index, weight);
}

void PairTally::add(const PairTally& other) {
  const Impl& more = *other.impl_;
  for (std::size_t i = 0; i < more.ints.keys().size(); ++i) {
    impl_->count(impl_->ints.index_of(more.ints.keys()[i]), more.rows[i]);
  }
  for (std::size_t i = 0; i < more.texts.keys().size(); ++i) {
    impl_->count(impl_->texts.index_of(more.texts.keys()[i]), more.rows[i]);
  }
  n_dropped_ += other.n_dropped_;
}

GroupTable PairTally::take() {
  GroupTable out;
  if (!impl_->texts.keys().empty()) {
    if (!impl_->ints.keys().empty())
      throw StateError("pairs of texts and of integers in one group");
    out.labels.kind = Labels::Kind::kText;
    impl_->fill(impl_->texts.keys(), out.labels.texts, out);
  } else {
    if (impl_->boolean) out.labels.kind = Labels::Kind::kBool;
    impl_->fill(impl_->ints.keys(), out.labels.ints, out);
  }
  if (impl_->weighted) {
    ExactSum weight;
    for (const double w : out.weights) weight.add(w);
    out.totals.weight = weight.value();
  } else {
    out.totals.n = std::accumulate(impl_->rows.begin(), impl_->rows.end(), std::int64_t{0});
  }
  out.totals.n_dropped = std::exchange(n_dropped_, 0);
  impl_->ints.clear();
  impl_->texts.clear();
  impl_->rows.clear();
  impl_->weights.clear();
  return out;
}

void append_binary_pair(std::string& out, bool weighted, double weight, LabelForm form,
                        std::string_view y_true, std::string_view y_pred) {
  const auto put = [&out](const auto& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  put(form);
  if (weighted) put(weight);
  if (form == LabelForm::kText) put(static_cast<std::uint32_t>(y_true.size()));
  out += y_true;
  out += y_pred;
}

}  // namespace confmat
