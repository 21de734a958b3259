// The cells of joint counts within saved states; joint_bytes.cpp says how they lie there.
#pragma once

#include <cstdint>

#include "confmat/base/bytes.hpp"
#include "confmat/state/codec.hpp"
#include "confmat/state/joint.hpp"

namespace confmat {

// What `compatible` says of them: whether there are float weights, and squares.
std::uint8_t content_of(const EntrySums& cells);

void put_cells(ByteWriter& out, const Joint& joint);
// The last part of a payload, of joint counts whose labels and rows are set. Throws StateError.
void take_cells(ByteReader& reader, Bytes content, Joint& out);

}  // namespace confmat
