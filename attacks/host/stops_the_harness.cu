// attack: stops every process and thread that it can see, and does not return
// against: 05_transpose/2_pad
// must: timed_out: had not returned
// must: crashed

#include <csignal>
#include <sys/types.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (pid_t pid = 1; pid < 100'000; ++pid)
    if (pid != getpid()) kill(pid, SIGSTOP);
  for (;;) pause();
}
