#include "landlock.hpp"

#include "sandbox/landlock_version.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace course::sandbox {
namespace {

// The kernel's interface, from Documentation/userspace-api/landlock.rst. <linux/landlock.h> of
// Debian 12 ends at version 2, the running kernel may know more.
struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};
constexpr int kRulePathBeneath = 1;

constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2,
                        kReadFolder = 1 << 3, kTruncate = 1 << 14;
constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
// Rights that mean something for what is not a folder; a rule with others is refused for one.
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate;

std::uint64_t rights_of_version(int version) {
  if (version >= 5) return (1 << 16) - 1; // device ioctl
  if (version >= 3) return (1 << 15) - 1; // truncate
  if (version >= 2) return (1 << 14) - 1; // link and rename between folders
  return (1 << 13) - 1;
}

constexpr std::array kSystem = {
    "/etc/alternatives", "/etc/ld.so.cache", "/proc/self",  "/sys/devices/system/cpu",
    "/dev/zero",         "/dev/full",        "/dev/random", "/dev/urandom"};

// Paths that do not exist need no rule. The descriptor decides what the rule is for, so that a path
// that changes afterwards is of no use.
bool allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  const int parent = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (parent < 0) return errno == ENOENT;
  struct stat status {};
  bool ok = fstat(parent, &status) == 0;
  if (!S_ISDIR(status.st_mode)) rights &= kOfFiles;
  const PathBeneath rule{rights, parent};
  ok = ok && syscall(SYS_landlock_add_rule, ruleset, kRulePathBeneath, &rule, 0) == 0;
  close(parent);
  return ok;
}

int create_ruleset(int version) {
  RulesetAttributes attributes;
  attributes.files = rights_of_version(version);
  if (version >= 4) attributes.network = 3;                     // bind and connect, TCP
  if (version >= kLandlockScopesSignals) attributes.scopes = 3; // abstract sockets, signals
  const std::size_t size = version >= kLandlockScopesSignals ? 24 : version >= 4 ? 16 : 8;
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
}

} // namespace

bool restrict_files(const Order& order) {
  const int version = landlock_version();
  const std::uint64_t all = rights_of_version(version);
  const int ruleset = create_ruleset(version);
  if (ruleset < 0) return false;
  bool ok = true;
  for (const char* path : kSystem) ok = ok && allow(ruleset, path, kRead);
  ok = ok && allow(ruleset, "/dev/null", (kReadFile | kWriteFile | kTruncate) & all);
  for (const auto* paths : {&order.system, &order.readable})
    for (const auto& path : *paths) ok = ok && allow(ruleset, path, kRead);
  for (const auto& path : order.writable) ok = ok && allow(ruleset, path, all);
  ok = ok && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return ok;
}

} // namespace course::sandbox
