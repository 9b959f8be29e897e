// attack: takes hold of its parents by descriptors, and of what they have open
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed
// never: is held

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int pid = 1; pid < 5000; ++pid) {
    if (pid == getpid()) continue;
    const int process = static_cast<int>(syscall(434, pid, 0));
    if (process < 0) continue;
    if (syscall(438, process, 3, 0) >= 0) std::puts("its stream is held");
    for (int d = 0; d < 8; ++d) {
      const auto name = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(d);
      if (open(name.c_str(), O_RDWR) >= 0) std::printf("descriptor %d is held\n", d);
    }
    if (pid == getppid()) syscall(424, process, SIGSTOP, nullptr, 0);
    close(process);
  }
}
