#include "cli/raw_terminal.hpp"
#include "system/environment.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace course::cli {
namespace {

// The other screen; no cursor; no wrapping of a line that a terminal takes for wider than we do.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[?7l";
constexpr std::string_view kLeave = "\033[?7h\033[?25h\033[?1049l";

bool readable(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, milliseconds) > 0;
}

} // namespace

bool is_drawable() {
  const auto term = system::environment("TERM").value_or("");
  return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !term.empty() && term != "dumb";
}

progress::Size screen_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  return {size.ws_col, size.ws_row};
}

RawTerminal::RawTerminal() {
  tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = raw.c_cc[VQUIT] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  draw(kEnter);
}

RawTerminal::~RawTerminal() {
  draw(kLeave);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
}

void draw(std::string_view text) {
  while (!text.empty()) {
    const auto size = write(STDOUT_FILENO, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return; // the terminal has gone
    text.remove_prefix(size);
  }
}

std::string read_key() {
  static const std::map<std::string, std::string> kSequences = {
      {"\033[A", "up"},      {"\033[B", "down"},      {"\033OA", "up"},
      {"\033OB", "down"},    {"\033[5~", "page up"},  {"\033[6~", "page down"},
      {"\033[H", "page up"}, {"\033[F", "page down"}, {"\033", "escape"},
      {"\004", "end"}};
  if (!readable(0)) return "";
  std::array<char, 16> bytes{};
  auto size = read(STDIN_FILENO, bytes.data(), 1);
  if (size <= 0) return "end";
  std::string key(bytes.data(), 1);
  // The rest of a sequence comes at once, over a slow line nearly so.
  if (key == "\033" && readable(20)) {
    size = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (size > 0) key.append(bytes.data(), size);
  }
  const auto named = kSequences.find(key);
  return named == kSequences.end() ? key : named->second;
}

} // namespace course::cli
