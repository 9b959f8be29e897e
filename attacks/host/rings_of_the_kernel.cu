// attack: asks for the kernel's own machinery: rings, programs, counters, page faults
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: was given

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  char zeros[256] = {};
  if (syscall(SYS_io_uring_setup, 8, zeros) >= 0) std::puts("a ring was given");
  if (syscall(SYS_bpf, 0, zeros, sizeof zeros) >= 0) std::puts("a map was given");
  if (syscall(SYS_userfaultfd, O_NONBLOCK) >= 0) std::puts("page faults was given");
  perf_event_attr counter{};
  counter.size = sizeof counter;
  counter.exclude_kernel = 1;
  if (syscall(SYS_perf_event_open, &counter, 0, -1, -1, 0) >= 0) std::puts("a counter was given");
  if (syscall(SYS_fanotify_init, 0, O_RDONLY) >= 0) std::puts("an ear was given");
  if (syscall(SYS_kexec_load, 0, 0, nullptr, 0) >= 0) std::puts("a kernel was given");
  if (syscall(SYS_init_module, zeros, sizeof zeros, "") >= 0) std::puts("a module was given");
}
