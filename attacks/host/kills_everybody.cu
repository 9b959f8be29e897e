// attack: sends SIGKILL to all that it can reach
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed

#include <csignal>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  kill(getppid(), SIGKILL);
  for (int pid = 1; pid < 40'000; ++pid)
    if (pid != getpid()) kill(pid, SIGKILL);
}
