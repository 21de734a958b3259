// Who knows the texts behind the codes of Polars' Categoricals, where these come without them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "confmat/arrow/format.hpp"

namespace confmat {

// What the owner of categories knows of some codes.
struct OwnedTexts {
  std::vector<std::optional<std::string>> texts;  // one a code; none: the code stands for nothing
  std::shared_ptr<const void> owner;              // while it lives, codes keep their meaning
};
using AskForTexts = OwnedTexts (*)(const CategoriesName&, std::span<const std::uint32_t> codes);

// Who is asked. Needs: nobody asks yet.
void ask_for_texts_with(AskForTexts ask) noexcept;

// Throws InputError: nobody knows, or not of each code.
OwnedTexts ask_for_texts(const CategoriesName& name, std::span<const std::uint32_t> codes);

}  // namespace confmat
