// Keeps each text once, and says by number which row has it.
#include "confmat/evaluate/reasons.hpp"

namespace confmat {

Reasons::Reasons(std::int64_t rows, std::size_t asks)
    : rows_(static_cast<std::size_t>(rows)), positions_(rows_ * asks, -1) {}

void Reasons::set(std::int64_t row, std::span<const std::string> of_asks) {
  for (std::size_t ask = 0; ask < of_asks.size(); ++ask) {
    if (of_asks[ask].empty()) continue;
    positions_[ask * rows_ + static_cast<std::size_t>(row)] = position_of(of_asks[ask]);
  }
}

std::span<const std::int32_t> Reasons::of(std::size_t ask) const {
  return {positions_.data() + ask * rows_, rows_};
}

std::int32_t Reasons::position_of(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  const auto [at, is_new] = known_.try_emplace(text, static_cast<std::int32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return at->second;
}

}  // namespace confmat
