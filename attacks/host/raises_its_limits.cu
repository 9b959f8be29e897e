// attack: takes away its limits, then spins
// against: 05_transpose/2_pad
// must: timed_out: had not returned

#include <sys/resource.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &none);
  setrlimit(RLIMIT_AS, &none);
  prlimit(getppid(), RLIMIT_CPU, &none, nullptr);
  for (volatile int i = 0;; ++i) {
  }
}
