// Numbers that several states and objects of Python share: nobody writes to them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "confmat/base/pages.hpp"

namespace confmat {

template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a vector that nobody else has is one
  SharedArray(std::vector<T>&& values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    view_ = *owner;
    owner_ = std::move(owner);
  }
  // Memory that lives as long as its owner.
  SharedArray(std::shared_ptr<const void> owner, std::span<const T> view)
      : owner_(std::move(owner)), view_(view) {}

  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  [[nodiscard]] const T* data() const noexcept { return view_.data(); }
  const T& operator[](std::size_t i) const noexcept { return view_[i]; }
  [[nodiscard]] std::span<const T> view() const noexcept { return view_; }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const T> view_;
};

template <class T>
SharedArray<T> shared_pages(Pages<T>&& pages) {
  auto owner = std::make_shared<Pages<T>>(std::move(pages));
  const std::span<const T> view = owner->span();
  return {std::move(owner), view};
}

}  // namespace confmat
