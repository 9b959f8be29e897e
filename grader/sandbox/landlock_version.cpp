#include "landlock_version.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace course::sandbox {

int landlock_version() {
  constexpr unsigned kAskVersion = 1; // LANDLOCK_CREATE_RULESET_VERSION
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

} // namespace course::sandbox
