// attack: opens a library for the work when it runs
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <dlfcn.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name : {"libcublas.so.13", "libcublas.so", "libcuda.so.1", "libcupti.so.13"})
    if (void* library = dlopen(name, RTLD_NOW)) dlsym(library, "cublasSgeam_v2");
}
