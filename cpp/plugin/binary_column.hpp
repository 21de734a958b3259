// Columns of saved states.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "confmat/arrow/binary_views.hpp"
#include "confmat/base/threads.hpp"
#include "confmat/evaluate/spec.hpp"
#include "confmat/state/codec.hpp"
#include "plugin/inputs.hpp"
#include "plugin/output.hpp"

namespace confmat::plugin {

// As a Binary column.
Array binaries(BinaryViews states);

// States whose metrics are those of another kind of state. Throws InputError, unless the request
// wants them apart: then they are the last field of the Struct.
class OtherStates {
 public:
  // `wanted`: what the metrics asked for are of.
  OtherStates(const Spec& spec, std::int64_t rows, const char* wanted);
  void take(std::int64_t row, StateKind kind, Bytes bytes);
  void put(Array& out);
  static void add_field(Type& type, const Spec& spec);

 private:
  const char* wanted_;
  bool apart_;
  BinaryViews states_;
};

inline Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline constexpr std::string_view kNulls = "n";  // a column of nothing else
inline std::string_view format_of(const Inputs& inputs) { return inputs.schema(0).format; }

// How many rows the only input has. Throws InputError: it is no column of states.
inline std::int64_t rows_of_states(const Inputs& inputs) {
  if (inputs.size() != 1 || (format_of(inputs) != "vz" && format_of(inputs) != kNulls)) {
    throw InputError("the expression takes one Binary column of states");
  }
  return inputs.length(0);
}

// Calls read(row, bytes) for each state that is not null. Needs: a column of states.
template <class Read>
void for_each_state(const Inputs& inputs, const Read& read) {
  if (format_of(inputs) == kNulls) return;
  std::int64_t row = 0;
  for (const ArrowArray* array : inputs.chunks(0)) {
    ArrowColumns column;
    column.add_binary(*array);
    for (std::int64_t i = 0; i < array->length; ++i, ++row) {
      if (column.front().valid(i)) read(row, bytes_of(column.front().text(i)));
    }
  }
}

// How many threads so many states are worth.
inline int threads_for_states(std::int64_t states) {
  constexpr std::int64_t kWorthThreads = 1024;
  return states < kWorthThreads ? 1 : core_count(0);
}

// The same on several threads, in no order: each reads with what make_reader() gives it.
template <class MakeReader>
void for_each_state_in_parallel(const Inputs& inputs, const MakeReader& make_reader) {
  if (format_of(inputs) == kNulls) return;
  const int threads = threads_for_states(inputs.length(0));
  std::int64_t first = 0;
  for (const ArrowArray* array : inputs.chunks(0)) {
    ArrowColumns column;
    column.add_binary(*array);
    for_each_task(array->length, threads, [&, first] {
      return [&states = column.front(), first, read = make_reader()](std::int64_t i) mutable {
        if (states.valid(i)) read(first + i, bytes_of(states.text(i)));
      };
    });
    first += array->length;
  }
}

}  // namespace confmat::plugin
