// Arrow arrays with memory sized exactly, so that a sanitizer sees every step beyond it, and what
// is wrong with them where an importer can see it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "confmat/arrow/abi.hpp"
#include "target.hpp"

namespace confmat::fuzz {

// One array with its type, drawn from bytes; owns all of it.
class DrawnArray {
 public:
  // `depth` nested types at most; 0: none.
  DrawnArray(Draw& draw, int depth);

  [[nodiscard]] ArrowSchema& schema() { return schema_; }
  [[nodiscard]] ArrowArray& array() { return array_; }

 private:
  void draw_format(Draw& draw, int depth);
  void draw_lengths(Draw& draw);
  void fill(Draw& draw, int depth);
  void fill_offsets(Draw& draw, std::size_t width, std::uint64_t most);
  void fill_views(Draw& draw);
  void spoil(Draw& draw);

  std::uint8_t* add_buffer(std::size_t bytes);
  void put(std::size_t buffer, std::size_t at, std::uint64_t value, std::size_t width);

  std::string format_;
  std::size_t rows_ = 0;  // with those before the offset
  ArrowSchema schema_{};
  ArrowArray array_{};
  std::deque<std::unique_ptr<std::uint8_t[]>> memory_;
  std::vector<const void*> buffers_;
  std::vector<std::unique_ptr<DrawnArray>> children_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
  std::unique_ptr<DrawnArray> dictionary_;
};

}  // namespace confmat::fuzz
