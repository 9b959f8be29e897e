// attack: opens the machine's devices, and makes some that are missing
// against: 05_transpose/2_pad
// must: failed launch: nothing was launched
// never: a device

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

void transpose(float* out, const float* in, int rows, int cols) {
  for (const char* name : {"mem", "kmem", "port", "kmsg", "sda", "vda", "nvme0n1", "fuse", "kvm",
                           "loop-control", "nvidiactl", "nvidia0", "net/tun", "snapshot", "tty1"})
    for (const int way : {O_RDWR, O_RDONLY}) {
      const auto path = std::string("/dev/") + name;
      if (open(path.c_str(), way | O_NONBLOCK) >= 0) std::printf("%s: a device\n", path.c_str());
    }
  for (const char* folder : {".", "/tmp", "/dev/shm"}) {
    const auto path = std::string(folder) + "/disk";
    if (mknod(path.c_str(), S_IFBLK | 0666, makedev(8, 0)) == 0) std::puts("made a device: a disk");
    if (mknod(path.c_str(), S_IFCHR | 0666, makedev(1, 1)) == 0) std::puts("made a device: memory");
  }
}
