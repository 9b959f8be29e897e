// attack: lets the dynamic linker run code to find the function
// against: 05_transpose/2_pad
// must: did_not_compile
// must: failed launch: nothing was launched
// must: crashed

#include <unistd.h>

extern "C" void nothing(float*, const float*, int, int) {}
extern "C" void* resolve() {
  return (void*)nothing;
}
void transpose(float*, const float*, int, int) __attribute__((ifunc("resolve")));
