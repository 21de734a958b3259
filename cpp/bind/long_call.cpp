// Runs a call without the GIL, and Python's signal handlers between its blocks.
#include "bind/long_call.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "confmat/base/interrupt.hpp"
#include "confmat/linalg/library.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

// Asks Python for signals; their handlers run in its main thread only.
class Signals final : public Lookout {
 public:
  // Runs work() on this thread until it is done or interrupted.
  void watch(const std::function<void()>& work) {
    const StopScope scope(&stop_, this);
    try {
      work();
      // NOLINTNEXTLINE(bugprone-empty-catch): rethrow() says by what
    } catch (const Interrupted&) {
    }
  }

  // Ends the work for what Python raised.
  [[noreturn]] void end(py::error_already_set& error) {
    raised_.emplace(error);
    stop_ = true;
    throw Interrupted();
  }

  // What a handler raised. Needs the GIL. Asks once more: of a signal that the system gave to
  // another thread of this call, Python up to 3.12 does not tell its main thread by itself.
  void rethrow() {
    if (raised_) throw std::move(*raised_);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  void ask() noexcept override {
    if (raised_ || elsewhere_) return;
    try {
      ask_python();
    } catch (...) {  // it cannot be asked
      elsewhere_ = true;
    }
  }

  void ask_python() {
    const py::gil_scoped_acquire acquire;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const py::module_ threading = py::module_::import("threading");
      const py::object main = threading.attr("main_thread")().attr("ident");
      elsewhere_ = !threading.attr("get_ident")().equal(main);
    } catch (py::error_already_set& error) {
      raised_.emplace(error);
      stop_ = true;
    }
  }

  StopFlag stop_{false};
  bool elsewhere_ = false;  // this is another thread: asking would only wait for the GIL
  std::optional<py::error_already_set> raised_;
};

// NumPy's LAPACK: python/confmat/lapack.py.
class Lapack final : public linalg::Library {
 public:
  explicit Lapack(Signals& signals) : signals_(signals) {}

  bool symmetric_eigenvalues(const double* a, std::int64_t k, double* out) override {
    return decompose("eigenvalues", a, k, {{out, k}});
  }
  bool singular_values(const double* a, std::int64_t k, double* out) override {
    return decompose("singular_values", a, k, {{out, k}});
  }
  bool symmetric_eigenvectors(const double* a, std::int64_t k, double* values,
                              double* vectors) override {
    return decompose("eigenvectors", a, k, {{values, k}, {vectors, k * k}});
  }

 private:
  struct Part {
    double* out;
    std::int64_t count;
  };

  // Into the parts, one after the other.
  bool decompose(const char* name, const double* a, std::int64_t k,
                 std::initializer_list<Part> parts) {
    const Aside aside;  // handlers of signals run meanwhile
    const py::gil_scoped_acquire acquire;
    try {
      const py::array_t<double> matrix({py::ssize_t{k}, py::ssize_t{k}}, a);
      const py::object found = py::module_::import("confmat.lapack").attr(name)(matrix);
      if (found.is_none()) return false;
      const auto values = found.cast<py::array_t<double, py::array::c_style>>();
      const double* from = values.data();
      for (const Part& part : parts) {
        std::copy_n(from, part.count, part.out);
        from += part.count;
      }
      return true;
    } catch (py::error_already_set& error) {
      signals_.end(error);
    }
  }

  Signals& signals_;
};

}  // namespace

void with_gil(const std::function<void()>& work) {
  Signals signals;
  signals.watch(work);
  signals.rethrow();
}

void run_without_gil(bool little, const std::function<void()>& work) {
  if (little) return run_apart(work);
  Signals signals;
  Lapack lapack(signals);
  {
    const py::gil_scoped_release release;
    run_apart([&] {
      const linalg::LibraryScope library(&lapack);
      signals.watch(work);
    });
  }
  signals.rethrow();
}

}  // namespace confmat::bind
