#include "confmat/evaluate/pairs.hpp"

#include <algorithm>
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

constexpr std::size_t kPosition = sizeof(std::uint32_t);

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

template <class Label>
std::size_t position(const std::vector<Label>& sorted, const auto& label) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, label) - sorted.begin());
}

}  // namespace

struct PairTally::Impl {
  bool weighted;
  bool categories = false;  // texts begin with the position of their category
  Distinct<IntPair, IntPairHash> ints;
  Distinct<TextPair, TextPairHash> texts;
  std::vector<std::int64_t> rows;  // by distinct pair
  std::vector<std::pair<std::uint32_t, double>> weights;

  void count(std::uint32_t index) {
    if (index == rows.size()) rows.push_back(0);
    ++rows[index];
  }

  template <class Pair, class Label>
  void fill(const std::vector<Pair>& pairs, std::vector<Label>& labels, GroupTable& out) {
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

void PairTally::add(std::uint32_t pair) {
  impl_->count(impl_->ints.index_of(
      {static_cast<std::int16_t>(pair >> 16), static_cast<std::int16_t>(pair & 0xFFFF)}));
}

void PairTally::add(std::uint64_t pair) {
  impl_->count(impl_->ints.index_of(
      {static_cast<std::int32_t>(pair >> 32), static_cast<std::int32_t>(pair & 0xFFFFFFFF)}));
}

void PairTally::add(Int128Bits pair) {
  impl_->count(impl_->ints.index_of(
      {static_cast<std::int64_t>(pair.high), static_cast<std::int64_t>(pair.low)}));
}

void PairTally::add_binary(std::string_view pair) {
  ByteReader reader({reinterpret_cast<const std::uint8_t*>(pair.data()), pair.size()});
  const auto form = reader.get<LabelForm>();
  if (form > LabelForm::kCategory) throw StateError("unknown kind of label pair");
  const double weight = impl_->weighted ? reader.get<double>() : 0.0;
  if (!std::isfinite(weight) || weight < 0) throw StateError("a weight that is not one");
  std::uint32_t index = 0;
  if (form == LabelForm::kInteger) {
    const auto y_true = reader.get<std::int64_t>();
    const auto y_pred = reader.get<std::int64_t>();
    if (reader.left() != 0) throw StateError("a label pair of the wrong length");
    index = impl_->ints.index_of({y_true, y_pred});
  } else {
    const auto y_true = reader.text();
    const auto rest = reader.take(reader.left());
    impl_->categories = form == LabelForm::kCategory;
    if (impl_->categories && std::min(y_true.size(), rest.size()) < kPosition) {
      throw StateError("a category without position");
    }
    index =
        impl_->texts.index_of({y_true, {reinterpret_cast<const char*>(rest.data()), rest.size()}});
  }
  impl_->count(index);
  if (impl_->weighted) impl_->weights.emplace_back(index, weight);
}

GroupTable PairTally::take() {
  GroupTable out;
  if (!impl_->texts.keys().empty()) {
    if (!impl_->ints.keys().empty())
      throw StateError("pairs of texts and of integers in one group");
    out.labels.kind = Labels::Kind::kText;
    impl_->fill(impl_->texts.keys(), out.labels.texts, out);
    if (impl_->categories) {
      for (auto& text : out.labels.texts) text.erase(0, kPosition);
    }
  } else {
    impl_->fill(impl_->ints.keys(), out.labels.ints, out);
  }
  ExactSum n;
  for (const auto& [pair, weight] : impl_->weights) n.add(weight);  // not of rounded cells
  const auto rows = std::accumulate(impl_->rows.begin(), impl_->rows.end(), std::int64_t{0});
  out.totals.n = impl_->weighted ? n.value() : static_cast<double>(rows);
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
  if (form != LabelForm::kInteger) put(static_cast<std::uint32_t>(y_true.size()));
  out += y_true;
  out += y_pred;
}

}  // namespace confmat
