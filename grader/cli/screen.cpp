#include "cli/screen.hpp"
#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "system/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace course::cli {
namespace {

constexpr int kUsual = 80, kMost = 100;

std::string environment(const char* name) {
  return system::environment(name).value_or("");
}

int width(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const auto text = environment("COLUMNS");
  int columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns > 0 ? columns : kUsual;
}

bool has_colours(int stream) {
  return isatty(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

report::Terminal screen(int stream, Colour colour) {
  const bool wanted = colour == Colour::automatic ? has_colours(stream) : colour == Colour::always;
  return {std::min(width(stream), kMost), wanted};
}

} // namespace

report::Terminal screen(Colour colour) {
  return screen(STDOUT_FILENO, colour);
}

report::Terminal screen_of_errors(Colour colour) {
  return screen(STDERR_FILENO, colour);
}

bool can_rewrite_a_line() {
  const auto term = environment("TERM");
  return isatty(STDERR_FILENO) && !term.empty() && term != "dumb";
}

void say_wrong(const std::string& who, const std::string& what) {
  const auto said = who + ": " + report::reason_in_words(what);
  if (!isatty(STDERR_FILENO)) {
    std::fprintf(stderr, "%s\n", report::tightened(said).c_str());
    return;
  }
  const int columns = screen_of_errors(Colour::never).columns;
  for (const auto& line : report::lines_of(said)) {
    const bool indented = line.starts_with(' ');
    std::fputs(indented ? (line + "\n").c_str() : report::wrapped(line, columns, 0).c_str(),
               stderr);
  }
}

int complain(const std::string& who, ExitCode code, const std::string& what) {
  say_wrong(who, what);
  return code;
}

int not_writable(const std::string& who, const std::filesystem::filesystem_error& error) {
  return complain(who, kSetUp,
                  tr("{}: {}. Is there room, and may you write there?", error.path1().string(),
                     error.code().message()));
}

} // namespace course::cli
