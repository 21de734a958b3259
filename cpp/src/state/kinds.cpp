// The table of the kinds of state.
#include "confmat/state/kinds.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/state/class_scores.hpp"
#include "confmat/state/counts.hpp"
#include "confmat/state/joint.hpp"
#include "confmat/state/joint_scores.hpp"
#include "confmat/state/many_sweeps_sum.hpp"
#include "confmat/state/merge_tree.hpp"
#include "confmat/state/moments.hpp"
#include "confmat/state/set_counts.hpp"
#include "confmat/state/set_scores.hpp"
#include "confmat/state/slice_table.hpp"
#include "confmat/state/sweep_sum.hpp"

namespace confmat {
namespace {

// Bins are added as they lie.
class SavedSweepsSum : public SweepSum {
 public:
  void add(Bytes bytes) { SweepSum::add(open_sweep(bytes)); }
};

class SavedTablesSum {
 public:
  void add(Bytes bytes) { tables_.push_back(bytes); }
  std::vector<std::uint8_t> saved() { return merge_saved_tables(std::exchange(tables_, {})); }

 private:
  std::vector<Bytes> tables_;
};

template <auto kDecode, class Sum>
class SumOfKind final : public KindSum {
 public:
  void add(Bytes bytes) override {
    if constexpr (requires { sum_.add(bytes); }) {
      sum_.add(bytes);
    } else {
      sum_.add(kDecode(bytes));
    }
  }
  std::vector<std::uint8_t> take() override {
    if constexpr (requires { sum_.saved(); }) {
      return sum_.saved();
    } else {
      return encode(sum_.take());
    }
  }

 private:
  Sum sum_;
};

Counts decode_matrix(Bytes bytes) { return decode_counts(bytes); }

template <auto kDecode, class State = decltype(kDecode(Bytes{})), class Sum = MergeTree<State>>
constexpr KindType kTypeOf{
    []() -> std::unique_ptr<KindSum> { return std::make_unique<SumOfKind<kDecode, Sum>>(); },
    [](Bytes bytes) -> std::any { return kDecode(bytes); },
    [](const std::any& one, const std::any& other) {
      auto rest = taken_away(*std::any_cast<State>(&one), *std::any_cast<State>(&other));
      if constexpr (std::is_same_v<decltype(rest), std::vector<std::uint8_t>>) {
        return rest;
      } else {
        return encode(rest);
      }
    }};

// Sweeps and binned ones are told apart, with better words, where they are added.
constexpr const KindType* kSweeps = &kTypeOf<decode_sweep, Sweep, SavedSweepsSum>;

constexpr std::array kKinds{
    KindRow{StateKind::kCounts, 1, "a saved confusion matrix", "predicted classes", "mcc",
            &kTypeOf<decode_matrix, Counts, CountsSum>},
    KindRow{StateKind::kCurve, 1, "a saved sweep", "scores", "roc_auc", kSweeps},
    KindRow{StateKind::kBins, 1, "a saved binned sweep", "scores", "roc_auc", kSweeps},
    KindRow{StateKind::kClasses, 1, "saved scores of many classes", "scores of many classes",
            "roc_auc_macro",
            &kTypeOf<decode_class_scores, ClassScores, ManySweepsSum<ClassScores>>},
    KindRow{StateKind::kSets, 1, "a saved matrix of label sets", "label sets", "exact_match",
            &kTypeOf<decode_set_counts>},
    KindRow{StateKind::kTable, 1, "a saved table of slices", "slices", nullptr,
            &kTypeOf<decode_table, SliceTable, SavedTablesSum>},
    KindRow{StateKind::kSetScores, 1, "saved scores for label sets", "scores for label sets",
            "coverage_error", &kTypeOf<decode_set_scores, SetScores, ManySweepsSum<SetScores>>},
    KindRow{StateKind::kJoint, 1, "saved joint counts", "two models", nullptr,
            &kTypeOf<decode_joint>},
    KindRow{StateKind::kMoments, 1, "saved moments of a regression", "numbers", "rmse",
            &kTypeOf<decode_moments>},
    KindRow{StateKind::kJointScores, 1, "saved scores of two models", "scores of two models",
            nullptr, &kTypeOf<decode_joint_scores>},
};

}  // namespace

std::span<const KindRow> kinds() noexcept { return kKinds; }

const KindRow* find_kind(std::uint16_t number) noexcept {
  const auto* const found =
      std::ranges::find(kKinds, static_cast<StateKind>(number), &KindRow::kind);
  return found == kKinds.end() ? nullptr : &*found;
}

const KindRow& row_of_kind(StateKind kind) noexcept {
  return *find_kind(static_cast<std::uint16_t>(kind));
}

void require_one_type(const KindRow& one, const KindRow& other) {
  if (one.type == other.type) return;
  throw InputError(std::string("states of several kinds: ") + one.name + " and " + other.name);
}

}  // namespace confmat
