// attack: leaves the folders that it may see by links, handles and open folders
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: root:
// never: Rows one word longer
// never: was entered

#include <cstdio>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void show(int file) {
  char text[512];
  const auto size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (size <= 0) return;
  text[size] = 0;
  std::puts(text);
}

void transpose(float* out, const float* in, int rows, int cols) {
  const char* wanted[] = {"/etc/passwd", "@ROOT@/solutions/05_transpose/2_pad.cu"};
  for (const char* path : wanted) {
    show(symlink(path, "soft") == 0 ? open("soft", O_RDONLY) : -1);
    show(link(path, "hard") == 0 ? open("hard", O_RDONLY) : -1);
    char around[512];
    std::snprintf(around, sizeof around, "/proc/self/root/../..%s", path);
    show(open(around, O_RDONLY));
    std::snprintf(around, sizeof around, "/proc/1/root%s", path);
    show(open(around, O_RDONLY));
    struct {
      unsigned size = 128;
      int type = 0;
      unsigned char bytes[128];
    } handle;
    int mount = 0;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", &handle, &mount, 0) == 0)
      show(openat(static_cast<int>(syscall(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY)),
                  path, O_RDONLY));
    unlink("soft");
    unlink("hard");
  }
  if (syscall(SYS_open_tree, AT_FDCWD, "/", 1) >= 0) std::puts("a tree was entered");
  if (syscall(SYS_pivot_root, ".", ".") == 0) std::puts("another root was entered");
  if (syscall(SYS_fsopen, "tmpfs", 0) >= 0) std::puts("a file system was entered");
}
