// The rows of one group after the other, as a sweep and its metrics. Reused by one thread: memory
// is only allocated for groups larger than all before.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "confmat/base/room.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/score_code.hpp"
#include "confmat/evaluate/score_values.hpp"
#include "confmat/kernels/wide_loop.hpp"
#include "confmat/state/codec.hpp"
#include "confmat/tally/key_sweep.hpp"

namespace confmat {

class ScoreGroup {
 public:
  explicit ScoreGroup(const Spec& spec) : spec_(spec) {}

  // A new group, of at most so many rows, for so many threads.
  void start(std::size_t rows, int threads = 1);
  void add(const ScoredRow& row) {
    if (row.kind > ScoredKind::kPositive) return set_aside(row);
    const bool negative = row.kind == ScoredKind::kNegative;
    if (negative && row.label != other_) see(row.label);
    if (spec_.weighted) {
      if (!(row.weight >= 0 && row.weight <= kMostWeight)) refuse_weight();
      if (row.weight == 0) {  // adds no score
        ++n_idle_;
        return;
      }
      weights_.get()[rows_] = row.weight;
    }
    const ScoreType type = type_of_key(row.key);
    if (type != type_) meet(type);
    if (type == ScoreType::kDouble) {
      doubles_.keys.get()[rows_] = row.key;
    } else {
      floats_.keys.get()[rows_] = static_cast<std::uint32_t>(row.key);
    }
    positive_.get()[rows_] = negative ? 0 : 1;
    ++rows_;
  }

  // Rows of counts, as codes. Blocks like the rows before them are taken without a branch. Very
  // many of them on several threads stay where they are until sweep() has read them: no row may
  // follow.
  template <class Code>
  void add_codes(const typename Code::Bits* codes, std::size_t n) {
    constexpr std::size_t kMany = std::size_t{1} << 18;
    bool may_be_alike = threads_ != 1;
    for (std::size_t at = 0; at < n;) {
      const bool known = other_ != kNoLabel && type_ != ScoreType::kNone;
      if (known && may_be_alike && n - at >= kMany && add_all_alike<Code>(codes + at, n - at)) {
        return;
      }
      may_be_alike &= !known;
      const std::size_t size = std::min(n - at, kAtOnce);
      if (!take_alike<Code>(codes + at, size)) {
        for (std::size_t i = 0; i < size; ++i) add(Code::unpack(codes[at + i]));
      }
      at += size;
    }
  }

  // The sweep of what was added; valid until the next call.
  const metrics::SweepView& sweep();
  // The number of rows, or the sum of their weights.
  [[nodiscard]] double n() const noexcept { return n_; }
  // Rows with a null, or with a score that is nan.
  [[nodiscard]] std::int64_t n_dropped() const noexcept { return n_dropped_ + n_nan_; }
  [[nodiscard]] RowTotals rows() const noexcept {
    const auto counted = static_cast<std::int64_t>(rows_) + n_idle_;
    return {.counted = counted, .dropped = n_dropped_, .nan = n_nan_};
  }
  // What codes hold of the label of the negatives; none: there is no row of them.
  [[nodiscard]] std::optional<std::uint64_t> negative() const noexcept {
    return other_ == kNoLabel ? std::nullopt : std::optional(other_);
  }
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  // One value an ask of the spec; nan where undefined. After sweep().
  void values(double* out) const;
  // Why these are undefined, one text an ask; an empty one stands for none. After sweep().
  void reasons(const double* values, std::string* out) const;

 private:
  enum class ScoreType : std::uint8_t { kNone, kHalf, kFloat, kDouble };
  template <class Key>
  struct Keys {
    Room<Key> keys;
    std::size_t n_here = 0;                      // rows in `keys`, where there are others
    typename KeySweep<Key, false>::Fill others;  // those behind them, counted from the first
    KeySweep<Key, false> counts;
    KeySweep<Key, true> sums;
  };
  static constexpr double kMostWeight = std::numeric_limits<double>::max();
  static constexpr std::uint64_t kNoLabel = ~std::uint64_t{0};

  static constexpr ScoreType type_of_key(std::uint64_t key) noexcept {
    if (!is_float_key(key)) return ScoreType::kDouble;
    return is_half_key(key) ? ScoreType::kHalf : ScoreType::kFloat;
  }
  void set_aside(const ScoredRow& row);
  void see(std::uint64_t label) {
    if (other_ != kNoLabel) refuse(label);
    other_ = label;
  }
  static constexpr std::size_t kAtOnce = 1024;

