// The fake host's side of a call: what it hands over, and how it takes the result.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "support/fake_host.hpp"
#include "support/host_import.hpp"

#define CONFMAT_FUNCTION(name)                                                                     \
  extern "C" void _polars_plugin_confmat_##name(SeriesExport*, std::size_t, const std::uint8_t*,   \
                                                std::size_t, SeriesExport*, const CallerContext*); \
  extern "C" void _polars_plugin_field_confmat_##name(                                             \
      const ArrowSchema*, std::size_t, ArrowSchema*, const std::uint8_t*, std::size_t);

CONFMAT_FUNCTION(encode)
CONFMAT_FUNCTION(label_metrics)
CONFMAT_FUNCTION(label_state)
CONFMAT_FUNCTION(merge_states)
CONFMAT_FUNCTION(state_metrics)
CONFMAT_FUNCTION(partial)
CONFMAT_FUNCTION(merge)
extern "C" const char* _polars_plugin_get_last_error_message();

namespace confmat::host {

const Function kEncode{"encode", _polars_plugin_confmat_encode,
                       _polars_plugin_field_confmat_encode};
const Function kLabelMetrics{"label_metrics", _polars_plugin_confmat_label_metrics,
                             _polars_plugin_field_confmat_label_metrics};
const Function kLabelState{"label_state", _polars_plugin_confmat_label_state,
                           _polars_plugin_field_confmat_label_state};
const Function kMergeStates{"merge_states", _polars_plugin_confmat_merge_states,
                            _polars_plugin_field_confmat_merge_states};
const Function kStateMetrics{"state_metrics", _polars_plugin_confmat_state_metrics,
                             _polars_plugin_field_confmat_state_metrics};
const Function kPartial{"partial", _polars_plugin_confmat_partial,
                        _polars_plugin_field_confmat_partial};
const Function kMerge{"merge", _polars_plugin_confmat_merge, _polars_plugin_field_confmat_merge};

namespace {

std::atomic<std::int64_t> live_count{0};

// One ArrowArray with the memory behind it.
struct Node {
  std::vector<std::unique_ptr<std::uint8_t[]>> memory;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
  std::vector<std::unique_ptr<Node>> nodes;
};

std::atomic<int> children_released{0};
void release_child(ArrowArray* array) {
  ++children_released;
  array->release = nullptr;
}

std::unique_ptr<Node> fill(const Array& from, ArrowArray& out) {
  auto node = std::make_unique<Node>();
  for (const auto& buffer : from.buffers) {
    const void* place = nullptr;
    if (buffer && from.length == 0) {
      place = reinterpret_cast<const void*>(std::uintptr_t{8});  // never to be looked at
    } else if (buffer) {
      node->memory.push_back(std::make_unique<std::uint8_t[]>(buffer->size()));
      std::copy(buffer->begin(), buffer->end(), node->memory.back().get());
      place = node->memory.back().get();
    }
    node->buffers.push_back(place);
  }
  node->children.resize(from.children.size());
  for (std::size_t i = 0; i < from.children.size(); ++i) {
    node->nodes.push_back(fill(from.children[i], node->children[i]));
    node->child_pointers.push_back(&node->children[i]);
  }
  if (!from.dictionary.empty()) {
    node->nodes.push_back(fill(from.dictionary[0], node->dictionary));
  }
  out = {.length = from.length,
         .null_count = from.null_count,
         .offset = from.offset,
         .n_buffers = static_cast<std::int64_t>(node->buffers.size()),
         .n_children = static_cast<std::int64_t>(node->children.size()),
         .buffers = node->buffers.data(),
         .children = node->child_pointers.data(),
         .dictionary = from.dictionary.empty() ? nullptr : &node->dictionary,
         .release = release_child,
         .private_data = nullptr};
  return node;
}

// An export, kept until its releases were counted.
struct Handed {
  struct Chunk {
    std::unique_ptr<Node> node;
    int releases = 0;
    bool too_late = false;
    const Handed* series = nullptr;
  };
  std::unique_ptr<HostSchema> schema;
  std::vector<Chunk> chunks;
  std::vector<std::unique_ptr<ArrowArray>> shells;
  std::vector<ArrowArray*> pointers;
  int releases = 0;
};

void release_chunk(ArrowArray* array) {
  auto* chunk = static_cast<Handed::Chunk*>(array->private_data);
  if (++chunk->releases == 1) --live_count;
  chunk->too_late = chunk->series->releases > 0;
  chunk->node.reset();
  array->release = nullptr;
}

void release_series(SeriesExport* series) {
  auto* handed = static_cast<Handed*>(series->private_data);
  if (++handed->releases == 1) --live_count;
  handed->schema.reset();
  handed->shells.clear();
  handed->pointers = {};
  series->release = nullptr;
}

std::unique_ptr<Handed> hand(const Series& series, SeriesExport& out) {
  auto handed = std::make_unique<Handed>();
  handed->schema = std::make_unique<HostSchema>(series.type);
  handed->chunks.resize(series.chunks.size());
  for (std::size_t i = 0; i < series.chunks.size(); ++i) {
    auto& chunk = handed->chunks[i];
    chunk.series = handed.get();
    handed->shells.push_back(std::make_unique<ArrowArray>());
    handed->pointers.push_back(handed->shells.back().get());
    chunk.node = fill(series.chunks[i], *handed->shells.back());
    handed->shells.back()->release = release_chunk;
    handed->shells.back()->private_data = &chunk;
  }
  live_count += static_cast<std::int64_t>(series.chunks.size()) + 1;
  out = {.field = handed->schema->get(),
         .arrays = handed->pointers.data(),
         .len = handed->pointers.size(),
         .release = release_series,
         .private_data = handed.get()};
  return handed;
}

void check_released(const std::vector<std::unique_ptr<Handed>>& all) {
  bool once = true;
  bool in_order = true;
  for (const auto& handed : all) {
    once = once && handed->releases == 1;
    for (const auto& chunk : handed->chunks) {
      once = once && chunk.releases == 1;
      in_order = in_order && !chunk.too_late;
    }
  }
  CHECK_MESSAGE(once, "every input is released exactly once");
  CHECK_MESSAGE(in_order, "arrays are released before their export");
  CHECK_MESSAGE(children_released == 0, "children are their parent's to release");
}

std::string last_error() {
  const char* text = _polars_plugin_get_last_error_message();
  REQUIRE(text != nullptr);
  CHECK(*text != '\0');
  CHECK(std::string_view(text) != "PANIC");
  return text;
}

struct Plan {
  std::string error;
  Type type;
};

Plan plan(const Function& function, const std::vector<Series>& inputs, const std::uint8_t* kwargs,
          std::size_t n) {
  std::vector<std::unique_ptr<HostSchema>> owners;
  std::vector<ArrowSchema> fields;
  for (const auto& input : inputs) {
    owners.push_back(std::make_unique<HostSchema>(input.type));
    fields.push_back(*owners.back()->get());
  }
  const auto before = fields;
  ArrowSchema out{};
  function.field(fields.data(), fields.size(), &out, kwargs, n);
  const bool kept = before.empty() || std::memcmp(before.data(), fields.data(),
                                                  fields.size() * sizeof(ArrowSchema)) == 0;
  CHECK_MESSAGE(kept, "the fields stay the host's");
  if (out.private_data == nullptr) return {last_error(), {}};
  const auto moved = std::make_unique<ArrowSchema>(out);
  std::memset(&out, 0xFF, sizeof(out));
  Plan result{"", read_type(*moved)};
  moved->release(moved.get());
  return result;
}

Outcome call(const Function& function, const std::vector<Series>& inputs,
             const std::uint8_t* kwargs, std::size_t n) {
  SeriesExport out{};
  const CallerContext context{};
  std::vector<std::unique_ptr<Handed>> handed;
  {
    std::vector<SeriesExport> exports(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) handed.push_back(hand(inputs[i], exports[i]));
    function.call(exports.data(), exports.size(), kwargs, n, &out, &context);
  }
  check_released(handed);
  if (out.private_data == nullptr) {
    CHECK_FALSE(bool(out.release));
    return {last_error(), {}};
  }
  Outcome result{"", {read_type(*out.field), {}}};
  CHECK(out.len == 1);
  std::vector<ArrowArray> arrays;
  for (std::size_t i = 0; i < out.len; ++i) arrays.push_back(*out.arrays[i]);
  const auto moved = std::make_unique<SeriesExport>(out);
  std::memset(&out, 0xFF, sizeof(out));
  moved->release(moved.get());
  for (auto& array : arrays) result.value.chunks.push_back(read_array(result.value.type, array));
  const auto release = [&arrays] {
    for (auto& array : arrays) array.release(&array);
  };
  static std::atomic<int> calls{0};
  if (++calls % 64 == 0) {
    std::thread(release).join();  // the host's threads pass arrays on
  } else {
    release();
  }
  for (const auto& array : arrays) CHECK_FALSE(bool(array.release));
  return result;
}

}  // namespace

std::int64_t live() { return live_count; }

Outcome run(const Function& function, const std::vector<Series>& inputs, const Bytes& kwargs) {
  INFO("function ", std::string(function.name));
  const Bytes exact(kwargs);  // no spare capacity behind the bytes
  const std::uint8_t* bytes =
      exact.empty() ? reinterpret_cast<const std::uint8_t*>(std::uintptr_t{1}) : exact.data();
  const Plan planned = plan(function, inputs, bytes, exact.size());
  Outcome out = call(function, inputs, bytes, exact.size());
  if (!planned.error.empty()) CHECK_MESSAGE(!out.ok(), planned.error);
  if (planned.error.empty() && out.ok()) CHECK(shown(planned.type) == shown(out.value.type));
  if (out.ok() && !inputs.empty()) CHECK(out.value.type.name == inputs[0].type.name);
  return out;
}

}  // namespace confmat::host
