// attack: takes a rank above all other processes, and the memory from under them
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: is mine

#include <cstdio>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  sched_param first{99};
  if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) std::puts("real time is mine");
  if (setpriority(PRIO_PROCESS, 0, -20) == 0 && getpriority(PRIO_PROCESS, 0) < 0)
    std::puts("the processor is mine");
  const int score = open("/proc/self/oom_score_adj", O_WRONLY);
  if (score >= 0 && write(score, "-1000", 5) == 5) std::puts("the memory is mine");
  void* large =
      mmap(nullptr, 512 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (large != MAP_FAILED && mlock(large, 512 << 20) == 0) std::puts("half a gigabyte is mine");
}
