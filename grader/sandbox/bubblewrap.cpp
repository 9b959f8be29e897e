#include "bubblewrap.hpp"

#include "sandbox/hidden.hpp"

namespace course::sandbox {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::uint64_t kSharedMemory = 16 << 20; // bytes of /dev/shm
constexpr const char* kKeeperInside = "/keeper";

void append(Words& to, const Words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// An unprivileged grader needs a user name space to be allowed the others. Root does not, and must
// not: there its programs would be root's still, whom the limit of processes does not bind. They
// get a user of their own from the keeper, which needs two capabilities for that and loses them by
// it.
Words name_spaces(const Order& order) {
  if (order.user)
    return {"--unshare-pid", "--unshare-net", "--unshare-ipc",       "--unshare-uts",
            "--cap-drop",    "ALL",           "--cap-add",           "CAP_SETUID",
            "--cap-add",     "CAP_SETGID",    "--unshare-cgroup-try"};
  return {"--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"};
}

// The folders above a path, which bubblewrap itself would make for its own user only.
void append_parents(Words& words, const fs::path& path) {
  fs::path parent = "/";
  for (const auto& name : path.parent_path().relative_path()) {
    parent /= name;
    append(words, {"--perms", "0755", "--dir", parent});
  }
}

void append_bind(Words& words, const char* how, const fs::path& path) {
  append_parents(words, path);
  append(words, {how, path, path});
}

// /lib and its like are links into /usr on most systems and folders on some.
void append_system(Words& words, const Order& order) {
  for (const fs::path& path : order.system) append_bind(words, "--ro-bind-try", path);
  for (const char* path : kSystemFolders) {
    std::error_code missing;
    const fs::path target = fs::read_symlink(path, missing);
    if (!missing) append(words, {"--symlink", target, path});
  }
  for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache"})
    append_bind(words, "--ro-bind-try", path);
}

// Memory file systems have no limit unless they are given one, and /dev/shm comes with --dev.
void append_memory_folder(Words& words, std::uint64_t bytes, const char* path) {
  append(words, {"--perms", "1777", "--size", std::to_string(bytes), "--tmpfs", path});
}

} // namespace

fs::path bubblewrap_program() {
  for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap"})
    if (fs::exists(path)) return path;
  return {};
}

Words bubblewrap(const Order& order, const fs::path& keeper) {
  Words words = {bubblewrap_program()};
  append(words, name_spaces(order));
  append(words, {"--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "box"});
  append_system(words, order);
  append(words, {"--proc", "/proc", "--dev", "/dev"});
  append_memory_folder(words, kSharedMemory, "/dev/shm");
  append_memory_folder(words, order.file_size, "/tmp");
  append_memory_folder(words, order.file_size, kBox);
  for (const auto& path : order.readable) append_bind(words, "--ro-bind-try", path);
  for (const auto& path : order.writable) append_bind(words, "--bind-try", path);
  append(words, {"--ro-bind", keeper, kKeeperInside, "--remount-ro", "/", "--chdir", "/"});
  append(words, {"--", kKeeperInside, "first"});
  append(words, to_arguments(order));
  return words;
}

} // namespace course::sandbox
