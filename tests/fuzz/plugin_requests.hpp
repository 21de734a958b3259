// Requests as python/confmat/frames packs them.
#pragma once

#include <string_view>
#include <vector>

#include "../cpp/support/message.hpp"
#include "target.hpp"

namespace confmat::fuzz {

inline Bytes pickled(const Bytes& message) {
  ByteWriter out;
  for (const int byte : {0x80, 5, 0x95}) out.put(static_cast<std::uint8_t>(byte));
  out.put(std::uint64_t{message.size() + 14});
  for (const int byte : {int{'}'}, 0x94, 0x8C, 1, int{'v'}, 0x94, int{'B'}}) {
    out.put(static_cast<std::uint8_t>(byte));
  }
  out.put(static_cast<std::uint32_t>(message.size()));
  out.append(message.data(), message.size());
  for (const int byte : {0x94, int{'s'}, int{'.'}}) out.put(static_cast<std::uint8_t>(byte));
  return out.bytes();
}

inline Labels labels_of(Labels::Kind kind, std::size_t n) {
  Labels out;
  out.kind = kind;
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == Labels::Kind::kText) {
      out.texts.emplace_back(i == 0 ? "a" : std::string_view("a long text for no view", 5 + i));
    } else {
      out.ints.push_back(static_cast<std::int64_t>(i));
    }
  }
  return out;
}

using Names = std::vector<std::string_view>;
using host::Message;

inline std::vector<Bytes> requests() {
  using Field = MessageField;
  using enum Labels::Kind;
  const auto of = [](const Names& names) { return Message().names(Field::kMetrics, names); };
  return {
      of({"accuracy", "f1_macro", "mcc"}).bytes(),
      of({"accuracy", "gmcc", "eve", "kappa_quadratic"})
          .labels(Field::kLabels, labels_of(kInt, 3))
          .bytes(),
      of({"accuracy", "fbeta(2)", "kappa"}).on(Field::kWeighted).bytes(),
      of({"precision", "f1_weighted", "cen"})
          .labels(Field::kLabels, labels_of(kInt, 3))
          .labels(Field::kPositive, labels_of(kInt, 1))
          .value(Field::kUndefined, 0.5)
          .value(Field::kSmoothing, 1.5)
          .on(Field::kWeighted)
          .on(Field::kKeepEmpty)
          .on(Field::kImplied)
          .bytes(),
      of({"f1", "balanced_accuracy"})
          .labels(Field::kLabels, labels_of(kText, 3))
          .labels(Field::kPositive, labels_of(kText, 1))
          .value(Field::kUndefined, 0.5)
          .on(Field::kBucketOther)
          .bytes(),
      of({"accuracy"}).labels(Field::kLabels, labels_of(kText, 3)).on(Field::kWeighted).bytes(),
      of({"accuracy", "f1_macro"})
          .labels(Field::kFound, labels_of(kInt, 3))
          .on(Field::kBucketOther)
          .bytes(),
      of({"f1", "accuracy"}).labels(Field::kLabels, labels_of(kBool, 2)).bytes(),
      of({"own_macro := own 0 1 higher tp tp fp + 2 fn * + /",
          "mine_ovo := mine -1 1 lower tp "
          "0.5 ** fn 2 ** + sqrt neg abs log square"})
          .on(Field::kReasons)
          .value(Field::kReach, 1.96)
          .bytes(),
      of({"f1_macro"}).names(Field::kOfBooleans, Names{"f1"}).on(Field::kReasons).bytes(),
      of({"f1_macro"}).on(Field::kWeighted).on(Field::kReasons).on(Field::kApart).bytes(),
      Message().labels(Field::kLabels, labels_of(kInt, 3)).bytes(),
  };
}

inline std::vector<Bytes> score_requests() {
  using Field = MessageField;
  using enum Labels::Kind;
  const auto of = [](const Names& names) { return Message().names(Field::kScoreMetrics, names); };
  const auto bins = [](unsigned code) { return static_cast<std::uint8_t>(code); };
  return {
      of({"roc_auc", "average_precision", "ks"}).on(Field::kNanDrop).bytes(),
      of({"roc_auc", "eer"}).value(Field::kBins, bins(16)).on(Field::kWeighted).bytes(),
      of({"average_precision"})
          .labels(Field::kPositive, labels_of(kInt, 1))
          .value(Field::kUndefined, 0.5)
          .value(Field::kBins, bins(17))
          .on(Field::kNanDrop)
          .on(Field::kReasons)
          .bytes(),
      of({"roc_auc"}).on(Field::kReasons).on(Field::kApart).bytes(),
      of({"roc_auc", "gini"})
          .labels(Field::kPositive, labels_of(kText, 1))
          .value(Field::kBins, bins(3))
          .on(Field::kNanDrop)
          .on(Field::kWeighted)
          .bytes(),
      Message().labels(Field::kPositive, labels_of(kBool, 1)).value(Field::kBins, bins(1)).bytes(),
  };
}

}  // namespace confmat::fuzz
