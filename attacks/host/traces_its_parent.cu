// attack: attaches to its parent and to all others as a debugger
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: is traced

#include <cstdio>
#include <sys/ptrace.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int pid = 1; pid < 40'000; ++pid)
    if (pid != getpid() && ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) std::puts("a process is traced");
}
