// What was counted of lines, while somebody goes on writing above and below them.
#pragma once

#include "report/editor/editor.hpp"

#include <cstdint>
#include <string>

namespace course::cli {

// A part of a text that is replaced; lines and characters from 0.
struct Edit {
  std::uint32_t first_line = 0, first_character = 0;
  std::uint32_t last_line = 0, last_character = 0; // where the part ends
  std::string text;
};

// What is about the lines below moves with these; what is about lines that are changed goes.
void move_with(report::EditorFile&, const Edit&);

} // namespace course::cli
