// Calls of the expression functions with columns that are not what they should be: kinds, lengths,
// chunks, null pointers, and lists of codes whose offsets, elements or bytes are wrong.
#include <array>
#include <deque>
#include <memory>

#include "arrow_structs.hpp"
#include "plugin/polars_abi.hpp"
#include "plugin_requests.hpp"

#define CONFMAT_FUNCTIONS(apply)                                                            \
  apply(encode) apply(label_state) apply(label_metrics) apply(partial) apply(merge)         \
      apply(merge_states) apply(state_metrics) apply(state_from_counts) apply(encode_score) \
          apply(score_state) apply(score_metrics) apply(roc_curve) apply(pr_curve)          \
              apply(score_state_metrics) apply(state_roc_curve) apply(state_pr_curve)       \
                  apply(merge_states_by) apply(subtract_states)

#define CONFMAT_DECLARE(name)                                                                      \
  extern "C" void _polars_plugin_confmat_##name(SeriesExport*, std::size_t, const std::uint8_t*,   \
                                                std::size_t, SeriesExport*, const CallerContext*); \
  extern "C" void _polars_plugin_field_confmat_##name(                                             \
      const ArrowSchema*, std::size_t, ArrowSchema*, const std::uint8_t*, std::size_t);
CONFMAT_FUNCTIONS(CONFMAT_DECLARE)

