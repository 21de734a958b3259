// Streams that fail, end early, lack functions or give what was used before; whatever they do, each
// type, array and stream that they hand over is released once, and what is read can be lent.
#include <cerrno>

#include "arrow_structs.hpp"
#include "confmat/arrow/check.hpp"
#include "confmat/arrow/data.hpp"
#include "confmat/arrow/share.hpp"
#include "confmat/base/error.hpp"

namespace confmat::fuzz {
namespace {

struct Producer {
  Draw& draw;
  DrawnArray& drawn;
  int streams = 0;  // handed over and not released
  int types = 0;
  int arrays = 0;
  std::size_t left = 0;
};

void release_schema(ArrowSchema* schema) {
  --static_cast<Producer*>(schema->private_data)->types;
  schema->release = nullptr;
}

void release_array(ArrowArray* array) {
  --static_cast<Producer*>(array->private_data)->arrays;
  array->release = nullptr;
}

void give_schema(Producer& producer, ArrowSchema& out) {
  out = producer.drawn.schema();
  out.private_data = &producer;
  out.release = release_schema;
  if (producer.draw.chance(16)) {
    out.release = nullptr;  // used before
  } else {
    ++producer.types;
  }
}

void give_array(Producer& producer, ArrowArray& out) {
  out = producer.drawn.array();
  out.private_data = &producer;
  out.release = release_array;
  ++producer.arrays;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  auto& producer = *static_cast<Producer*>(stream->private_data);
  if (producer.draw.chance(16)) return EIO;
  give_schema(producer, *out);
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& producer = *static_cast<Producer*>(stream->private_data);
  if (producer.draw.chance(16)) {
    // What lies there after a failure means nothing.
    out->release = reinterpret_cast<void (*)(ArrowArray*)>(std::uintptr_t{8});
    return -1;
  }
  *out = {};
  if (producer.left == 0) return 0;
  --producer.left;
  give_array(producer, *out);
  return 0;
}

const char* get_last_error(ArrowArrayStream* stream) {
  auto& producer = *static_cast<Producer*>(stream->private_data);
  return producer.draw.chance(2) ? nullptr : "bytes \xFF\xFE of no text";
}

void release_stream(ArrowArrayStream* stream) {
  --static_cast<Producer*>(stream->private_data)->streams;
  stream->release = nullptr;
}

// Reads the lent stream; the consumer may move children out.
void borrow(const std::shared_ptr<const ArrowData>& data, Draw& draw) {
  ArrowArrayStream stream{};
  share(data, stream);
  ArrowSchema schema{};
  require(stream.get_schema(&stream, &schema) == 0, "lending does not fail");
  ArrowSchema moved{};
  if (schema.n_children > 0 && draw.chance(2)) {
    moved = *schema.children[0];
    schema.children[0]->release = nullptr;
  }
  for (;;) {
    ArrowArray array{};
    require(stream.get_next(&stream, &array) == 0, "lending does not fail");
    if (array.release == nullptr) break;
    check_values(data->schema(), array, "lent");
    array.release(&array);
  }
  stream.release(&stream);
  schema.release(&schema);
  if (moved.release != nullptr) {
    require(moved.format != nullptr, "a child that was moved out lives on");
    moved.release(&moved);
  }
}

void run(std::span<const std::uint8_t> bytes) {
  Draw draw(bytes);
  DrawnArray drawn(draw, 2);
  Producer producer{.draw = draw, .drawn = drawn};
  producer.left = draw.below(4);
  try {
    const auto data = std::make_shared<ArrowData>();
    if (draw.chance(4)) {
      ArrowSchema schema{};
      ArrowArray array{};
      give_schema(producer, schema);
      give_array(producer, array);
      data->take(schema, array, "values");
    } else {
      ArrowArrayStream stream{.get_schema = draw.chance(32) ? nullptr : get_schema,
                              .get_next = draw.chance(32) ? nullptr : get_next,
                              .get_last_error = draw.chance(8) ? nullptr : get_last_error,
                              .release = draw.chance(32) ? nullptr : release_stream,
                              .private_data = &producer};
      if (stream.release != nullptr) ++producer.streams;
      data->read(stream, "values");
      require(stream.release == nullptr, "the stream is taken over");
    }
    check_values(*data, "values");
    borrow(data, draw);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): what a wrong stream deserves
  }
  require(producer.streams == 0, "the stream is released once");
  require(producer.types == 0, "the type is released once");
  require(producer.arrays == 0, "each array is released once");
}

const Target kTarget("arrow_stream", run);

}  // namespace
}  // namespace confmat::fuzz
