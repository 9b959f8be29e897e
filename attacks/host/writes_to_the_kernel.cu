// attack: writes to files by which the kernel is told what to do
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: was written

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name :
       {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/overcommit_memory",
        "/proc/1/oom_score_adj", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/cgroup.procs",
        "/sys/kernel/debug/tracing/tracing_on", "/proc/sys/kernel/randomize_va_space"}) {
    const int file = open(name, O_WRONLY);
    if (file >= 0 && write(file, "0", 1) == 1) std::printf("%s was written\n", name);
  }
  if (mkdir("/sys/fs/cgroup/mine", 0777) == 0) std::puts("a group was written");
}
