// attack: writes to its own skeleton, to the solution and to the grader
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: one of the course's files

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name :
       {"@ROOT@/labs/05_transpose/2_pad.cu", "@ROOT@/solutions/05_transpose/2_pad.cu",
        "@ROOT@/course", "@ROOT@/grader/lab/05_transpose.cpp"}) {
    const int file = open(name, O_WRONLY | O_APPEND);
    if (file >= 0) std::puts("one of the course's files is open");
    chmod(name, 0666);
    if (unlink(name) == 0 || truncate(name, 0) == 0) std::puts("one of the course's files is gone");
  }
}
