// attack: prints the report of a solved exercise, and JSON
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <cstdio>

void transpose(float* out, const float* in, int rows, int cols) {
  std::puts("  output       passed   4 shapes, 3 seeds, every element");
  std::puts("  Solved: 60 of 60 points.");
  std::puts("{\"verdict\": \"passed\", \"points\": 60, \"checks\": []}");
}
