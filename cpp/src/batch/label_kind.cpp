// Compares the kinds of two columns, and says which kind was wanted.
#include "confmat/batch/label_kind.hpp"

#include <string>

#include "confmat/base/error.hpp"
#include "confmat/batch/gather.hpp"

namespace confmat {
namespace {

enum class Family : std::uint8_t { kNone, kBool, kInt, kText };

struct Found {
  Family family = Family::kNone;
  DType type = DType::kNull;  // one that decided the family
};

std::string quoted(const char* argument) { return "`" + std::string(argument) + "`"; }

Family family_of(const Column& column, const char* argument) {
  switch (column.type) {
    case DType::kNull:
      return Family::kNone;
    case DType::kBool8:
    case DType::kBoolBits:
      return Family::kBool;
    case DType::kText:
    case DType::kCells:
      return Family::kText;
    case DType::kDictionary:
      if (column.dictionary != nullptr && column.dictionary->type == DType::kText &&
          is_int(column.key_type)) {
        return Family::kText;
      }
      throw InputError(quoted(argument) + " is categorical, but its categories are not strings");
    default:
      return Family::kInt;
  }
}

Found family_of(Chunks chunks, const char* argument) {
  Found found;
  for (const Column& chunk : chunks) {
    const Family family = family_of(chunk, argument);
    if (family == Family::kNone) continue;
    const bool text_before = found.family == Family::kText;
    if (found.family != Family::kNone && text_before != (family == Family::kText)) {
      throw InputError(quoted(argument) + " holds " + std::string(name_of(found.type)) + " and " +
                       std::string(name_of(chunk.type)) + ": labels of one kind are needed");
    }
    if (family > found.family) found = {family, chunk.type};
  }
  return found;
}

}  // namespace

Labels::Kind joint_kind(Chunks y_true, Chunks y_pred, const char* pred_argument) {
  const Found truth = family_of(y_true, "y_true");
  const Found prediction = family_of(y_pred, pred_argument);
  const bool both = truth.family != Family::kNone && prediction.family != Family::kNone;
  if (both && (truth.family == Family::kText) != (prediction.family == Family::kText)) {
    throw InputError("`y_true` is " + std::string(name_of(truth.type)) + ", " +
                     quoted(pred_argument) + " is " + std::string(name_of(prediction.type)) +
                     ": labels of one kind are needed");
  }
  const Family wider = truth.family > prediction.family ? truth.family : prediction.family;
  if (wider == Family::kText) return Labels::Kind::kText;
  return wider == Family::kBool ? Labels::Kind::kBool : Labels::Kind::kInt;
}

void require_kind(Chunks column, const char* argument, Labels::Kind kind) {
  const Found found = family_of(column, argument);
  if (found.family == Family::kNone) return;
  if ((found.family == Family::kText) == (kind == Labels::Kind::kText)) return;
  const char* labels = kind == Labels::Kind::kText   ? "strings"
                       : kind == Labels::Kind::kBool ? "booleans"
                                                     : "integers";
  throw InputError(quoted(argument) + " is " + std::string(name_of(found.type)) +
                   ", but the labels are " + labels + ": labels of one kind are needed");
}

void require_equal_lengths(std::int64_t first, const char* first_argument, std::int64_t second,
                           const char* second_argument) {
  if (first == second) return;
  throw InputError(quoted(first_argument) + " has " + std::to_string(first) + " rows, " +
                   quoted(second_argument) + " has " + std::to_string(second));
}

}  // namespace confmat
