// The kinds of state. What sets a kind apart is one row of the table in kinds.cpp.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace confmat {

using Bytes = std::span<const std::uint8_t>;

enum class StateKind : std::uint16_t {
  kCounts = 1,
  kCurve = 2,
  kBins = 3,
  kClasses = 4,
  kSets = 5,
  kTable = 6,
  kSetScores = 7,
  kJoint = 8,
  kMoments = 9,
  kJointScores = 10
};

// Adds saved states. Needs: the bytes stay until take(), after which it is empty; its memory stays.
class KindSum {
 public:
  virtual ~KindSum() = default;
  virtual void add(Bytes bytes) = 0;
  virtual std::vector<std::uint8_t> take() = 0;
};

// States that can be added: those of one type, in C++.
struct KindType {
  std::unique_ptr<KindSum> (*sum)();
  std::any (*read)(Bytes bytes);
  // Saved. Needs: both were read by this type.
  std::vector<std::uint8_t> (*taken_away)(const std::any& one, const std::any& other);
};

struct KindRow {
  StateKind kind;
  std::uint16_t version;
  // In messages: its name, what it is of, and a metric of it (null: it has none by name).
  const char* name;
  const char* of;
  const char* metric;
  const KindType* type;
};

std::span<const KindRow> kinds() noexcept;
// Null: there is none of this number.
const KindRow* find_kind(std::uint16_t number) noexcept;
const KindRow& row_of_kind(StateKind kind) noexcept;
// Throws InputError.
void require_one_type(const KindRow& one, const KindRow& other);

}  // namespace confmat
