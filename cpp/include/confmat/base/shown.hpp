// Text for messages, such that it cannot disturb a terminal or a page.
#pragma once

#include <string>
#include <string_view>

namespace confmat {

// Control, bidirectional and other invisible characters are escaped, as Python writes them; a text
// that is empty or has blank ends is put in quotes. Bytes that are no UTF-8 are escaped, too.
std::string shown_text(std::string_view text);

// The fewest digits that give the same number.
std::string shown_number(double value);

}  // namespace confmat
