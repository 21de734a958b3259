// What objects that go on batch by batch share: turns, columns of keys, and the keys of slices.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <deque>
#include <utility>
#include <vector>

#include "bind/from_python.hpp"
#include "bind/key_values.hpp"
#include "confmat/base/error.hpp"
#include "confmat/tally/slice_numbers.hpp"

namespace confmat::bind {

// One call at a time: the GIL is not held while rows are counted.
class Turn {
 public:
  explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
    if (busy_.exchange(true)) throw InputError("another thread is counting with this object");
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { busy_ = false; }

 private:
  std::atomic<bool>& busy_;
};

inline std::vector<Chunks> chunks_of(const pybind11::sequence& columns,
                                     std::deque<Source>& sources) {
  if (columns.empty()) throw InputError("`by` is empty; wanted at least one column");
  std::vector<Chunks> out;
  for (const auto& column : columns) {
    out.push_back(sources.emplace_back(pybind11::reinterpret_borrow<pybind11::object>(column), "by")
                      .chunks());
  }
  return out;
}

inline pybind11::list lists_of_keys(std::vector<GroupKeyColumn>&& keys) {
  pybind11::list values;
  for (GroupKeyColumn& key : keys) values.append(key_values(std::move(key)));
  return values;
}

// Keys of the first n slices, by their numbers.
inline pybind11::list keys_of(const SliceNumbers& numbers, std::size_t n) {
  std::vector<GroupKeyColumn> keys;
  for (std::size_t i = 0; i < numbers.keys().size(); ++i) {
    keys.push_back(confmat::values_of(numbers.keys()[i], numbers.values(i).first(n)));
  }
  return lists_of_keys(std::move(keys));
}

}  // namespace confmat::bind
