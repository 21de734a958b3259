#include "bind/long_call.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "confmat/base/interrupt.hpp"

namespace py = pybind11;

namespace confmat::bind {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

// One call on a thread of its own.
class LongCall {
 public:
  explicit LongCall(const std::function<void()>& work) : thread_([this, &work] { run(work); }) {}

  // Until the work is done or has stopped; returns what a handler of signals raised.
  std::optional<py::error_already_set> wait() {
    std::optional<py::error_already_set> raised;
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, kBetweenLooks, [this] { return is_done_; })) {
      if (raised) continue;
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) raised.emplace();
      }
      if (raised) stop_ = true;
      lock.lock();
    }
    return raised;
  }

  void rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  void run(const std::function<void()>& work) noexcept {
    const StopScope scope(&stop_);
    try {
      work();
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    done_.notify_one();
  }

  StopFlag stop_{false};
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace

void run_without_gil(bool is_long, const std::function<void()>& work) {
  std::optional<py::error_already_set> raised;  // made and thrown with the GIL
  {
    const py::gil_scoped_release release;
    std::optional<LongCall> call;
    try {
      if (is_long) call.emplace(work);
      // NOLINTNEXTLINE(bugprone-empty-catch): the work is then done here
    } catch (const std::system_error&) {
    }
    if (!call) return work();
    raised = call->wait();
    if (!raised) call->rethrow();
  }
  if (raised) throw std::move(*raised);
}

}  // namespace confmat::bind
