#include "confmat/base/interrupt.hpp"

#include <utility>

namespace confmat {
namespace {

thread_local const StopFlag* flag_here = nullptr;

}  // namespace

const StopFlag* stop_flag() noexcept { return flag_here; }

StopScope::StopScope(const StopFlag* flag) noexcept : before_(std::exchange(flag_here, flag)) {}

StopScope::~StopScope() { flag_here = before_; }

}  // namespace confmat
