// Requests as python/confmat/frames packs them.
#pragma once

#include <string_view>
#include <vector>

#include "confmat/base/bytes.hpp"
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

// Of labels; `kind` 0: none, 1: integers, 2: Booleans, 3: texts.
inline Bytes request(unsigned flags, unsigned kind, unsigned positive,
                     const std::vector<std::string_view>& metrics) {
  ByteWriter out;
  out.put(std::uint8_t{1});
  out.put(static_cast<std::uint8_t>(flags));
  out.put(0.5);
  out.put((flags & 32U) != 0 ? 1.5 : 0.0);
  const auto labels = [&out](unsigned of, std::uint32_t n) {
    out.put(static_cast<std::uint8_t>(of));
    if (of == 0) return;
    out.put(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (of == 3) {
        out.text(i == 0 ? "a" : std::string_view("a long text for no view", 5 + i));
      } else {
        out.put(std::int64_t{i});
      }
    }
  };
  labels(kind, kind == 2 ? 2 : 3);
  labels(positive, 1);
  out.put(static_cast<std::uint32_t>(metrics.size()));
  for (const auto name : metrics) out.text(name);
  return out.bytes();
}

inline std::vector<Bytes> requests() {
  return {request(0, 0, 0, {"accuracy", "f1_macro", "mcc"}),
          request(0, 1, 0, {"accuracy", "gmcc", "eve", "kappa_quadratic"}),
          request(2, 0, 0, {"accuracy", "fbeta(2)", "kappa"}),
          request(2 | 4 | 8 | 32, 1, 1, {"precision", "f1_weighted", "cen"}),
          request(1 | 8, 3, 3, {"f1", "balanced_accuracy"}),
          request(2, 3, 0, {"accuracy"}),
          request(16 | 1, 1, 0, {"accuracy", "f1_macro"}),
          request(0, 2, 0, {"f1", "accuracy"}),
          request(0, 1, 0, {})};
}

inline Bytes score_request(unsigned flags, unsigned bins, unsigned positive,
                           const std::vector<std::string_view>& metrics) {
  ByteWriter out;
  out.put(std::uint8_t{'S'});
  out.put(static_cast<std::uint8_t>(flags));
  out.put(0.5);
  out.put(static_cast<std::uint8_t>(bins));
  out.put(static_cast<std::uint8_t>(positive));
  if (positive == 3) out.text("a");
  if (positive == 1 || positive == 2) out.put(std::int64_t{1});
  out.put(static_cast<std::uint32_t>(metrics.size()));
  for (const auto name : metrics) out.text(name);
  return out.bytes();
}

inline std::vector<Bytes> score_requests() {
  return {score_request(2, 0, 0, {"roc_auc", "average_precision", "ks"}),
          score_request(1, 16, 0, {"roc_auc", "eer"}),
          score_request(4 | 2, 17, 1, {"average_precision"}),
          score_request(1 | 2, 3, 3, {"roc_auc", "gini"}), score_request(0, 1, 2, {})};
}

}  // namespace confmat::fuzz
