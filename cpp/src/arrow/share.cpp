// Streams of structs that keep alive what they lend.
#include "confmat/arrow/share.hpp"

#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

namespace confmat {
namespace {

using Owner = std::shared_ptr<const ArrowData>;

template <class Struct>
struct Release {
  void operator()(Struct* shared) const {
    if (shared->release != nullptr) shared->release(shared);
    delete shared;
  }
};

// Behind the copy of a struct. The consumer may move children out, so that each copy keeps the data
// alive on its own.
template <class Struct>
struct Held {
  using Child = std::unique_ptr<Struct, Release<Struct>>;
  Owner data;
  std::vector<Child> children;
  std::vector<Struct*> pointers;
  Child dictionary;
};

template <class Struct>
void release(Struct* shared) {
  delete static_cast<Held<Struct>*>(shared->private_data);
  shared->release = nullptr;
}

template <class Struct>
void copy(const Owner& data, const Struct& from, Struct& out) {
  auto held = std::make_unique<Held<Struct>>();
  held->data = data;
  const auto copied = [&data](const Struct& child) {
    typename Held<Struct>::Child shared(new Struct{});
    copy(data, child, *shared);
    return shared;
  };
  for (std::int64_t i = 0; i < from.n_children; ++i) {
    held->children.push_back(copied(*from.children[i]));
    held->pointers.push_back(held->children.back().get());
  }
  if (from.dictionary != nullptr) held->dictionary = copied(*from.dictionary);
  out = from;
  out.children = held->pointers.data();
  out.dictionary = held->dictionary.get();
  out.release = release<Struct>;
  out.private_data = held.release();
}

struct Position {
  Owner data;
  std::size_t next = 0;
};

Position& position(ArrowArrayStream* stream) noexcept {
  return *static_cast<Position*>(stream->private_data);
}

// Nothing may be thrown across the interface.
template <class Body>
int guarded(Body&& body) noexcept {
  try {
    body();
    return 0;
  } catch (const std::exception&) {
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded([&] { copy(position(stream).data, position(stream).data->schema(), *out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded([&] {
    Position& at = position(stream);
    *out = {};
    if (at.next < at.data->arrays().size()) copy(at.data, at.data->arrays()[at.next++], *out);
  });
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "out of memory"; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Position*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void share(std::shared_ptr<const ArrowData> data, ArrowArrayStream& out) {
  out = {.get_schema = get_schema,
         .get_next = get_next,
         .get_last_error = get_last_error,
         .release = release_stream,
         .private_data = new Position{std::move(data)}};
}

}  // namespace confmat
