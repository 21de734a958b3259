// Arrow data handed over by a producer: its type and arrays, owned.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "confmat/arrow/abi.hpp"

namespace confmat {

class ArrowData {
 public:
  ArrowData() = default;
  ArrowData(const ArrowData&) = delete;
  ArrowData& operator=(const ArrowData&) = delete;
  ~ArrowData();

  // Takes the stream over, reads all of it and releases it; on failure, too.
  // Throws InputError naming `argument`: the stream was used before or fails.
  void read(ArrowArrayStream& stream, std::string_view argument);
  // Takes both over; on failure, too. Throws InputError: one of them was used before.
  void take(ArrowSchema& schema, ArrowArray& array, std::string_view argument);

  // Needs: read() or take() has returned.
  [[nodiscard]] const ArrowSchema& schema() const noexcept { return schema_; }
  [[nodiscard]] std::span<const ArrowArray> arrays() const noexcept { return arrays_; }

 private:
  ArrowSchema schema_{};
  std::vector<ArrowArray> arrays_;
};

}  // namespace confmat
