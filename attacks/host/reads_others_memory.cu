// attack: reads and writes the memory of other processes
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: another's memory

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/uio.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  char bytes[8];
  iovec here{bytes, sizeof bytes}, there{(void*)0x400000, sizeof bytes};
  for (int pid = 1; pid < 40'000; ++pid) {
    if (pid == getpid()) continue;
    if (process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) std::puts("another's memory was read");
    const auto name = "/proc/" + std::to_string(pid) + "/mem";
    if (open(name.c_str(), O_RDWR) >= 0) std::puts("another's memory is open");
  }
}
