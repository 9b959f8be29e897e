// attack: prints what clears a terminal, names its window and sets its clipboard
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched

#include <cstdio>

void transpose(float* out, const float* in, int rows, int cols) {
  std::puts("\x1b[2J\x1b]0;passed\a\x1b]52;c;cm0gLXJm\a\x9b"
            "31m\xff\xfe\r  output   passed\b\b");
}
