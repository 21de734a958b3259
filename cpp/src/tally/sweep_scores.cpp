// Blocks of scores as keys, for every type of numbers.
#include "sweep_scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "confmat/base/error.hpp"
#include "confmat/batch/number_dispatch.hpp"
#include "confmat/kernels/table.hpp"
#include "confmat/scores/score_key.hpp"

namespace confmat {
namespace {

template <class Key>
Key key_of(double score) noexcept {
  return score_key(static_cast<std::conditional_t<sizeof(Key) == 8, double, float>>(score));
}

// Whether a double holds the integer.
bool is_exact(std::uint64_t magnitude) noexcept {
  return magnitude == 0 || std::bit_width(magnitude >> std::countr_zero(magnitude)) <= 53;
}

// Returns whether there is no nan and no integer beyond 2^53 among them.
template <class T, class Key>
bool to_keys(const std::byte* values, std::size_t n, Key* keys) noexcept {
  bool exact = true;
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    std::memcpy(&value, values + i * sizeof value, sizeof value);
    if constexpr (std::is_floating_point_v<T>) {
      exact &= value == value;
    } else if constexpr (sizeof(T) == 8) {
      constexpr auto kMost = static_cast<T>(std::int64_t{1} << 53);
      exact &= value <= kMost;
      if constexpr (std::is_signed_v<T>) exact &= value >= -kMost;
    }
    keys[i] = key_of<Key>(static_cast<double>(value));
  }
  return exact;
}

std::uint64_t magnitude(DType type, std::uint64_t bits) noexcept {
  return type <= DType::kInt64 && static_cast<std::int64_t>(bits) < 0 ? 0 - bits : bits;
}

}  // namespace

ScoreKind score_kind(Chunks y_score, const char* argument) {
  ScoreKind kind = ScoreKind::kFloat32;
  for (const Column& chunk : y_score) {
    if (chunk.type == DType::kNull || chunk.type == DType::kFloat32) continue;
    if (!is_int(chunk.type) && !is_bool(chunk.type) && chunk.type != DType::kFloat64) {
      throw InputError("`" + std::string(argument) + "` has dtype " +
                       std::string(name_of(chunk.type)) + ": wanted numbers");
    }
    kind = ScoreKind::kFloat64;
  }
  return kind;
}

ScoreKind key_kind(Chunks y_score) {
  const bool all = std::ranges::all_of(y_score, [](const Column& chunk) {
    return chunk.type == DType::kNull || chunk.type == DType::kFloat32 ||
           (is_int(chunk.type) && width_of(chunk.type) <= 2);
  });
  return all ? ScoreKind::kFloat32 : ScoreKind::kFloat64;
}

template <class Key>
bool ScoreReader<Key>::read(std::int64_t at, std::size_t n, Key* keys) {
  if (chunk_->type == DType::kNull) {
    std::memset(keys, 0, n * sizeof(Key));
    return n == 0;
  }
  const Run run = gather(*chunk_, at, n, scratch_);
  bool good = true;
  if (run.type == DType::kFloat32 && sizeof(Key) == 4) {
    good = kernels().keys32(run.values, n, keys);
  } else if (run.type == DType::kFloat64 && sizeof(Key) == 8) {
    good = kernels().keys64(run.values, n, keys);
  } else {
    good = with_number_type(
        run.type, [&](auto like) { return to_keys<decltype(like)>(run.values, n, keys); });
  }
  return good && !any_null(*chunk_, at, n);
}

template <class Key>
bool ScoreReader<Key>::is_nan(std::int64_t at) const noexcept {
  return is_float(chunk_->type) && std::isnan(float_value(*chunk_, at));
}

template <class Key>
void ScoreReader<Key>::require_no_nan(std::int64_t at) const {
  if (is_nan(at)) {
    place_.fail("score nan", at,
                "is no number; with nan=\"drop\" cm.sweep and evaluate leave such rows out");
  }
}

template <class Key>
void ScoreReader<Key>::require_exact(std::int64_t at) const {
  if (!is_int(chunk_->type)) return;
  const std::uint64_t bits = fixed_bits(*chunk_, at);
  if (is_exact(magnitude(chunk_->type, bits))) return;
  const bool is_signed = chunk_->type <= DType::kInt64;
  place_.fail("score " + (is_signed ? std::to_string(static_cast<std::int64_t>(bits))
                                    : std::to_string(bits)),
              at, "has no exact float64");
}

template class ScoreReader<std::uint32_t>;
template class ScoreReader<std::uint64_t>;

}  // namespace confmat
