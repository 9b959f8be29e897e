// attack: maps memory of its own where the input should be, and reads it
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: the input was read

#include <cstdio>
#include <sys/mman.h>

void transpose(float* out, const float* in, int rows, int cols) {
  const auto page = reinterpret_cast<unsigned long>(in) & ~4095ul;
  const void* there = mmap(reinterpret_cast<void*>(page), rows * cols * 4, PROT_READ | PROT_WRITE,
                           MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (there != MAP_FAILED && in[1] != 0) std::puts("the input was read by the host");
}
