// Exact sums in payloads: rounded values, and the further parts of those that are no double.
#include "payload.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

constexpr std::size_t kTailBytes = 16;

}  // namespace

void put_leads(ByteWriter& out, const ExactSums& sums) { put_array(out, sums.leads.view()); }

void put_tails(ByteWriter& out, const ExactSums& sums) {
  out.put(static_cast<std::uint64_t>(sums.tails.size()));
  for (const Tail& tail : sums.tails.view()) {
    out.put(tail.at);
    out.put(tail.part);
  }
}

std::vector<Tail> take_tails(ByteReader& reader) {
  const auto n = reader.get<std::uint64_t>();
  require_left(reader, n, kTailBytes);
  std::vector<Tail> out(static_cast<std::size_t>(n));
  for (Tail& tail : out) {
    tail.at = reader.get<std::uint64_t>();
    tail.part = reader.get<double>();
  }
  return out;
}

void put_state(ByteWriter& out, const std::vector<std::uint8_t>& bytes) {
  out.put(static_cast<std::uint64_t>(bytes.size()));
  out.append(bytes.data(), bytes.size());
}

void put_states(ByteWriter& out, const std::vector<std::vector<std::uint8_t>>& states) {
  constexpr std::size_t kBehind = 64;  // for what comes last
  std::size_t bytes = kBehind;
  for (const auto& state : states) bytes += sizeof(std::uint64_t) + state.size();
  out.reserve(out.bytes().size() + bytes);
  for (const auto& state : states) put_state(out, state);
}

Bytes take_state(ByteReader& reader) {
  const auto size = reader.get<std::uint64_t>();
  require_left(reader, size, 1);
  return reader.take(static_cast<std::size_t>(size));
}

ExactSums take_sums(ByteReader& reader, std::size_t n, const char* what) {
  auto leads = take_array<double>(reader, n);
  ExactSums out{std::move(leads), take_tails(reader)};
  check_sums(out, false, what);
  return out;
}

void check_sums(const ExactSums& sums, bool may_be_infinite, const char* what) {
  for (const auto [first, last] : Strides(sums.leads.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const double value = sums.leads[i];
      const bool fits = std::isfinite(value) || (may_be_infinite && value > 0);
      if (!fits || std::signbit(value)) {
        throw StateError(std::string(what) + " is negative, nan or beyond the range of floats");
      }
    }
  }
  if (!are_rounded_parts(sums.leads.view(), sums.tails.view())) {
    throw StateError("the parts of an exact sum are not those of its sum");
  }
}

}  // namespace confmat
