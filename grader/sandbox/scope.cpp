#include "scope.hpp"

#include "sandbox/keeper_program.hpp"
#include "system/environment.hpp"
#include "system/program.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kProgram = "/usr/bin/systemd-run";
constexpr auto kPatience = 2s;

// The keeper and bubblewrap's own processes, which count as well.
constexpr std::uint32_t kOurProcesses = 8;
constexpr std::uint64_t kOurMemory = 64 << 20;

// The socket at which a user's manager listens.
bool manager_listens() {
  const auto folder = system::environment("XDG_RUNTIME_DIR");
  std::error_code ignored;
  return folder && fs::exists(fs::path(*folder) / "systemd/private", ignored);
}

bool try_one() {
  auto words = scope_words(Limits{});
  words.insert(words.end(), {keeper_program(), "nothing"});
  const auto environment = scope_environment();
  const pid_t child = system::start({words, {}, environment, {{STDOUT_FILENO}, {STDERR_FILENO}}});
  if (child < 0) return false;
  int status = 0;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) kill(child, SIGKILL);
    std::this_thread::sleep_for(1ms);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

bool scopes_work() {
  static const bool work = fs::exists(kProgram) && manager_listens() && try_one();
  return work;
}

std::vector<std::string> scope_words(const Limits& limits) {
  const auto property = [](const char* name, std::uint64_t value) {
    return std::string("--property=").append(name).append("=").append(std::to_string(value));
  };
  return {kProgram,
          "--user",
          "--scope",
          "--quiet",
          "--collect",
          property("MemoryMax", limits.memory + kOurMemory),
          property("MemorySwapMax", 0),
          property("TasksMax", limits.processes + kOurProcesses),
          "--"};
}

std::vector<std::string> scope_environment() {
  return system::environment_of({"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"});
}

} // namespace course::sandbox
