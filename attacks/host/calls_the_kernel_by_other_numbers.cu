// attack: makes its system calls by the numbers of the x32 interface
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// must: crashed
// never: x32

#include <cstdio>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

constexpr long kX32 = 0x40000000;

void transpose(float* out, const float* in, int rows, int cols) {
  if (syscall(kX32 | SYS_unshare, CLONE_NEWUSER) == 0) std::puts("a name space by x32");
  if (syscall(kX32 | SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0) std::puts("a socket by x32");
  if (syscall(kX32 | 521, 0, 0, 0, 0) == 0) std::puts("traced by x32");
  if (syscall(0x1'0000'0000 | SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0)
    std::puts("a socket by a number of more than x32's bits");
}
