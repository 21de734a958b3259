// The scores of two models as saved states. The payload:
//   8, ...      the size and the bytes of the sweep of A as a state; then those of B
//   8           the level of the bins that are counted together
//   ...         their cells: see joint counts
// `compatible`: that of the cells.
#include <array>
#include <optional>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/scores/unit_bins.hpp"
#include "confmat/state/joint_scores.hpp"
#include "joint_cells.hpp"
#include "joint_scores_fault.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfJointScores{StateKind::kJointScores};

}  // namespace

std::vector<std::uint8_t> encode(const JointScores& scores) {
  const std::uint8_t content = content_of(scores.bins.cells);
  StateWriter writer(StateKind::kJointScores, {&content, 1}, *scores.a.labels, scores.rows);
  ByteWriter& out = writer.payload();
  put_state(out, encode(scores.a));
  put_state(out, encode(scores.b));
  out.put(std::uint64_t{scores.level});
  put_cells(out, scores.bins);
  return writer.seal();
}

JointScores decode_joint_scores(Bytes bytes) {
  const Envelope state = open_state(bytes, kKindsOfJointScores);
  ByteReader reader(state.payload);
  JointScores out;
  out.rows = state.rows;
  out.a = decode_sweep(take_state(reader));
  out.b = decode_sweep(take_state(reader));
  const auto level = reader.get<std::uint64_t>();
  if (level > kMostUnitLevel) throw StateError("unknown level of bins");
  out.level = static_cast<unsigned>(level);
  out.bins.labels = joint_bins(out.level);
  out.bins.rows.counted = out.rows.counted;
  take_cells(reader, state.compatible, out.bins);
  std::optional<std::string> fault = fault_of(out);
  if (*out.a.labels != state.labels) fault = "its sweeps are of other classes";
  if (out.rows.other != 0) fault = "rows of other labels";
  if (fault) throw StateError("not what rows with two scores give: " + *fault);
  return out;
}

}  // namespace confmat
