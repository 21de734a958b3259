// Columns of states: handed over, and what is refused.
#include "plugin/binary_column.hpp"

#include <string>
#include <utility>

#include "confmat/arrow/format.hpp"
#include "confmat/base/error.hpp"

namespace confmat::plugin {

Array binaries(BinaryViews states) {
  Array out{.length = static_cast<std::int64_t>(states.size()), .null_count = 0, .buffers = {}};
  BinaryViews::Buffers buffers = states.take();
  out.null_count = buffers.nulls;
  out.buffers.emplace_back(std::move(buffers.validity));
  out.buffers.emplace_back(std::move(buffers.views));
  for (PageBlock& blob : buffers.blobs) out.buffers.emplace_back(std::move(blob));
  out.buffers.emplace_back(std::move(buffers.sizes).block());
  return out;
}

void check_states(std::string_view format, std::string_view type) {
  if (format == "vz" || format == kNulls) return;
  throw InputError("states are a Binary column, and this one has dtype " + std::string(type));
}

std::int64_t rows_of_states(const Inputs& inputs) {
  if (inputs.size() != 1) throw InputError("the expression takes one Binary column of states");
  check_states(format_of(inputs), dtype_word(inputs.schema(0)));
  return inputs.length(0);
}

void NoState::keep(std::int64_t row, const char* why) {
  const std::lock_guard lock(mutex_);
  if (row > row_.load(std::memory_order_relaxed)) return;
  row_.store(row, std::memory_order_relaxed);
  why_ = why;
}

void NoState::refuse() const {
  if (row_ != kNone) throw InputError("a state", row_, ": " + why_);
}

OtherStates::OtherStates(const Spec& spec, std::int64_t rows, const char* wanted)
    : wanted_(wanted), apart_(spec.apart), states_(static_cast<std::size_t>(apart_ ? rows : 0)) {}

void OtherStates::take(std::int64_t row, StateKind kind, Bytes bytes) {
  if (apart_) return states_.put(static_cast<std::size_t>(row), bytes);
  const KindRow& found = row_of_kind(kind);
  const std::string of = found.of;
  throw InputError("a state of " + of + ", and the metrics are of " + wanted_ + ": " +
                   (found.metric == nullptr
                        ? "it has none by name"
                        : "name metrics of " + of + ", such as \"" + found.metric + "\""));
}

void OtherStates::put(Array& out) {
  if (apart_) out.children.push_back(binaries(std::move(states_)));
}

void OtherStates::add_field(Type& type, const Spec& spec) {
  if (spec.apart) type.children.push_back({"vz", "others"});
}

}  // namespace confmat::plugin
