#include "cli/screen.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace course::cli {
namespace {

constexpr int kUsual = 80, kMost = 100;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

int width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const auto text = environment("COLUMNS");
  int columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns > 0 ? columns : kUsual;
}

bool has_colours() {
  return isatty(STDOUT_FILENO) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

} // namespace

report::Terminal screen(Colour colour) {
  const bool wanted = colour == Colour::automatic ? has_colours() : colour == Colour::always;
  return {std::min(width(), kMost), wanted};
}

} // namespace course::cli