  // Rows that are read when they are swept.
  template <class Code>
  bool add_all_alike(const typename Code::Bits* codes, std::size_t n) {
    std::atomic<bool> alike{true};
    over_ranges(threads_, static_cast<std::int64_t>(n),
                [&](int /*part*/, std::int64_t first, std::int64_t last) {
                  const auto end = static_cast<std::size_t>(last);
                  for (auto at = static_cast<std::size_t>(first); at < end && alike;
                       at += kAtOnce) {
                    if (!are_alike<Code>(codes + at, std::min(end - at, kAtOnce))) alike = false;
                  }
                });
    if (!alike) return false;
    const auto leave = [&]<class Key>(Keys<Key>& of) {
      of.n_here = rows_;
      of.others = [codes](std::size_t first, std::size_t size, Key* keys, std::uint8_t* positive) {
        unpack<Code>(codes + first, size, keys, positive);
      };
    };
    if (type_ == ScoreType::kDouble) {
      leave(doubles_);
    } else {
      leave(floats_);
    }
    rows_ += n;
    return true;
  }
  template <class Code>
  bool take_alike(const typename Code::Bits* codes, std::size_t n) {
    if (!are_alike<Code>(codes, n)) return false;
    std::uint8_t* const positive = positive_.get() + rows_;
    if (type_ == ScoreType::kDouble) {
      unpack<Code>(codes, n, doubles_.keys.get() + rows_, positive);
    } else {
      unpack<Code>(codes, n, floats_.keys.get() + rows_, positive);
    }
    rows_ += n;
    return true;
  }
  // Whether all rows have a label and a type that those before them have.
  template <class Code>
  [[nodiscard]] bool are_alike(const typename Code::Bits* codes, std::size_t n) const {
    if (spec_.weighted || other_ == kNoLabel || type_ == ScoreType::kNone) return false;
    bool alike = true;
    if constexpr (std::is_same_v<Code, NarrowScore>) {
      if (type_ == ScoreType::kDouble) return false;
      wide_loop([=, &alike, other = other_, half = type_ == ScoreType::kHalf] {
        typename Code::Bits unlike = 0;
        for (std::size_t i = 0; i < n; ++i) unlike |= Code::unlike(codes[i], other, half);
        alike = unlike == 0;
      });
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        const ScoredRow row = Code::unpack(codes[i]);
        alike &= row.kind <= ScoredKind::kPositive;
        alike &= row.kind == ScoredKind::kPositive || row.label == other_;
        alike &= type_of_key(row.key) == type_;
      }
    }
    return alike;
  }
  // Of rows that are alike.
  template <class Code, class Key>
  static void unpack(const typename Code::Bits* codes, std::size_t n, Key* keys,
                     std::uint8_t* positive) {
    if constexpr (std::is_same_v<Code, NarrowScore>) {
      wide_loop([=] {
        Key* __restrict const to_keys = keys;
        std::uint8_t* __restrict const to_positive = positive;
        for (std::size_t i = 0; i < n; ++i) to_keys[i] = Code::float_key(codes[i]);
        for (std::size_t i = 0; i < n; ++i) to_positive[i] = Code::positive(codes[i]);
      });
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        const ScoredRow row = Code::unpack(codes[i]);
        keys[i] = static_cast<Key>(row.key);
        positive[i] = row.kind == ScoredKind::kPositive ? 1 : 0;
      }
    }
  }
  void meet(ScoreType type);
  [[noreturn]] void refuse(std::uint64_t label) const;
  [[noreturn]] static void refuse_weight();
  template <class Key>
  void collapse(Keys<Key>& of);
  template <class Runs>
  void set_view(const Runs& runs);

  const Spec& spec_;
  std::int64_t n_dropped_ = 0;  // with a null
  std::int64_t n_nan_ = 0;
  std::int64_t n_idle_ = 0;  // of weight 0
  double n_ = 0;
  std::uint64_t other_ = kNoLabel;  // the class of the negatives
  int threads_ = 1;
  std::size_t most_ = 0;
  std::size_t rows_ = 0;
  ScoreType type_ = ScoreType::kNone;  // of all scores
  Keys<std::uint32_t> floats_;
  Keys<std::uint64_t> doubles_;
  Room<std::uint8_t> positive_;
  Room<double> weights_;
  metrics::SweepView view_;
};

}  // namespace confmat
