// attack: throws an exception whose text clears a terminal
// against: 05_transpose/2_pad
// must: crashed: threw `std::runtime_error`

#include <stdexcept>

void transpose(float* out, const float* in, int rows, int cols) {
  throw std::runtime_error("\x1b[2J\x1b]0;passed\a\xff\n  output   passed");
}
