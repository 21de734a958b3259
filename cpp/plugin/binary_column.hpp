// Columns of saved states.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "confmat/arrow/binary_views.hpp"
#include "confmat/base/error.hpp"
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

// Throws InputError: `type`, which has this format, is not that of states.
void check_states(std::string_view format, std::string_view type);

// How many rows the only input has. Throws InputError: it is no column of states.
std::int64_t rows_of_states(const Inputs& inputs);

// The first row of a column whose bytes are no state, of rows that come in any order.
class NoState {
 public:
  // Calls read() unless a row before this one is known to be none.
  template <class Read>
  void unless(std::int64_t row, const Read& read) {
    if (row > row_.load(std::memory_order_relaxed)) return;
    try {
      read();
    } catch (const StateError& error) {
      keep(row, error.what());
    }
  }
  // Throws InputError: there is one.
  void refuse() const;

 private:
  static constexpr std::int64_t kNone = INT64_MAX;
  void keep(std::int64_t row, const char* why);
  std::atomic<std::int64_t> row_{kNone};
  std::mutex mutex_;
  std::string why_;
};

// Calls read(row, bytes) for each state that is not null. Needs: a column of states.
template <class Read>
void for_each_state(const Inputs& inputs, const Read& read) {
  if (format_of(inputs) == kNulls) return;
  NoState none;
  std::int64_t row = 0;
  for (const ArrowArray* array : inputs.chunks(0)) {
    ArrowColumns column;
    column.add_binary(*array);
    for (std::int64_t i = 0; i < array->length; ++i, ++row) {
      if (!column.front().valid(i)) continue;
      none.unless(row, [&] { read(row, bytes_of(column.front().text(i))); });
    }
  }
  none.refuse();
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
  NoState none;
  std::int64_t first = 0;
  for (const ArrowArray* array : inputs.chunks(0)) {
    ArrowColumns column;
    column.add_binary(*array);
    for_each_task(array->length, threads, [&, first] {
      return
          [&none, &states = column.front(), first, read = make_reader()](std::int64_t i) mutable {
            if (!states.valid(i)) return;
            none.unless(first + i, [&] { read(first + i, bytes_of(states.text(i))); });
          };
    });
    first += array->length;
  }
  none.refuse();
}

}  // namespace confmat::plugin
