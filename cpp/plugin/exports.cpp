// The exported symbols of plugin ABI 0.1: two for the library, two for each expression function.
// Nothing may be thrown across them.
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <string>

#include "confmat/base/error.hpp"
#include "confmat/base/guests.hpp"
#include "confmat/base/interrupt.hpp"
#include "confmat/base/refusals.hpp"
#include "plugin/category_texts.hpp"
#include "plugin/functions.hpp"
#include "plugin/kwargs.hpp"
#include "plugin/regression_functions.hpp"
#include "plugin/score_functions.hpp"

namespace confmat::plugin {
namespace {

thread_local ToldText last_error{};

// Tells the host of the error that is being handled. Allocates nothing.
void refuse(const char* message) noexcept {
  // "PANIC" alone has a meaning of its own to the host, so that message is never bare.
  if (std::strcmp(message, "PANIC") == 0) message = "error: PANIC";
  std::strncpy(last_error.data(), message, last_error.size() - 1);
  last_error.back() = '\0';
  // The cut may have split a UTF-8 sequence; the host wants valid text.
  if (std::strlen(message) >= last_error.size()) {
    std::size_t end = last_error.size() - 1;
    while (end > 0 && (static_cast<unsigned char>(last_error[end - 1]) & 0xC0U) == 0x80U) --end;
    if (end > 0) last_error[end - 1] = '\0';
  }
  keep_refusal(last_error, std::current_exception());
}

// Errors that name a row say of which: an expression sees part of a column.
void run_in_part(const std::function<void()>& body) {
  try {
    run_apart([&] {
      const Guest guest;
      body();
    });
  } catch (const Interrupted&) {
    throw Error("the process ends");
  } catch (const InputError& error) {
    if (!error.row()) throw;
    throw InputError(error.before() + " at row " + std::to_string(*error.row()) +
                     " (of the rows read together)" + error.after());
  }
}

void guarded(const std::function<void()>& body) noexcept {
  try {
    run_in_part(body);
  } catch (const std::bad_alloc&) {
    refuse("out of memory");
  } catch (const std::exception& error) {
    refuse(error.what());
  } catch (...) {
    refuse("an unknown error in confmat");
  }
}

std::shared_ptr<const Spec> spec_of(const std::uint8_t* kwargs, std::size_t n) {
  return spec_for(unwrap_kwargs({kwargs, n}));
}

using Call = Result (*)(const Inputs&, const Spec&);
using Plan = Type (*)(Fields, const Spec&);

// What every function reads of a column before it looks at the rest.
void require_type(const ArrowSchema* field) {
  if (field == nullptr || field->format == nullptr) throw InputError("a column has no type");
}

template <Call kFunction>
void call(SeriesExport* inputs, std::size_t n, const std::uint8_t* kwargs, std::size_t kwargs_len,
          SeriesExport* out) noexcept {
  const Inputs owned(inputs, n);
  const bool takes_rows =
      kFunction == &encode || kFunction == &encode_score || kFunction == &partial;
  guarded([&] {
    for (std::size_t i = 0; i < n; ++i) require_type(inputs[i].field);
    const auto spec = spec_of(kwargs, kwargs_len);
    hand_over(kFunction(owned, *spec), out);
    if (!takes_rows) forget_texts();
  });
}

template <Plan kType>
void field(const ArrowSchema* fields, std::size_t n, ArrowSchema* out, const std::uint8_t* kwargs,
           std::size_t kwargs_len) noexcept {
  guarded([&] {
    for (std::size_t i = 0; i < n; ++i) require_type(fields + i);
    const auto spec = spec_of(kwargs, kwargs_len);
    hand_over(kType({fields, n}, *spec), out);
  });
}

}  // namespace
}  // namespace confmat::plugin

using namespace confmat::plugin;  // NOLINT(google-build-using-namespace): the symbols are global

#define CONFMAT_EXPORT extern "C" __attribute__((visibility("default")))

CONFMAT_EXPORT std::uint32_t _polars_plugin_get_version() { return kPluginVersion; }
CONFMAT_EXPORT const char* _polars_plugin_get_last_error_message() { return last_error.data(); }

#define CONFMAT_EXPRESSION(name)                                                               \
  CONFMAT_EXPORT void _polars_plugin_confmat_##name(                                           \
      SeriesExport* inputs, std::size_t n, const std::uint8_t* kwargs, std::size_t kwargs_len, \
      SeriesExport* out, const CallerContext* /*context*/) {                                   \
    call<name>(inputs, n, kwargs, kwargs_len, out);                                            \
  }                                                                                            \
  CONFMAT_EXPORT void _polars_plugin_field_confmat_##name(                                     \
      const ArrowSchema* fields, std::size_t n, ArrowSchema* out, const std::uint8_t* kwargs,  \
      std::size_t kwargs_len) {                                                                \
    field<name##_type>(fields, n, out, kwargs, kwargs_len);                                    \
  }

CONFMAT_EXPRESSION(encode)
CONFMAT_EXPRESSION(label_metrics)
CONFMAT_EXPRESSION(partial)
CONFMAT_EXPRESSION(merge)
CONFMAT_EXPRESSION(label_state)
CONFMAT_EXPRESSION(state_from_counts)
CONFMAT_EXPRESSION(merge_states)
CONFMAT_EXPRESSION(merge_states_by)
CONFMAT_EXPRESSION(subtract_states)
CONFMAT_EXPRESSION(state_metrics)

CONFMAT_EXPRESSION(encode_score)
CONFMAT_EXPRESSION(score_metrics)
CONFMAT_EXPRESSION(roc_curve)
CONFMAT_EXPRESSION(pr_curve)
CONFMAT_EXPRESSION(state_roc_curve)
CONFMAT_EXPRESSION(state_pr_curve)
CONFMAT_EXPRESSION(score_state)
CONFMAT_EXPRESSION(score_state_metrics)

CONFMAT_EXPRESSION(regression_state)
CONFMAT_EXPRESSION(regression_metrics)