namespace confmat::fuzz {
namespace {

struct Function {
  decltype(&_polars_plugin_confmat_encode) call;
  decltype(&_polars_plugin_field_confmat_encode) field;
};
#define CONFMAT_ENTRY(name) \
  Function{_polars_plugin_confmat_##name, _polars_plugin_field_confmat_##name},
constexpr std::array kFunctions{CONFMAT_FUNCTIONS(CONFMAT_ENTRY)};
constexpr std::size_t kEncode = 0, kLabelState = 1, kMergeStates = 6, kStateMetrics = 7;
constexpr std::size_t kStateFromCounts = 8, kEncodeScore = 9, kScoreState = 10,
                      kScoreStateMetrics = 14;
constexpr std::size_t kFirstOfScores = kEncodeScore;

int released = 0;
void release_series(SeriesExport* /*series*/) { ++released; }
void keep(ArrowArray* /*array*/) {}

// What a function gave, or one chunk that was drawn.
struct Column {
  std::unique_ptr<DrawnArray> drawn;
  SeriesExport made{};
  std::vector<ArrowArray*> chunks;
  ArrowSchema* field = nullptr;

  Column() = default;
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() {
    if (made.release == nullptr) return;
    for (std::size_t i = 0; i < made.len; ++i) {
      if (made.arrays[i]->release != nullptr) made.arrays[i]->release(made.arrays[i]);
    }
    made.release(&made);
  }
  [[nodiscard]] SeriesExport as_export() {
    return {field, chunks.data(), chunks.size(), release_series, nullptr};
  }
};

// Lists around the elements that a function gave.
struct Lists {
  ArrowArray elements{}, array{};
  ArrowSchema element_type{}, type{};
  std::vector<std::int64_t> offsets;
  std::array<const void*, 2> buffers{};
  ArrowArray* child = &elements;
  ArrowSchema* child_type = &element_type;
  ArrowArray* chunk = &array;

  Lists(Draw& draw, const ArrowArray& of, const ArrowSchema& its)
      : elements(of), element_type(its) {
    elements.release = keep;
    element_type.release = nullptr;
    const auto rows = draw.below(4);
    std::int64_t at = 0;
    for (std::size_t i = 0; i <= rows; ++i) {
      offsets.push_back(at);
      at += static_cast<std::int64_t>(draw.below(static_cast<std::size_t>(of.length) / 2 + 2));
      if (!draw.chance(16)) at = std::min(at, of.length);
    }
    if (draw.chance(16))
      offsets[draw.below(offsets.size())] = static_cast<std::int64_t>(draw.bits());
    buffers = {nullptr, offsets.data()};
    if (draw.chance(16)) buffers[1] = nullptr;
    array.length = static_cast<std::int64_t>(rows);
    array.n_buffers = 2;
    array.n_children = 1;
    array.buffers = buffers.data();
    array.children = &child;
    array.release = keep;
    type.format = "+L";
    type.name = "x";
    type.n_children = 1;
    type.children = &child_type;
    switch (draw.below(24)) {
      case 0:
        elements.length = -1;
        break;
      case 1:
        elements.buffers = nullptr;
        break;
      case 2:
        array.n_children = 0;
        break;
      case 3:
        array.length = -3;
        break;
      case 4:
        type.n_children = 2;
        break;
      case 5:
        element_type.format = "x";
        break;
      case 6:
        array.children = nullptr;
        break;
      case 7:
        elements.null_count = 1;
        break;
      default:
        break;
    }
  }
};

void call(const Function& function, std::vector<SeriesExport> inputs, const Bytes& kwargs,
          Column& out) {
  std::vector<ArrowSchema> fields;
  for (const SeriesExport& input : inputs) fields.push_back(*input.field);
  ArrowSchema planned{};
  function.field(fields.data(), fields.size(), &planned, kwargs.data(), kwargs.size());
  if (planned.release != nullptr) planned.release(&planned);
  const int before = released;
  const CallerContext context{};
  function.call(inputs.data(), inputs.size(), kwargs.data(), kwargs.size(), &out.made, &context);
  require(released - before == static_cast<int>(inputs.size()), "each input is released once");
  out.field = out.made.field;
}

void run(std::span<const std::uint8_t> bytes) {
  static const std::vector<Bytes> of_labels = requests();
  static const std::vector<Bytes> of_scores = score_requests();
  Draw draw(bytes);
  const auto kwargs = [&](bool score) {
    const std::vector<Bytes>& all = score ? of_scores : of_labels;
    return pickled(all[draw.below(all.size())]);
  };
  const std::size_t which = draw.below(kFunctions.size());
  const bool score = which >= kFirstOfScores;
  const Bytes request = kwargs(score);
  std::deque<Column> columns;
  const auto draw_columns = [&](std::size_t n) {
    std::vector<SeriesExport> inputs;
    for (std::size_t i = 0; i < n; ++i) {
      Column& one = columns.emplace_back();
      one.drawn = std::make_unique<DrawnArray>(draw, draw.chance(8) ? 1 : 0);
      if (!draw.chance(32)) one.chunks.push_back(&one.drawn->array());
      one.field = &one.drawn->schema();
      inputs.push_back(one.as_export());
    }
    return inputs;
  };
  Column out;
  if (draw.chance(3)) return call(kFunctions[which], draw_columns(draw.below(6)), request, out);
  Column codes;
  const std::size_t encoder = score ? kEncodeScore : kEncode;
  call(kFunctions[encoder], draw_columns(2 + draw.below(4)), request, codes);
  if (codes.made.release == nullptr || codes.made.len == 0) return;
  Lists lists(draw, *codes.made.arrays[0], *codes.field);
  ArrowArray* chunk = &lists.array;
  const bool makes_states =
      which == kLabelState || which == kStateFromCounts || which == kScoreState;
  std::vector<SeriesExport> inputs = draw_columns(makes_states ? draw.below(4) : 0);
  inputs.insert(inputs.begin(), {&lists.type, &chunk, 1, release_series, nullptr});
  call(kFunctions[which], inputs, draw.chance(8) ? kwargs(score) : request, out);
  if (!makes_states || out.made.release == nullptr || out.made.len == 0) return;
  Lists states(draw, *out.made.arrays[0], *out.field);
  chunk = &states.array;
  Column merged, values;
  call(kFunctions[kMergeStates], {{&states.type, &chunk, 1, release_series, nullptr}},
       kwargs(false), merged);
  if (merged.made.release == nullptr || merged.made.len == 0) return;
  call(kFunctions[score ? kScoreStateMetrics : kStateMetrics],
       {{merged.field, merged.made.arrays, merged.made.len, release_series, nullptr}},
       kwargs(score), values);
}

const Target kTarget("plugin_inputs", run);

}  // namespace
}  // namespace confmat::fuzz
