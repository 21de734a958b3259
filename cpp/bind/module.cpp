// The module `_core`: its parts, in order, and its exceptions.
#include "bind/module.hpp"

#include <new>

#include "confmat/base/ending.hpp"
#include "confmat/base/error.hpp"
#include "confmat/base/guests.hpp"
#include "confmat/base/refusals.hpp"
#include "confmat/metrics/asks_positive.hpp"
#include "confmat/metrics/unknown_metric.hpp"

namespace py = pybind11;

namespace confmat::bind {

void register_errors(py::module_& module) {
  py::register_local_exception_translator([](std::exception_ptr error) {
    const auto of_errors = [](const char* name) -> py::object {
      return py::module_::import("confmat.errors").attr(name);
    };
    const auto raise = [](const py::object& told) {
      PyErr_SetObject(py::type::of(told).ptr(), told.ptr());
    };
    try {
      if (error) std::rethrow_exception(std::move(error));
    } catch (const metrics::UnknownMetric& e) {
      const py::object told = of_errors("UnknownMetricError")(e.what());
      told.attr("has_near") = e.has_near();
      raise(told);
    } catch (const metrics::AsksPositive& e) {
      raise(of_errors("InputError")(e.asked(), of_errors("Taker")(), e.otherwise()));
    } catch (const InputError& e) {
      const py::object type = of_errors("InputError");
      raise(e.row() ? type(e.before() + " ", of_errors("Row")(*e.row()), e.after())
                    : type(e.what()));
    } catch (const StateError& e) {
      raise(of_errors("StateError")(e.what()));
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError, "out of memory");
    }
  });
  // Takes bytes: a message of Python's may be no UTF-8.
  module.def("raise_refusal_in", [](const py::bytes& message) {
    const auto error = refusal_in(std::string_view(message));
    if (error) std::rethrow_exception(error);
  });
}

}  // namespace confmat::bind

PYBIND11_MODULE(_core, module, py::mod_gil_not_used()) {
  module.attr("__version__") = CONFMAT_VERSION;
  confmat::bind::register_errors(module);
  confmat::bind::register_arrow(module);
  confmat::bind::register_coded_texts(module);
  confmat::bind::register_class_states(module);
  confmat::bind::register_count(module);
  confmat::bind::register_joint_states(module);
  confmat::bind::register_joint_score_states(module);
  confmat::bind::register_label_sets(module);
  confmat::bind::register_metrics(module);
  confmat::bind::register_intervals(module);
  confmat::bind::register_regression(module);
  confmat::bind::register_replicates(module);
  confmat::bind::register_row_weights(module);
  confmat::bind::register_scores(module);
  confmat::bind::register_set_score_states(module);
  confmat::bind::register_set_states(module);
  confmat::bind::register_slice_bins(module);
  confmat::bind::register_sweep_states(module);
  confmat::bind::register_slice_counts(module);
  confmat::bind::register_slice_moments(module);
  confmat::bind::register_sweep(module);
  confmat::bind::register_curves(module);
  confmat::bind::register_parts(module);
  confmat::bind::register_probabilities(module);
  confmat::bind::register_slice_tables(module);
  confmat::bind::register_states(module);
  confmat::bind::register_sums(module);
  confmat::bind::register_text_codes(module);
  module.def("send_guests_off", &confmat::send_guests_off,
             py::call_guard<py::gil_scoped_release>());
  module.def("end_without_destructors", &confmat::end_without_destructors);
}
