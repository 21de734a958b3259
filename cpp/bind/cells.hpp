// The cells of matrices as Python hands them over: tables, or sparse ones.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

#include "bind/long_call.hpp"
#include "confmat/base/error.hpp"
#include "confmat/evaluate/group_evaluator.hpp"
#include "confmat/metrics/registry.hpp"

namespace confmat::bind {

// K x K cells, or G such tables, as contiguous memory; or (K, places, cells) of a sparse one.
// Whole-number weights count as counts.
class Cells {
 public:
  explicit Cells(const pybind11::object& table) {
    if (pybind11::isinstance<pybind11::tuple>(table)) {
      read_sparse(table);
    } else {
      read(pybind11::cast<pybind11::array>(table));
    }
  }
  [[nodiscard]] metrics::Table table(std::int64_t i) const {
    metrics::Table out{.k = k_};
    const auto at = i * k_ * k_;
    if (!whole_.empty()) {
      out.counts = whole_.data() + at;
    } else if (weights_.size() > 0) {
      out.weights = weights_.data() + at;
    } else {
      out.counts = counts_.data() + at;
    }
    if (is_sparse_) {
      out.is_sparse = true;
      out.places = places_.data();
      out.filled = places_.size();
    }
    return out;
  }
  [[nodiscard]] std::int64_t k() const noexcept { return k_; }
  [[nodiscard]] std::int64_t tables() const noexcept { return tables_; }
  [[nodiscard]] bool stacked() const noexcept { return stacked_; }
  // How many there are to read.
  [[nodiscard]] std::int64_t size() const noexcept {
    return is_sparse_ ? k_ + places_.size() : tables_ * k_ * k_;
  }

  // Calls compute(table(0)) without the GIL; `rounds` over the cells are to be expected.
  template <class Compute>
  auto first(std::int64_t rounds, const Compute& compute) const {
    return without_gil(size() * rounds, [&, at = table(0)] { return compute(at); });
  }
  // Of decompositions.
  [[nodiscard]] std::int64_t rounds() const noexcept { return k_ / 8 + 1; }

  // Numbers of each cell as they were given.
  template <class T>
  [[nodiscard]] pybind11::array_t<T> shaped(const std::vector<T>& values) const {
    if (is_sparse_) return pybind11::array_t<T>(places_.size(), values.data());
    return pybind11::array_t<T>({pybind11::ssize_t{k_}, pybind11::ssize_t{k_}}, values.data());
  }

 private:
  void read_sparse(const pybind11::tuple& parts) {
    if (parts.size() != 3) throw InputError("a sparse table is its classes, places and cells");
    is_sparse_ = true;
    k_ = pybind11::cast<std::int64_t>(parts[0]);
    places_ =
        pybind11::array_t<std::int64_t, pybind11::array::c_style | pybind11::array::forcecast>(
            parts[1]);
    const pybind11::array cells = parts[2];
    if (places_.ndim() != 1 || cells.ndim() != 1 || places_.shape(0) != cells.shape(0)) {
      throw InputError("a sparse table needs a place for each cell");
    }
    take(cells);
    without_gil(places_.size(), [at = table(0)] { metrics::check_places(at); });
  }

  void read(const pybind11::array& cells) {
    const auto n = cells.ndim();
    if (n < 2 || n > 3 || cells.shape(n - 1) != cells.shape(n - 2)) {
      throw InputError("`counts` has the wrong shape: wanted (K, K)");
    }
    k_ = cells.shape(n - 1);
    tables_ = n == 3 ? cells.shape(0) : 1;
    stacked_ = n == 3;
    take(cells);
  }

  void take(const pybind11::array& cells) {
    if (cells.dtype().kind() == 'f') {
      weights_ =
          pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>(cells);
      const auto size = static_cast<std::size_t>(weights_.size());
      const bool whole = without_gil(
          weights_.size(), [&, at = weights_.data()] { return as_counts({at, size}, whole_); });
      if (whole) weights_ = {};
    } else {
      counts_ =
          pybind11::array_t<std::int64_t, pybind11::array::c_style | pybind11::array::forcecast>(
              cells);
    }
  }
  std::int64_t k_ = 0;
  std::int64_t tables_ = 1;
  bool stacked_ = false;
  bool is_sparse_ = false;
  pybind11::array_t<std::int64_t> places_;
  pybind11::array_t<std::int64_t> counts_;
  pybind11::array_t<double> weights_;
  std::vector<std::int64_t> whole_;
};

}  // namespace confmat::bind
