// attack: brings a main, and functions of the harness, of its own
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <cstdio>

int main() {
  return std::puts("passed");
}
extern "C" int courseExchange(...) {
  return 1;
}
void transpose(float* out, const float* in, int rows, int cols) {}
