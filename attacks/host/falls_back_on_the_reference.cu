// attack: calls the grader's reference by its name
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: the reference is there

#include <cstdio>
#include <dlfcn.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name : {"transposed", "_ZN6course3lab10transposedE", "reference", "judge"})
    if (dlsym(RTLD_DEFAULT, name)) std::puts("the reference is there");
}
