// Hands questions for the texts of categories on to whoever knows them.
#include "confmat/arrow/category_owner.hpp"

#include <atomic>

#include "confmat/base/error.hpp"

namespace confmat {
namespace {

std::atomic<AskForTexts> owner{nullptr};

}  // namespace

void ask_for_texts_with(AskForTexts ask) noexcept { owner = ask; }

OwnedTexts ask_for_texts(const CategoriesName& name, std::span<const std::uint32_t> codes) {
  if (codes.empty()) return {};
  const AskForTexts ask = owner;
  if (ask == nullptr) throw InputError("nobody knows the texts of Categoricals here");
  OwnedTexts owned = ask(name, codes);
  if (owned.texts.size() != codes.size()) throw InputError("texts of categories are missing");
  return owned;
}

}  // namespace confmat
