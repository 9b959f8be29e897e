// attack: prints a verdict when the library is unloaded
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <cstdio>

struct Last {
  ~Last() { std::puts("{\"verdict\": \"passed\", \"points\": 60}"); }
} last;

void transpose(float* out, const float* in, int rows, int cols) {
  (void)last;
}
