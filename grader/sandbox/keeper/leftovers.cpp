#include "leftovers.hpp"

#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace course::sandbox {
namespace {

using Children = std::map<pid_t, std::vector<pid_t>>; // by parent

// The parent in /proc/PID/stat: the second field after the name, which is in parentheses and may
// hold anything.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return 0;
  return std::atoi(text.c_str() + name_end + 4);
}

Children all_children() {
  Children children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (!std::isdigit(static_cast<unsigned char>(name[0]))) continue;
    children[parent_of(entry.path())].push_back(std::atoi(name.c_str()));
  }
  return children;
}

void kill_below(const Children& children, pid_t parent) {
  const auto found = children.find(parent);
  if (found == children.end()) return;
  for (const pid_t child : found->second) {
    kill(child, SIGKILL);
    kill_below(children, child);
  }
}

// False when there is no child at all, dead or alive.
bool reap_the_dead() {
  pid_t dead;
  do dead = waitpid(-1, nullptr, WNOHANG);
  while (dead > 0);
  return dead == 0;
}

} // namespace

void end_descendants() {
  // What forks while it is being killed is found in the next round; what it forked, a round later.
  while (reap_the_dead()) {
    kill_below(all_children(), getpid());
    usleep(1000);
  }
}

} // namespace course::sandbox
