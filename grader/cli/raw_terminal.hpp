// The terminal for a program that draws the whole screen: keys come one by one, and are not echoed.
#pragma once

#include "progress/terminal_page.hpp"

#include <string>
#include <string_view>
#include <termios.h>

namespace course::cli {

// Whether standard input and output are a terminal that can be drawn on.
bool is_drawable();

progress::Size screen_size(); // of standard output; 80 x 24 where there is no telling

// From construction to destruction, the terminal's other screen, without a cursor. Ctrl-C still is
// a signal; Ctrl-Z and Ctrl-\, which would leave the terminal as it is, are not.
class RawTerminal {
public:
  RawTerminal();
  RawTerminal(const RawTerminal&) = delete; // the terminal is restored once
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal();

private:
  termios before_{};
};

void draw(std::string_view text); // to standard output, in one piece

// A key by name: "h", " ", "up", "down", "page up", "page down", "escape"; empty when there is none
// (any more); "end" when standard input has ended. Does not wait.
std::string read_key();

} // namespace course::cli
