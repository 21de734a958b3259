// What the Python classes of all kinds of states share: two are added, taken away and compared, one
// is saved and read, many are merged.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "bind/long_call.hpp"
#include "bind/shared_arrays.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/state/codec.hpp"

namespace confmat::bind {

// Of saved states and of those in memory, which the list keeps alive.
template <class Sum, class State, class Decode, class Size>
std::shared_ptr<State> merge_states(const pybind11::list& states, Decode decode, Size size_of) {
  using Saved = std::variant<Bytes, std::shared_ptr<State>>;
  const pybind11::tuple kept(states);  // whatever becomes of the list
  std::vector<Saved> parts;
  parts.reserve(kept.size());
  std::int64_t work = 0;
  for (const auto& state : kept) {
    if (pybind11::isinstance<pybind11::bytes>(state)) {
      const Bytes bytes = bytes_of(state);
      work += static_cast<std::int64_t>(bytes.size());
      parts.emplace_back(bytes);
    } else {
      auto part = pybind11::cast<std::shared_ptr<State>>(state);
      work += size_of(*part);
      parts.emplace_back(std::move(part));
    }
  }
  auto out = std::make_shared<State>();
  without_gil(work, [&] {
    Sum sum;
    const StopSign sign;
    for (const Saved& part : parts) {
      sign.obey();
      if (const auto* const state = std::get_if<std::shared_ptr<State>>(&part)) {
        sum.add(**state);
      } else if constexpr (requires(Bytes bytes) { sum.add(bytes); }) {
        sum.add(std::get<Bytes>(part));
      } else {
        sum.add(decode(std::get<Bytes>(part)));
      }
    }
    *out = sum.take();
  });
  return out;
}

// Names the function that merges many `merge`. `size_of` gives about how many numbers one holds.
template <class Sum, class State, class Decode, class Size>
void def_state(pybind11::module_& module, pybind11::class_<State, std::shared_ptr<State>>& cls,
               const char* merge, Decode decode, Size size_of) {
  using Ptr = std::shared_ptr<State>;
  const auto joined = [size_of](const State& one, const State& other, auto operation) {
    return std::make_shared<State>(
        without_gil(size_of(one) + size_of(other), [&] { return operation(one, other); }));
  };
  cls.def("added",
          [joined](const State& one, const State& other) {
            return joined(one, other, [](const auto& a, const auto& b) { return added(a, b); });
          })
      .def("taken_away",
           [joined](const State& one, const State& other) {
             return joined(one, other,
                           [](const auto& a, const auto& b) { return taken_away(a, b); });
           })
      .def("same",
           [size_of](const State& one, const State& other) {
             return without_gil(size_of(one), [&] { return are_same(one, other); });
           })
      .def("to_bytes",
           [size_of](const State& of) {
             return to_python(without_gil(size_of(of), [&] { return encode(of); }));
           })
      .def_static(
          "from_bytes",
          [decode](const pybind11::bytes& data) {
            const Bytes bytes = bytes_of(data);
            return std::make_shared<State>(without_gil(static_cast<std::int64_t>(bytes.size()),
                                                       [&] { return decode(bytes); }));
          },
          pybind11::arg("data"));
  module.def(
      merge,
      [decode, size_of](const pybind11::list& states) -> Ptr {
        return merge_states<Sum, State>(states, decode, size_of);
      },
      pybind11::arg("states"));
}

}  // namespace confmat::bind
