#include "process_limits.hpp"

#include <cctype>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace course::sandbox {
namespace {

constexpr rlim_t kOpenFiles = 256;

bool limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return false;
  // A hard limit can be lowered but, without privilege, not raised.
  hard = std::min(hard, now.rlim_max);
  const rlimit wanted{std::min(soft, hard), hard};
  return setrlimit(resource, &wanted) == 0;
}

// Threads that the calling user has now, on the whole machine.
std::uint64_t threads_of_this_user() {
  std::uint64_t count = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (!std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0]))) continue;
    std::ifstream status(entry.path() / "status");
    uid_t user = 0;
    std::uint64_t threads = 0;
    for (std::string word; status >> word;) {
      if (word == "Uid:") status >> user;
      if (word != "Threads:") continue;
      status >> threads;
      break;
    }
    if (user == getuid()) count += threads;
  }
  return count;
}

} // namespace

bool limit_resources(const Order& order) {
  const rlim_t cpu = order.cpu.count();
  const rlim_t processes = order.processes + (order.shares_user ? threads_of_this_user() : 0);
  return limit(RLIMIT_CORE, 0, 0) &&
         // SIGXCPU at the limit; SIGKILL a second later for a program that ignores it.
         limit(RLIMIT_CPU, cpu, cpu + 1) && limit(RLIMIT_FSIZE, order.file_size, order.file_size) &&
         limit(RLIMIT_NOFILE, kOpenFiles, kOpenFiles) && limit(RLIMIT_NPROC, processes, processes);
}

bool limit_memory(const Order& order) {
  return limit(RLIMIT_AS, order.memory, order.memory);
}

} // namespace course::sandbox
