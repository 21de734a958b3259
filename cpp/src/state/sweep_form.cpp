// Writes and reads what is in front of the entries of a saved sweep.
#include "sweep_form.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/scores/score_key.hpp"
#include "payload.hpp"
#include "sweep_amounts.hpp"

namespace confmat {
namespace {

constexpr std::size_t kLeastEdges = 2;
constexpr std::size_t kMostEdges = std::size_t{1} << 20U;

unsigned bytes_of(const AmountArray& amounts) {
  return std::visit(
      []<class Array>(const Array& of) {
        if constexpr (std::is_same_v<Array, ExactSums>) {
          return unsigned{sizeof(double)};
        } else {
          return narrowest(bits_of(of.view()));
        }
      },
      amounts);
}

void check_classes(const LabelSet& set) {
  const bool is_told = set.positive == 0 || set.labels.usual_positive() != positive_at(set);
  if (set.size() > 2 || set.origin != Origin::kFound || (set.size() > 0 && !positive_of(set)) ||
      !is_told) {
    throw StateError("the labels are not those of a sweep");
  }
}

SweepHead take_head(ByteReader& reader) {
  SweepHead out;
  out.n = reader.get<std::uint64_t>();
  out.gap_bytes = reader.get<std::uint8_t>();
  for (std::uint8_t& bytes : out.bytes) bytes = reader.get<std::uint8_t>();
  const auto scores = reader.get<std::uint8_t>();
  out.highest = reader.get<std::uint32_t>();
  out.span = reader.get<std::uint32_t>();
  out.has_scores = scores == 1;
  if (scores > 1 || out.gap_bytes > 4 || (out.gap_bytes != 0 && !is_width(out.gap_bytes)) ||
      !is_width(out.bytes[0]) || !is_width(out.bytes[1])) {
    refuse_form();
  }
  return out;
}

// Sets type and grid; returns what it says of weights.
std::uint8_t read_compatible(Bytes bytes, Sweep& out) {
  ByteReader reader(bytes);
  const auto flags = reader.get<std::uint8_t>();
  const auto type = reader.get<std::uint8_t>();
  const auto kind = reader.get<std::uint8_t>();
  const auto code = reader.get<std::uint8_t>();
  const auto n = reader.get<std::uint32_t>();
  if ((flags > kWeights && flags != kSquaredWeights) || type > 2 || kind > 2) {
    throw StateError("unknown content of a sweep");
  }
  const auto map = BinMap::of_code(code);
  out.type = static_cast<ScoreType>(type);
  out.grid.kind = static_cast<Grid::Kind>(kind);
  const bool has_map = out.grid.kind == Grid::Kind::kMap;
  const bool has_edges = out.grid.kind == Grid::Kind::kEdges;
  if (map && has_map) {
    out.grid.map = *map;
  } else if (has_map || code != 0) {
    throw StateError("unknown content of a sweep");
  }
  if (has_edges ? n < kLeastEdges || n > kMostEdges : n != 0) {
    throw StateError("the number of edges is none that bins have");
  }
  out.grid.edges = take_array<double>(reader, n);
  if (reader.left() != 0) throw StateError("bytes are left after the last edge");
  const auto edges = out.grid.edges.view();
  for (const auto [first, last] : Strides(edges.size())) {
    for (std::size_t i = first; i < last; ++i) {
      const bool ascends = i == 0 || edges[i - 1] < edges[i];
      if (!std::isfinite(edges[i]) || !ascends || (edges[i] == 0 && std::signbit(edges[i]))) {
        throw StateError("the edges are not finite numbers in ascending order");
      }
    }
  }
  return flags;
}

}  // namespace

SweepHead head_of(const Sweep& sweep) {
  SweepHead out;
  out.n = sweep.size();
  out.has_scores = sweep.is_exact;
  out.bytes[0] = static_cast<std::uint8_t>(bytes_of(sweep.positives));
  out.bytes[1] = static_cast<std::uint8_t>(bytes_of(sweep.negatives));
  const auto bins = sweep.bins.view();
  if (bins.empty()) return out;
  out.highest = bins.front();
  std::uint32_t gaps = 0;
  for (const auto [first, last] : Strides(bins.size())) {
    for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
      gaps |= bins[i - 1] - bins[i] - 1;
    }
  }
  out.gap_bytes = static_cast<std::uint8_t>(narrowest(gaps));
  const std::uint64_t span = std::uint64_t{bins.front()} - bins.back() + 1;
  const std::uint64_t entry = std::uint64_t{out.bytes[0]} + out.bytes[1];
  const bool can_span = !sweep.is_exact && !sweep.has_weights();
  if (can_span && span * entry <= out.n * (entry + out.gap_bytes)) {
    out.gap_bytes = 0;
    out.span = static_cast<std::uint32_t>(span);
  }
  return out;
}

void put(ByteWriter& out, const SweepHead& head) {
  out.put(head.n);
  out.put(head.gap_bytes);
  out.put(head.bytes[0]);
  out.put(head.bytes[1]);
  out.put(std::uint8_t{head.has_scores});
  out.put(head.highest);
  out.put(head.span);
}

void refuse_form() {
  throw StateError("not written as this format writes it: the form of the entries");
}

std::vector<std::uint8_t> compatible_of(const Sweep& sweep) {
  ByteWriter out;
  out.put(sweep.squares ? kSquaredWeights : sweep.has_weights() ? kWeights : std::uint8_t{0});
  out.put(sweep.type);
  out.put(sweep.grid.kind);
  const bool has_map = sweep.grid.kind == Grid::Kind::kMap;
  out.put(has_map ? sweep.grid.map.code() : std::uint8_t{0});
  out.put(static_cast<std::uint32_t>(sweep.grid.edges.size()));
  put_array(out, sweep.grid.edges.view());
  return out.take();
}

void require_scores(const Grid& grid, std::span<const std::uint32_t> bins) {
  if (grid.kind != Grid::Kind::kMap || grid.map.level()) return;
  grid.map.bins<std::uint64_t>([&](const auto& of) {
    for (const std::uint32_t bin : bins) {
      if (of.bin(score_key(of.lower(bin))) != bin) throw StateError("a bin holds no score at all");
    }
  });
}

OpenedSweep open_saved_sweep(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfSweeps);
  OpenedSweep out;
  out.flags = read_compatible(state.compatible, out.about);
  if (out.has_bins() != (state.kind == StateKind::kBins)) {
    throw StateError("unknown content of a sweep");
  }
  check_classes(state.labels);
  out.about.labels = std::make_shared<const LabelSet>(state.labels);
  out.about.rows = state.rows;
  if (state.rows.other != 0) throw StateError("a sweep has no rows of other labels");
  ByteReader reader(state.payload);
  const SweepHead& head = out.head = take_head(reader);
  out.about.is_exact = head.has_scores;
  out.entries = state.payload.last(reader.left());
  const bool is_spread = head.span > 0;
  const bool may_spread = out.flags == 0 && out.has_bins() && !head.has_scores;
  if (is_spread && (head.span - 1 > head.highest || !may_spread)) refuse_form();
  const bool has_gaps = out.has_bins() && head.n > 0 && !is_spread;
  if (has_gaps != (head.gap_bytes > 0)) refuse_form();
  if (!head.has_scores && !out.has_bins()) refuse_form();
  return out;
}

}  // namespace confmat
