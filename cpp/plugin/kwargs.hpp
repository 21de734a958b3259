// The kwargs of a plugin call: Polars passes a pickle. Exactly one shape is accepted, the
// protocol-5 pickle of {"v": bytes}; nothing is ever unpickled.
#pragma once

#include <cstdint>
#include <span>

namespace confmat::plugin {

// The bytes behind "v". Throws StateError for anything else.
std::span<const std::uint8_t> unwrap_kwargs(std::span<const std::uint8_t> pickle);

}  // namespace confmat::plugin
