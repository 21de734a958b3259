// What was refused lately to a host that hands on the text of an error and none of its kind: by the
// text that it was told, whatever it says around it, the error is found again.
// Cost: 512 KiB once something is refused; looks at each of 256 texts.
#pragma once

#include <array>
#include <exception>
#include <string_view>

namespace confmat {

using ToldText = std::array<char, 2048>;  // what the host is told: text that ends with 0

// Keeps an error under its text; one that has the same text makes room for it, or else the oldest.
// Allocates nothing.
void keep_refusal(const ToldText& told, const std::exception_ptr& error) noexcept;

// The error with the longest text of those that `message` holds; null: it holds none.
std::exception_ptr refusal_in(std::string_view message) noexcept;

}  // namespace confmat
