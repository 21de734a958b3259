// Why values of many groups are undefined. Groups share most texts, so each is kept once.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace confmat {

class Reasons {
 public:
  Reasons(std::int64_t rows, std::size_t asks);

  // The texts of one row, one an ask; an empty one stands for none. Several threads may set
  // different rows.
  void set(std::int64_t row, std::span<const std::string> of_asks);
  // Positions in texts(), one a row; -1: none.
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t ask) const;
  [[nodiscard]] const std::vector<std::string>& texts() const noexcept { return texts_; }

 private:
  std::int32_t position_of(const std::string& text);

  std::size_t rows_;
  std::vector<std::int32_t> positions_;  // ask by ask
  std::mutex mutex_;
  std::unordered_map<std::string, std::int32_t> known_;
  std::vector<std::string> texts_;
};

}  // namespace confmat
