// Arrow data lent to another consumer: a stream of structs that keep the data alive.
#pragma once

#include <memory>

#include "confmat/arrow/abi.hpp"
#include "confmat/arrow/data.hpp"

namespace confmat {

// Needs: check_values has passed.
void share(std::shared_ptr<const ArrowData> data, ArrowArrayStream& out);

}  // namespace confmat
