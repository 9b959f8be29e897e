#include "system/shell.hpp"

#include <array>
#include <cstdio>
#include <sys/wait.h>

namespace course::system {

std::string in_quotes(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  text += '\'';
  return text;
}

Ran run_in_shell(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {127, ""};
  Ran ran;
  std::array<char, 4096> part{};
  for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    ran.text.append(part.data(), got);
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

} // namespace course::system
