#include "reach.hpp"

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace course::sandbox {

bool may_read_all_modes() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  return syscall(SYS_capget, &header, data) == 0 &&
         (data[0].permitted >> CAP_DAC_READ_SEARCH & 1) != 0;
}

std::optional<std::filesystem::path> closed_folder_above(const std::filesystem::path& path) {
  std::filesystem::path folder = "/";
  for (const auto& name : path.parent_path().relative_path()) {
    folder /= name;
    struct stat status {};
    if (stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IXOTH) == 0) return folder;
  }
  return std::nullopt;
}

} // namespace course::sandbox
