// Reads weights, and names the first that is none.
#include "confmat/tally/weight_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "confmat/batch/number_dispatch.hpp"
#include "confmat/batch/weight_check.hpp"
#include "confmat/kernels/wide_loop.hpp"

namespace confmat {
namespace {

// The largest integer; one that is negative counts as beyond it.
template <class Weight>
constexpr std::uint64_t kMost = std::is_same_v<Weight, double> ? std::uint64_t{1} << 53 : INT64_MAX;

// Copies the weights; returns whether all of them are good.
template <class T, class Weight>
bool copy(const std::byte* values, std::size_t n, Weight* weights) noexcept {
  std::uint64_t found = 0;
  wide_loop([=, &found] {
    std::uint64_t bad = 0;  // as wide as a weight: else the loop would not vectorise
    for (std::size_t i = 0; i < n; ++i) {
      T value;
      std::memcpy(&value, values + i * sizeof(T), sizeof value);
      if constexpr (std::is_floating_point_v<T>) {
        bad |= is_weight(static_cast<double>(value)) ? 0U : ~std::uint64_t{0};
        weights[i] = static_cast<Weight>(value);
      } else {
        const auto whole = static_cast<std::int64_t>(value);
        bad |= static_cast<std::uint64_t>(whole) <= kMost<Weight> ? 0U : ~std::uint64_t{0};
        weights[i] = static_cast<Weight>(whole);
      }
    }
    found = bad;
  });
  return found == 0;
}

}  // namespace

WeightKind weight_kind(Chunks sample_weight) {
  WeightKind kind = sample_weight.empty() ? WeightKind::kNone : WeightKind::kInt;
  for (const Column& chunk : sample_weight) {
    if (is_text(chunk.type)) {
      throw InputError("`sample_weight` has dtype " + std::string(name_of(chunk.type)) +
                       ": wanted numbers");
    }
    if (is_float(chunk.type)) kind = WeightKind::kFloat;
  }
  return kind;
}

template <class Weight>
Weight WeightReader::checked(std::int64_t at) const {
  if (is_float(chunk_->type)) {
    const double weight = float_value(*chunk_, at);
    check_weight(weight, place_, at);
    return static_cast<Weight>(weight);
  }
  const std::uint64_t bits = fixed_bits(*chunk_, at);
  if (bits > INT64_MAX && chunk_->type != DType::kUInt64) {
    place_.fail("weight " + std::to_string(static_cast<std::int64_t>(bits)), at, "is negative");
  }
  if (bits > kMost<Weight>) {
    place_.fail(
        "weight " + std::to_string(bits), at,
        std::is_same_v<Weight, double>
            ? "is beyond 2^53, up to which float64 holds every integer; cast to Float64 for "
              "rounded sums"
            : "is beyond 2^63 - 1");
  }
  return static_cast<Weight>(bits);
}

template <class Weight>
bool WeightReader::plain(std::int64_t at, std::size_t n, Weight* weights) {
  if (chunk_->type == DType::kNull) {
    std::fill_n(weights, n, Weight{});
    return true;
  }
  const Run run = gather(*chunk_, at, n, scratch_);
  return with_number_type(run.type,
                          [&](auto like) { return copy<decltype(like)>(run.values, n, weights); });
}

template <class Weight, class Class>
void WeightReader::read(std::int64_t at, std::size_t n, Weight* weights, Class* truth,
                        const Class* prediction, Class null) {
  if (!any_null(*chunk_, at, n) && plain(at, n, weights)) return;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t row = at + static_cast<std::int64_t>(i);
    weights[i] = 0;
    if (truth[i] == null || prediction[i] == null) continue;  // dropped, whatever the weight
    if (chunk_->valid(row)) {
      weights[i] = checked<Weight>(row);
    } else {
      truth[i] = null;
    }
  }
}

template double WeightReader::checked(std::int64_t) const;
template std::uint64_t WeightReader::checked(std::int64_t) const;
template bool WeightReader::plain(std::int64_t, std::size_t, double*);
template bool WeightReader::plain(std::int64_t, std::size_t, std::uint64_t*);
template void WeightReader::read(std::int64_t, std::size_t, std::uint64_t*, std::uint16_t*,
                                 const std::uint16_t*, std::uint16_t);
template void WeightReader::read(std::int64_t, std::size_t, double*, std::uint16_t*,
                                 const std::uint16_t*, std::uint16_t);
template void WeightReader::read(std::int64_t, std::size_t, std::uint64_t*, std::uint32_t*,
                                 const std::uint32_t*, std::uint32_t);
template void WeightReader::read(std::int64_t, std::size_t, double*, std::uint32_t*,
                                 const std::uint32_t*, std::uint32_t);

}  // namespace confmat
