// Adds up scores for sets of labels, takes them away, writes and reads them. The payload:
//   8 x 3       the sums over rows; their further parts
//   8, ...      the size and the bytes of the sweep of each label as a state
// `compatible`: whether weights were summed.
#include "confmat/state/set_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "confmat/base/error.hpp"
#include "confmat/base/interrupt.hpp"
#include "payload.hpp"

namespace confmat {
namespace {

constexpr std::array kKindsOfSetScores{StateKind::kSetScores};

ExactSums merged(const ExactSums& one, const ExactSums& other, double sign) {
  ExactSumsBuilder out;
  for (std::size_t i = 0; i < kOrderSums; ++i) {
    out.add(one, i, other, i, sign);
    if (out.last() < 0) {
      throw InputError("cannot subtract: the second has rows that are not in the first");
    }
  }
  return out.take();
}

bool has_weights(const SetScores& scores) {
  return std::ranges::any_of(scores.sweeps, [](const Sweep& sweep) { return sweep.has_weights(); });
}

[[noreturn]] void refuse_scores(const char* what) {
  throw StateError(std::string("not what rows with scores for sets of labels give: ") + what);
}

// Sweeps of one kind, of classes that are False and True.
void check_sweeps(const SetScores& scores, bool weights) {
  const Labels classes{Labels::Kind::kBool, {0, 1}, {}};
  for (const Sweep& sweep : scores.sweeps) {
    const Sweep& first = scores.sweeps.front();
    if (sweep.grid != first.grid || sweep.labels->labels != classes ||
        sweep.labels->positive != 0 || sweep.type != first.type ||
        (sweep.has_rows() && sweep.has_weights() != weights)) {
      refuse_scores("its sweeps differ");
    }
  }
}

}  // namespace

void require_alike(const SetScores& one, const SetScores& other, const char* verb) {
  const Labels& first = one.labels->labels;
  const Labels& second = other.labels->labels;
  if (first != second) refuse_labels(verb, first, second);  // as each has a column of scores
}

SetScores added(const SetScores& one, const SetScores& other) {
  require_alike(one, other, "add");
  SetScores out{one.labels, added(one.rows, other.rows), {}, merged(one.order, other.order, 1.0)};
  for (std::size_t i = 0; i < one.sweeps.size(); ++i) {
    out.sweeps.push_back(added(one.sweeps[i], other.sweeps[i]));
  }
  return out;
}

SetScores taken_away(const SetScores& one, const SetScores& other) {
  require_alike(one, other, "subtract");
  SetScores out{one.labels, taken_away(one.rows, other.rows), {}, {}};
  for (std::size_t i = 0; i < one.sweeps.size(); ++i) {
    out.sweeps.push_back(taken_away(one.sweeps[i], other.sweeps[i]));
  }
  out.order = merged(one.order, other.order, -1.0);
  return out;
}

bool are_same(const SetScores& one, const SetScores& other) {
  return one.labels->labels == other.labels->labels && one.rows.dropped == other.rows.dropped &&
         one.rows.nan == other.rows.nan &&
         std::ranges::equal(one.order.leads.view(), other.order.leads.view()) &&
         std::ranges::equal(one.sweeps, other.sweeps,
                            [](const Sweep& a, const Sweep& b) { return are_same(a, b); });
}

std::vector<std::uint8_t> encode(const SetScores& scores) {
  std::vector<std::vector<std::uint8_t>> sweeps;
  sweeps.reserve(scores.sweeps.size());
  for (const Sweep& sweep : scores.sweeps) sweeps.push_back(encode(sweep));
  return encode(scores, sweeps);
}

std::vector<std::uint8_t> encode(const SetScores& scores,
                                 const std::vector<std::vector<std::uint8_t>>& sweeps) {
  const std::uint8_t weights = has_weights(scores) ? 1 : 0;
  StateWriter writer(StateKind::kSetScores, {&weights, 1}, *scores.labels, scores.rows);
  ByteWriter& out = writer.payload();
  put_leads(out, scores.order);
  put_tails(out, scores.order);
  put_states(out, sweeps);
  return writer.seal();
}

void decode(Bytes bytes, const SweepReader& read, SetScores& out) {
  const Envelope state = open_state(bytes, kKindsOfSetScores);
  if (state.compatible.size() != 1 || state.compatible[0] > 1) {
    throw StateError("unknown content of scores for sets of labels");
  }
  out.labels = std::make_shared<const LabelSet>(state.labels);
  out.rows = state.rows;
  ByteReader reader(state.payload);
  out.order = take_sums(reader, kOrderSums, "a sum over rows");
  const StopSign sign;
  for (std::size_t i = 0; i < out.labels->size(); ++i) {
    sign.obey();
    out.sweeps.push_back(read(take_state(reader)));
  }
  if (reader.left() != 0) throw StateError("bytes are left after the last sweep");
  if (has_weights(out) != (state.compatible[0] == 1)) refuse_scores("weights of its sweeps");
  check_sweeps(out, state.compatible[0] == 1);
}

SetScores decode_set_scores(Bytes bytes) {
  SetScores out;
  decode(bytes, decode_sweep, out);
  return out;
}

}  // namespace confmat
