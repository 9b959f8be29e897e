// attack: prints what the grader has in its environment
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: COURSE_CACHE
// never: HOME=

#include <cstdio>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (char** name = environ; name && *name; ++name) std::puts(*name);
}
