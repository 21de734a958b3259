#include "bind/long_call.hpp"

#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

#include "confmat/base/interrupt.hpp"

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

  // What a handler raised. Needs the GIL.
  void rethrow() {
    if (raised_) throw std::move(*raised_);
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

}  // namespace

void with_gil(const std::function<void()>& work) {
  Signals signals;
  signals.watch(work);
  signals.rethrow();
}

void run_without_gil(bool little, const std::function<void()>& work) {
  if (little) return run_apart(work);
  Signals signals;
  {
    const py::gil_scoped_release release;
    run_apart([&] { signals.watch(work); });
  }
  signals.rethrow();
}

}  // namespace confmat::bind
