// The texts behind the codes of Polars' Categoricals. As dictionaries, Polars would make these anew
// for each call of an expression, in 20 ns a row; it gives codes as they lie, and their texts are
// asked for once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "confmat/arrow/category_owner.hpp"
#include "confmat/batch/column.hpp"

namespace confmat::plugin {

// The texts of codes as a column, one a row; null where a code stands for nothing.
class CodeTexts {
 public:
  explicit CodeTexts(OwnedTexts&& owned);
  [[nodiscard]] Column column() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }

 private:
  std::string bytes_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::uint8_t> validity_;
  std::shared_ptr<const void> owner_;
  bool is_whole_ = true;
};

// Codes below this may be kept, with all codes before them.
inline constexpr std::uint32_t kMostKeptCodes = std::uint32_t{1} << 16;

// Those of the codes 0 to n - 1, and maybe more; null where these are too long to be kept.
// Needs: n <= kMostKeptCodes.
std::shared_ptr<const CodeTexts> texts_of_first(const CategoriesName& name, std::uint32_t n);

std::shared_ptr<const CodeTexts> texts_of(const CategoriesName& name,
                                          std::span<const std::uint32_t> codes);

// When a query ends: what is kept keeps all categories of its collection alive. Texts that were
// asked for just now may be wanted again, as where Polars calls for each group.
void forget_texts() noexcept;

}  // namespace confmat::plugin
